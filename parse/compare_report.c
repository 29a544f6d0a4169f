/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/compare_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "parse/compare_report_parts.h"
#include "parse/compare_words.h"

enum { COLUMN_TEST, COLUMN_A, COLUMN_B, COLUMN_RATIO, COLUMN_INTERVAL, COLUMN_VERDICT, COLUMNS };

static enum paper_tone tone_of(enum verdict verdict)
{
    switch (verdict) {
    case VERDICT_FASTER:
        return TONE_GOOD;
    case VERDICT_SLOWER:
        return TONE_BAD;
    case VERDICT_MIXED:
    case VERDICT_UNEVEN:
    case VERDICT_VOID:
        return TONE_WARNING;
    default:
        return TONE_PLAIN;
    }
}

/* Takes over the text. */
static void set(struct paper_table *table, size_t column, char *text)
{
    paper_table_set(table, column, "%s", text);
    free(text);
}

static void add_case(struct paper_table *table, const struct compare_case *test, const struct comparison *comparison)
{
    paper_table_add_row(table, tone_of(test->verdict));
    set(table, COLUMN_TEST, compare_words_name(test->a));
    set(table, COLUMN_RATIO, compare_words_case_ratio(test));
    set(table, COLUMN_INTERVAL, compare_words_case_interval(test, 1 - comparison->options.alpha));
    set(table, COLUMN_VERDICT, compare_words_case(test, comparison));
}

static void add_cell(struct paper_table *table, const struct compare_cell *cell, const struct comparison *comparison)
{
    paper_table_add_row(table, TONE_FAINT);
    paper_table_set(table, COLUMN_TEST, "    %u thread%s", cell->threads, cell->threads == 1 ? "" : "s");
    set(table, COLUMN_A, compare_words_sample(&cell->a));
    set(table, COLUMN_B, compare_words_sample(&cell->b));
    set(table, COLUMN_RATIO, compare_words_ratio(cell->ratio));
    set(table, COLUMN_INTERVAL, compare_words_interval(&cell->interval, 1 - comparison->options.alpha));
    set(table, COLUMN_VERDICT, compare_words_cell(cell, comparison));
}

static void print_table(const struct comparison *comparison, bool with_cells, const struct paper *paper)
{
    char *interval = memory_printf("%.4g %% interval", 100 * (1 - comparison->options.alpha));
    const struct paper_column columns[COLUMNS] = {{"test case", false}, {"A", true},       {"B", true},
                                                  {"B / A", true},      {interval, false}, {"verdict", false}};
    struct paper_table table;
    paper_table_init(&table, columns, COLUMNS);
    for (size_t i = 0; i < comparison->case_count; i++) {
        const struct compare_case *test = &comparison->cases[i];
        add_case(&table, test, comparison);
        for (size_t k = 0; with_cells && k < test->cell_count; k++)
            add_cell(&table, &test->cells[k], comparison);
    }
    const struct metric *metric = comparison->options.metric;
    paper_heading(paper, "%s (%s): %s is better", metric->name, metric->unit,
                  metric->lower_is_better ? "lower" : "higher");
    paper_table_print(paper, &table);
    paper_table_release(&table);
    free(interval);
}

void compare_report_print(const struct comparison *comparison, bool with_cells, const struct paper *paper)
{
    compare_report_print_sides(comparison, paper);
    compare_report_print_testbeds(comparison, paper);
    print_table(comparison, with_cells, paper);
    compare_report_print_missing(comparison, paper);
    compare_report_print_summary(comparison, paper);
}

static void print_trial_notes(const struct compare_options *options, const struct paper *paper)
{
    paper_item(
        paper,
        "Faster and slower are said of B. A verdict is per test case: van Elteren's rank test of the trials over "
        "its rungs, %s, alpha %g.",
        options->correct ? "Holm's correction over the test cases of the table" : "not corrected for many tests",
        options->alpha);
    paper_item(paper,
               "A line of a number of threads is one cell. Its own verdict (Mann-Whitney%s) is secondary; nothing is "
               "printed where trials are too few for any: a table of many cells takes many more.",
               options->correct ? ", Holm over all cells" : "");
    paper_item(paper, "Intervals: Hodges-Lehmann shift of the logarithms; a percentage in brackets is all the "
                      "confidence that so few trials can give. No value is left out as an outlier.");
    char *luck = compare_words_luck(options);
    paper_item(paper, "%s", luck);
    free(luck);
}

static void print_run_notes(const struct compare_options *options, const struct paper *paper)
{
    paper_item(paper,
               "Faster and slower are said of B. A verdict is per test case, and what counts is runs: each run is one "
               "value, the mean over its rungs and trials of the logarithms, and the labels of whole runs are permuted "
               "for the whole table at once (%s), alpha %g.",
               options->correct ? "Westfall and Young's step-down maxT" : "not corrected for many tests",
               options->alpha);
    paper_item(paper, "A line of a number of threads is one cell; its own verdict, by the same permutations, is "
                      "secondary. Nothing is printed where runs are too few for any.");
    paper_item(paper,
               "Intervals: the ratios that the permutation test does not reject; a percentage in brackets is all "
               "the confidence that so few runs can give. No value is left out as an outlier.");
}

void compare_report_print_notes(const struct compare_options *options, enum evidence evidence,
                                const struct paper *paper)
{
    paper_heading(paper, "How to read this");
    if (evidence == EVIDENCE_RUNS)
        print_run_notes(options, paper);
    else
        print_trial_notes(options, paper);
    paper_item(paper,
               "A and B are means of trials with their standard deviation. Of a cell B / A is the ratio of the "
               "means. Of a test case it is one ratio with its interval where one may stand for all rungs; where "
               "the rungs differ, or nothing can tell, it goes from the smallest to the largest of its cells.");
}
