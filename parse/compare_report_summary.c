/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/text.h"
#include "parse/compare_report_parts.h"
#include "parse/compare_words.h"

static void print_only(const struct side_test *const *tests, size_t count, char letter, const struct paper *paper)
{
    for (size_t i = 0; i < count; i++) {
        char *name = compare_words_name(tests[i]);
        paper_item(paper, "test case only in %c: %s", letter, name);
        free(name);
    }
}

static void print_only_rungs(const struct compare_case *test, bool of_a, const struct paper *paper)
{
    struct buffer rungs = {0};
    for (size_t i = 0; i < test->cell_count; i++) {
        const struct compare_cell *cell = &test->cells[i];
        if (cell->in_a == of_a && cell->in_b != of_a)
            buffer_append_printf(&rungs, " %u", cell->threads);
    }
    if (rungs.size) {
        char *name = compare_words_name(test->a);
        paper_item(paper, "threads only in %c: %s:%s", of_a ? 'A' : 'B', name, buffer_text(&rungs));
        free(name);
    }
    buffer_release(&rungs);
}

void compare_report_print_missing(const struct comparison *comparison, const struct paper *paper)
{
    if (comparison->only_a_count + comparison->only_b_count + comparison->summary.one_sided_cells == 0)
        return;
    paper_heading(paper, "Only on one side");
    print_only(comparison->only_a, comparison->only_a_count, 'A', paper);
    print_only(comparison->only_b, comparison->only_b_count, 'B', paper);
    for (size_t i = 0; i < comparison->case_count; i++) {
        print_only_rungs(&comparison->cases[i], true, paper);
        print_only_rungs(&comparison->cases[i], false, paper);
    }
}

static void print_leader_changes(const struct comparison *comparison, const struct paper *paper)
{
    if (comparison->summary.leader_changes == 0)
        return;
    paper_heading(paper, "Where the leader changes along the ladder");
    for (size_t i = 0; i < comparison->case_count; i++) {
        const struct compare_case *test = &comparison->cases[i];
        if (compare_case_changes(test, comparison->options.metric) == 0)
            continue;
        char *name = compare_words_name(test->a), *leaders = compare_words_leaders(test, comparison);
        paper_item(paper, "%s: %s", name, leaders);
        free(name);
        free(leaders);
    }
}

static void print_groups(const char *title, const struct group_ratio *groups, size_t count, const struct paper *paper)
{
    const struct paper_column columns[] = {{title, false}, {"B / A", true}, {"cells", true}};
    struct paper_table table;
    paper_table_init(&table, columns, 3);
    for (size_t i = 0; i < count; i++) {
        paper_table_add_row(&table, TONE_PLAIN);
        if (groups[i].tag)
            paper_table_set(&table, 0, "%s", groups[i].tag);
        else
            paper_table_set(&table, 0, "%u", groups[i].threads);
        char *ratio = compare_words_ratio(groups[i].geometric_mean);
        paper_table_set(&table, 1, "%s", ratio);
        paper_table_set(&table, 2, "%zu", groups[i].cells);
        free(ratio);
    }
    if (count > 0)
        paper_table_print(paper, &table);
    paper_table_release(&table);
}

/* The heading says already what it is about. */
static const char *short_name(enum evidence evidence, enum verdict verdict)
{
    const char *name = verdict_names[evidence][verdict], *colon = strstr(name, ": ");
    return colon ? colon + 2 : name;
}

static void print_verdicts(const struct comparison *comparison, const struct paper *paper)
{
    struct buffer text = {0};
    for (size_t v = 0; v < VERDICT_COUNT; v++)
        buffer_append_printf(&text, "%s%zu %s", v ? ", " : "", comparison->summary.verdicts[v],
                             short_name(comparison->evidence, (enum verdict)v));
    paper_heading(paper, comparison->evidence == EVIDENCE_RUNS ? "Verdicts on B" : "Verdicts on these two runs");
    paper_paragraph(paper, "%zu test case%s: %s", comparison->case_count, text_plural(comparison->case_count),
                    buffer_text(&text));
    buffer_release(&text);
}

static void print_more_trials(unsigned more, const struct paper *paper)
{
    paper_paragraph(paper,
                    "No test is possible: it takes two trials per cell on each side to know how far trials lie apart. "
                    "With %u more trial%s per cell on each side every test case here could be called.",
                    more, text_plural(more));
}

static void print_more_runs(const struct comparison *comparison, unsigned more, const struct paper *paper)
{
    paper_paragraph(
        paper,
        "No test is possible: there are %zu runs of A and %zu of B, and what trials of a run have in common "
        "is no evidence. With %u more run%s on each side every test case here could be called.",
        comparison->a->run_count, comparison->b->run_count, more, text_plural(more));
}

/* Why nothing can be said at all, where that is so: mongo-perf's default is one trial, and a habit is three runs. */
static void print_no_test(const struct comparison *comparison, const struct paper *paper)
{
    unsigned most = 0;
    for (size_t i = 0; i < comparison->case_count; i++) {
        const struct compare_case *test = &comparison->cases[i];
        if (test->verdict != VERDICT_TOO_FEW && test->verdict != VERDICT_VOID)
            return;
        if (comparison->evidence == EVIDENCE_TRIALS && test->tested > 0)
            return;
        most = test->more > most ? test->more : most;
    }
    if (most == 0)
        return;
    if (comparison->evidence == EVIDENCE_RUNS)
        print_more_runs(comparison, most, paper);
    else
        print_more_trials(most, paper);
}

static void print_whole_mean(const struct compare_summary *summary, const struct paper *paper)
{
    char *mean = compare_words_ratio(summary->geometric_mean), *low = compare_words_ratio(summary->smallest_ratio),
         *high = compare_words_ratio(summary->largest_ratio);
    paper_paragraph(paper, "All: %s over %zu cells, of which the smallest is %s and the largest %s; a mean, no verdict",
                    mean, summary->cells, low, high);
    free(mean);
    free(low);
    free(high);
}

void compare_report_print_summary(const struct comparison *comparison, const struct paper *paper)
{
    const struct compare_summary *summary = &comparison->summary;
    print_leader_changes(comparison, paper);
    paper_heading(paper, "Geometric mean of B / A over the cells that both have");
    if (summary->cells == 0)
        paper_paragraph(paper, "There is no cell that can be compared.");
    print_groups("threads", summary->rungs, summary->rung_count, paper);
    print_groups("tag", summary->tags, summary->tag_count, paper);
    if (summary->cells > 0)
        print_whole_mean(summary, paper);
    if (summary->void_cells + summary->one_sided_cells > 0)
        paper_paragraph(
            paper,
            "Left out: %zu void cell%s (errors, null, zero, different set-ups or definitions), %zu that one side lacks",
            summary->void_cells, text_plural(summary->void_cells), summary->one_sided_cells);
    print_verdicts(comparison, paper);
    print_no_test(comparison, paper);
}
