/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/compare_csv.h"

#include <math.h>

#include "base/array.h"
#include "parse/csv.h"

/* A row of either level before it becomes text. */
struct csv_row {
    const char *level;
    const struct side_test *test;
    const struct compare_cell *cell; /* NULL: the test case */
    double ratio;
    const struct ratio_interval *interval;
    const struct compare_cell *lowest, *highest; /* of a test case; NULL: no ratio */
    double p, p_adjusted;
    enum verdict verdict;
    bool has_verdict;
    unsigned more; /* 0: empty */
    const char *void_reason;
};

void compare_csv_header(struct buffer *out)
{
    static const char *const titles[] = {"level",
                                         "baseline",
                                         "other",
                                         "metric",
                                         "unit",
                                         "test",
                                         "occurrence",
                                         "threads",
                                         "a_mean",
                                         "a_stdev",
                                         "a_trials",
                                         "a_errors",
                                         "b_mean",
                                         "b_stdev",
                                         "b_trials",
                                         "b_errors",
                                         "ratio",
                                         "interval_low",
                                         "interval_high",
                                         "interval_confidence",
                                         "ratio_low",
                                         "ratio_low_threads",
                                         "ratio_high",
                                         "ratio_high_threads",
                                         "p",
                                         "p_adjusted",
                                         "verdict",
                                         "more_trials",
                                         "more_runs",
                                         "void_reason"};
    for (size_t i = 0; i < COUNT_OF(titles); i++)
        csv_text(out, titles[i]);
    csv_end_line(out);
}

static void put_sample(struct buffer *out, const struct sample *sample)
{
    csv_number(out, sample ? sample->mean : NAN);
    csv_number(out, sample ? sample->stdev : NAN);
    csv_number(out, sample ? (double)sample->count : NAN);
    csv_number(out, sample && sample->errors >= 0 ? (double)sample->errors : NAN);
}

static void put_extreme(struct buffer *out, const struct compare_cell *cell)
{
    csv_number(out, cell ? cell->ratio : NAN);
    csv_number(out, cell ? cell->threads : NAN);
}

static void put_row(struct buffer *out, const struct comparison *comparison, const struct csv_row *row)
{
    csv_text(out, row->level);
    csv_text(out, comparison->a->label);
    csv_text(out, comparison->b->label);
    csv_text(out, comparison->options.metric->name);
    csv_text(out, comparison->options.metric->unit);
    csv_text(out, row->test->name);
    csv_number(out, (double)row->test->occurrence);
    csv_number(out, row->cell ? row->cell->threads : NAN);
    put_sample(out, row->cell && row->cell->in_a ? &row->cell->a : NULL);
    put_sample(out, row->cell && row->cell->in_b ? &row->cell->b : NULL);
    csv_number(out, row->ratio);
    csv_number(out, row->interval->low);
    csv_number(out, row->interval->high);
    csv_number(out, row->interval->confidence);
    put_extreme(out, row->lowest);
    put_extreme(out, row->highest);
    csv_number(out, row->p);
    csv_number(out, row->p_adjusted);
    csv_text(out, row->has_verdict ? verdict_names[comparison->evidence][row->verdict] : "");
    csv_number(out, row->more && comparison->evidence == EVIDENCE_TRIALS ? row->more : NAN);
    csv_number(out, row->more && comparison->evidence == EVIDENCE_RUNS ? row->more : NAN);
    csv_text(out, row->void_reason ? row->void_reason : "");
    csv_end_line(out);
}

static const struct ratio_interval no_interval = {NAN, NAN, NAN, NAN, false};

static struct csv_row row_of_case(const struct compare_case *test)
{
    bool has_interval = test->has_one_ratio && !isnan(test->interval.ratio);
    struct csv_row row = {.level = "test",
                          .test = test->a,
                          .ratio = has_interval          ? test->interval.ratio
                                   : test->has_one_ratio ? test->geometric_mean
                                                         : NAN,
                          .interval = has_interval ? &test->interval : &no_interval,
                          .p = test->p,
                          .p_adjusted = test->p_adjusted,
                          .verdict = test->verdict,
                          .has_verdict = true,
                          .more = test->verdict == VERDICT_TOO_FEW ? test->more : 0,
                          .void_reason = test->void_reason};
    compare_case_range(test, &row.lowest, &row.highest);
    return row;
}

static struct csv_row row_of_cell(const struct compare_case *test, const struct compare_cell *cell)
{
    return (struct csv_row){.level = "cell",
                            .test = test->a,
                            .cell = cell,
                            .ratio = cell->ratio,
                            .interval = &cell->interval,
                            .p = cell->p,
                            .p_adjusted = cell->p_adjusted,
                            .verdict = cell->verdict,
                            .has_verdict = cell->in_a && cell->in_b,
                            .void_reason = cell->void_reason};
}

static void put_lonely_tests(struct buffer *out, const struct comparison *comparison, const char *level,
                             const struct side_test *const *tests, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct csv_row row = {
            .level = level, .test = tests[i], .ratio = NAN, .interval = &no_interval, .p = NAN, .p_adjusted = NAN};
        put_row(out, comparison, &row);
    }
}

void compare_csv_rows(const struct comparison *comparison, struct buffer *out)
{
    for (size_t i = 0; i < comparison->case_count; i++) {
        const struct compare_case *test = &comparison->cases[i];
        struct csv_row row = row_of_case(test);
        put_row(out, comparison, &row);
        for (size_t k = 0; k < test->cell_count; k++) {
            row = row_of_cell(test, &test->cells[k]);
            put_row(out, comparison, &row);
        }
    }
    put_lonely_tests(out, comparison, "only_a", comparison->only_a, comparison->only_a_count);
    put_lonely_tests(out, comparison, "only_b", comparison->only_b, comparison->only_b_count);
}
