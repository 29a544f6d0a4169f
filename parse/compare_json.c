/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/compare_json.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "model/real.h"
#include "model/text.h"
#include "parse/compare_gaps.h"
#include "parse/compare_words.h"

static void set_number(json_t *object, const char *name, double value)
{
    json_object_set_new(object, name, text_number_to_json(value));
}

static void set_text(json_t *object, const char *name, const char *value)
{
    json_object_set_new(object, name, text_to_json(value));
}

static void set_count(json_t *object, const char *name, size_t value)
{
    json_object_set_new(object, name, json_integer((json_int_t)value));
}

static json_t *sample_to_json(const struct sample *sample)
{
    json_t *object = json_object(), *values = json_array();
    set_number(object, "mean", sample->mean);
    set_number(object, "stdev", sample->stdev);
    set_number(object, "min", sample->min);
    set_number(object, "max", sample->max);
    for (size_t i = 0; i < sample->count; i++)
        json_array_append_new(values, text_number_to_json(sample->values[i]));
    json_object_set_new(object, "values", values);
    set_count(object, "trials_without_number", sample->lost);
    json_object_set_new(object, "errors", sample->errors < 0 ? json_null() : json_integer(sample->errors));
    return object;
}

static const char *method_name(enum evidence evidence, bool is_exact)
{
    if (evidence == EVIDENCE_RUNS)
        return is_exact ? "permutation of runs, exact" : "permutation of runs, sampled";
    return is_exact ? "exact" : "normal approximation";
}

static json_t *interval_to_json(const struct ratio_interval *interval, enum evidence evidence)
{
    if (isnan(interval->low))
        return json_null();
    json_t *object = json_object();
    const char *method = method_name(evidence, interval->is_exact);
    char *whole = evidence == EVIDENCE_RUNS ? memory_strdup(method) : memory_printf("Hodges-Lehmann, %s", method);
    set_text(object, "method", whole);
    free(whole);
    set_number(object, "ratio", interval->ratio);
    set_number(object, "low", interval->low);
    set_number(object, "high", interval->high);
    set_number(object, "confidence", interval->confidence);
    return object;
}

static json_t *extreme_to_json(const struct compare_cell *cell)
{
    json_t *object = json_object();
    set_number(object, "ratio", cell->ratio);
    set_count(object, "threads", cell->threads);
    return object;
}

static json_t *range_to_json(const struct compare_case *test)
{
    const struct compare_cell *smallest, *largest;
    if (!compare_case_range(test, &smallest, &largest))
        return json_null();
    json_t *object = json_object();
    json_object_set_new(object, "low", extreme_to_json(smallest));
    json_object_set_new(object, "high", extreme_to_json(largest));
    return object;
}

static json_t *cell_to_json(const struct compare_cell *cell, enum evidence evidence)
{
    json_t *object = json_object();
    set_count(object, "threads", cell->threads);
    json_object_set_new(object, "a", cell->in_a ? sample_to_json(&cell->a) : json_null());
    json_object_set_new(object, "b", cell->in_b ? sample_to_json(&cell->b) : json_null());
    set_number(object, "ratio", cell->ratio);
    json_object_set_new(object, "interval", interval_to_json(&cell->interval, evidence));
    set_number(object, "p", cell->p);
    set_number(object, "p_adjusted", cell->p_adjusted);
    set_text(object, "method", isnan(cell->p) ? NULL : method_name(evidence, cell->is_exact));
    set_text(object, "secondary_verdict", cell->in_a && cell->in_b ? verdict_names[evidence][cell->verdict] : NULL);
    set_text(object, "void_reason", cell->void_reason);
    return object;
}

static json_t *leaders_to_json(const struct compare_case *test, const struct metric *metric)
{
    json_t *list = json_array();
    for (size_t first = 0, last = 0; first < test->cell_count; first = last + 1) {
        int leader = compare_case_stretch(test, metric, first, &last);
        json_t *stretch = json_object();
        set_text(stretch, "leader", leader > 0 ? "b" : leader < 0 ? "a" : NULL);
        set_count(stretch, "from_threads", test->cells[first].threads);
        set_count(stretch, "to_threads", test->cells[last].threads);
        json_array_append_new(list, stretch);
    }
    return list;
}

/* The one that is meant by the evidence; the other is null, too. */
static void set_more(json_t *object, const struct compare_case *test, enum evidence evidence)
{
    unsigned more = test->verdict == VERDICT_TOO_FEW ? test->more : 0;
    bool of_runs = evidence == EVIDENCE_RUNS;
    json_object_set_new(object, "more_trials", more && !of_runs ? json_integer(more) : json_null());
    json_object_set_new(object, "more_runs", more && of_runs ? json_integer(more) : json_null());
}

static json_t *case_to_json(const struct compare_case *test, const struct comparison *comparison)
{
    enum evidence evidence = comparison->evidence;
    json_t *object = json_object(), *cells = json_array();
    set_text(object, "name", test->a->name);
    set_count(object, "occurrence", test->a->occurrence);
    set_text(object, "verdict", verdict_names[evidence][test->verdict]);
    set_text(object, "void_reason", test->void_reason);
    set_more(object, test, evidence);
    set_number(object, "p", test->p);
    set_number(object, "p_adjusted", test->p_adjusted);
    set_text(object, "method", isnan(test->p) ? NULL : method_name(evidence, test->is_exact));
    set_number(object, "crossover_p", test->crossover_p);
    set_number(object, "crossover_p_adjusted", test->crossover_p_adjusted);
    set_count(object, "rungs_tested", test->tested);
    set_number(object, "geometric_mean", test->geometric_mean);
    json_object_set_new(object, "has_one_ratio", json_boolean(test->has_one_ratio));
    set_number(object, "one_ratio_p", test->fit_p);
    set_number(object, "one_ratio_p_adjusted", test->fit_p_adjusted);
    json_object_set_new(object, "interval",
                        test->has_one_ratio ? interval_to_json(&test->interval, evidence) : json_null());
    json_object_set_new(object, "range", range_to_json(test));
    json_object_set_new(object, "leaders", leaders_to_json(test, comparison->options.metric));
    for (size_t i = 0; i < test->cell_count; i++)
        json_array_append_new(cells, cell_to_json(&test->cells[i], evidence));
    json_object_set_new(object, "cells", cells);
    return object;
}

