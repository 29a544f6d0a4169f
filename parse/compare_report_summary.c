/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/memory.h"
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
    paper_heading(
        paper,
        "Where the leader changes along the ladder, whatever the verdict (who leads where the interval holds 1 is not "
        "known)");
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

static void print_verdicts(const struct comparison *comparison, const struct paper *paper)
{
    struct buffer text = {0};
    for (size_t v = 0; v < VERDICT_COUNT; v++)
        buffer_append_printf(&text, "%s%zu %s", v ? ", " : "", comparison->summary.verdicts[v], verdict_names[v]);
    paper_paragraph(paper, "%zu test case%s: %s", comparison->case_count, comparison->case_count == 1 ? "" : "s",
                    buffer_text(&text));
    buffer_release(&text);
}

/* Why nothing can be said at all, where that is so: mongo-perf's default is one trial. */
static void print_no_test(const struct comparison *comparison, const struct paper *paper)
{
    unsigned most = 0;
    for (size_t i = 0; i < comparison->case_count; i++) {
        const struct compare_case *test = &comparison->cases[i];
        if (test->tested > 0)
            return;
        most = test->more_trials > most ? test->more_trials : most;
    }
    if (most > 0)
        paper_paragraph(paper,
                        "No test is possible: it takes two trials a cell on each side to know how far trials lie "
                        "apart. With %u more trial%s a cell on each side every test case here could be called.",
                        most, most == 1 ? "" : "s");
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
    if (summary->cells > 0) {
        int direction = metric_direction(comparison->options.metric, summary->geometric_mean);
        char *ratio = compare_words_ratio(summary->geometric_mean);
        paper_paragraph(paper, "All: %s over %zu cells (by the means alone %s)", ratio, summary->cells,
                        direction > 0   ? "B is faster"
                        : direction < 0 ? "B is slower"
                                        : "they are equal");
        free(ratio);
    }
    if (summary->void_cells + summary->one_sided_cells > 0)
        paper_paragraph(paper,
                        "Left out: %zu void cells (errors, null, zero, different definitions), %zu that one side lacks",
                        summary->void_cells, summary->one_sided_cells);
    paper_heading(paper, "Verdicts on B");
    print_verdicts(comparison, paper);
    print_no_test(comparison, paper);
}