static json_t *side_to_json(const struct side *side)
{
    json_t *object = json_object(), *files = json_array();
    set_text(object, "label", side->label);
    for (size_t i = 0; i < side->run_count; i++) {
        json_t *file = json_object();
        set_text(file, "path", side->runs[i]->path);
        set_text(file, "start", side->runs[i]->start);
        json_object_set_new(file, "interrupted", json_boolean(side->runs[i]->interrupted));
        json_array_append_new(files, file);
    }
    json_object_set_new(object, "files", files);
    return object;
}

static json_t *names_to_json(const struct side_test *const *tests, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *object = json_object();
        set_text(object, "name", tests[i]->name);
        set_count(object, "occurrence", tests[i]->occurrence);
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *gaps_to_json(const struct comparison *comparison)
{
    struct compare_gaps gaps;
    compare_gaps_make(comparison, &gaps);
    json_t *list = json_array();
    for (size_t i = 0; i < gaps.count; i++) {
        const struct compare_gap *gap = &gaps.items[i];
        json_t *object = json_object(), *threads = json_array();
        set_text(object, "name", gap->test->name);
        set_count(object, "occurrence", gap->test->occurrence);
        for (size_t k = 0; k < gap->thread_count; k++)
            json_array_append_new(threads, json_integer(gap->threads[k]));
        json_object_set_new(object, "threads", threads);
        set_text(object, "reason", gap->reason);
        json_array_append_new(list, object);
    }
    compare_gaps_release(&gaps);
    return list;
}

static json_t *differences_to_json(const struct comparison *comparison)
{
    json_t *list = json_array();
    for (size_t i = 0; i < comparison->difference_count; i++) {
        json_t *object = json_object();
        set_text(object, "what", comparison->differences[i].name);
        set_text(object, "a", comparison->differences[i].a);
        set_text(object, "b", comparison->differences[i].b);
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *groups_to_json(const struct group_ratio *groups, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *object = json_object();
        if (groups[i].tag)
            set_text(object, "tag", groups[i].tag);
        else
            set_count(object, "threads", groups[i].threads);
        set_number(object, "geometric_mean", groups[i].geometric_mean);
        set_count(object, "cells", groups[i].cells);
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *summary_to_json(const struct compare_summary *summary, enum evidence evidence)
{
    json_t *object = json_object(), *verdicts = json_object();
    for (size_t v = 0; v < VERDICT_COUNT; v++)
        set_count(verdicts, verdict_names[evidence][v], summary->verdicts[v]);
    json_object_set_new(object, "verdicts", verdicts);
    set_number(object, "geometric_mean", summary->geometric_mean);
    set_number(object, "smallest_ratio", summary->smallest_ratio);
    set_number(object, "largest_ratio", summary->largest_ratio);
    set_count(object, "cells", summary->cells);
    set_count(object, "void_cells", summary->void_cells);
    set_count(object, "one_sided_cells", summary->one_sided_cells);
    json_object_set_new(object, "by_threads", groups_to_json(summary->rungs, summary->rung_count));
    json_object_set_new(object, "by_tag", groups_to_json(summary->tags, summary->tag_count));
    set_count(object, "tests_where_the_leader_changes", summary->leader_changes);
    return object;
}

json_t *compare_json_make(const struct comparison *comparison)
{
    const struct compare_options *options = &comparison->options;
    json_t *object = json_object(), *tests = json_array();
    set_text(object, "metric", options->metric->name);
    set_text(object, "unit", options->metric->unit);
    set_text(object, "better", options->metric->lower_is_better ? "lower" : "higher");
    set_number(object, "alpha", options->alpha);
    set_text(object, "evidence", comparison->evidence == EVIDENCE_RUNS ? "runs" : "trials of one run per side");
    set_text(object, "correction",
             !options->correct                       ? NULL
             : comparison->evidence == EVIDENCE_RUNS ? "Westfall-Young step-down maxT"
                                                     : "Holm");
    json_object_set_new(object, "a", side_to_json(comparison->a));
    json_object_set_new(object, "b", side_to_json(comparison->b));
    json_object_set_new(object, "differences", differences_to_json(comparison));
    set_count(object, "different_definitions", comparison->different_definitions);
    for (size_t i = 0; i < comparison->case_count; i++)
        json_array_append_new(tests, case_to_json(&comparison->cases[i], comparison));
    json_object_set_new(object, "tests", tests);
    json_object_set_new(object, "only_a", names_to_json(comparison->only_a, comparison->only_a_count));
    json_object_set_new(object, "only_b", names_to_json(comparison->only_b, comparison->only_b_count));
    json_object_set_new(object, "cannot_be_compared", gaps_to_json(comparison));
    json_object_set_new(object, "summary", summary_to_json(&comparison->summary, comparison->evidence));
    return object;
}

void compare_json_print(json_t *json, FILE *file)
{
    char *text = json_dumps(json, JSON_INDENT(2));
    if (text) {
        real_shorten_json(text);
        fprintf(file, "%s\n", text);
    }
    free(text);
    json_decref(json);
}
