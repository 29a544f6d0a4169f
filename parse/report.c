/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "parse/people_number.h"
#include "parse/report_testbed.h"
#include "parse/run_plan.h"

static void number_cell(struct document *document, double value)
{
    char text[PEOPLE_NUMBER_SIZE];
    people_number(value, text);
    document_number_cell(document, text);
}

/* The cell with the highest rate, or NULL. */
static const struct cell_data *best_cell(const struct test_data *test)
{
    const struct cell_data *best = NULL;
    for (size_t i = 0; test && i < test->cell_count; i++) {
        const struct cell_data *cell = &test->cells[i];
        if (!isnan(cell->ops_per_sec) && (!best || cell->ops_per_sec > best->ops_per_sec))
            best = cell;
    }
    return best;
}

static void overview_heading(const struct report_data *data, struct document *document)
{
    document_cell(document, "test");
    for (size_t d = 0; d < data->dataset.count; d++) {
        char *best = memory_printf("%s: most ops/s", data->dataset.items[d].label);
        document_number_cell(document, best);
        document_number_cell(document, "at threads");
        if (d > 0)
            document_cell(document, "verdict");
        free(best);
    }
    document_end_row(document);
}

static void overview_row(const struct report_data *data, size_t position, struct document *document)
{
    const struct pairing_row *row = &data->pairing.rows[position];
    document_link_cell(document, data->files[position], row->title);
    for (size_t d = 0; d < data->dataset.count; d++) {
        const struct cell_data *best = best_cell(row->tests[d]);
        number_cell(document, best ? best->ops_per_sec : NAN);
        number_cell(document, best ? best->threads : NAN);
        const char *verdict = verdicts_name(&data->verdicts, position, d);
        if (d > 0)
            document_cell(document, verdict ? verdict : "-");
    }
    document_end_row(document);
}

static void write_overview(const struct report_data *data, const struct report_plots *plots, struct document *document)
{
    document_heading(document, 2, "Overview");
    plots->overview(plots->context, document);
    document_table(document);
    overview_heading(data, document);
    for (size_t i = 0; i < data->pairing.count; i++)
        overview_row(data, i, document);
    document_end_table(document);
}

static void test_heading(const struct report_data *data, struct document *document)
{
    static const char *const columns[] = {"ops/s", "slowest", "fastest", "trials", "errors"};
    document_number_cell(document, "threads");
    for (size_t d = 0; d < data->dataset.count; d++) {
        for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
            char *text = memory_printf("%s: %s", data->dataset.items[d].label, columns[i]);
            document_number_cell(document, i == 0 ? text : columns[i]);
            free(text);
        }
    }
    if (data->dataset.count == 2)
        document_number_cell(document, "ratio");
    document_end_row(document);
}

static void test_cells(const struct report_data *data, const struct pairing_row *row, size_t deployment,
                       unsigned threads, struct document *document)
{
    const struct cell_data *cell = pairing_cell(row, deployment, threads);
    struct plot_point point = plot_point_of(data, row, PLOT_THROUGHPUT, deployment, threads);
    size_t trials = cell ? cell_values(cell, NULL) : 0;
    int64_t errors = cell ? cell_errors(cell) : -1;
    number_cell(document, point.value);
    number_cell(document, trials > 1 ? point.low : NAN);
    number_cell(document, trials > 1 ? point.high : NAN);
    number_cell(document, cell ? (double)(trials ? trials : cell->trials_summarised) : NAN);
    number_cell(document, errors < 0 ? NAN : (double)errors);
}

static void write_table(const struct report_data *data, const struct pairing_row *row, struct document *document)
{
    document_table(document);
    test_heading(data, document);
    for (size_t i = 0; i < row->thread_count; i++) {
        number_cell(document, row->threads[i]);
        for (size_t d = 0; d < data->dataset.count; d++)
            test_cells(data, row, d, row->threads[i], document);
        if (data->dataset.count == 2)
            number_cell(document, plot_point_of(data, row, PLOT_RATIO, 1, row->threads[i]).value);
        document_end_row(document);
    }
    document_end_table(document);
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static void write_reason(const char *label, const struct cell_data *cell, struct document *document)
{
    size_t without = cell->trial_count - cell_values(cell, NULL);
    bool has_number = !isnan(cell->ops_per_sec);
    if (has_number && (without == 0 || without == cell->trial_count))
        return;
    char *why = cell_why(cell);
    const char *reason = why ? why : "its file does not say why";
    if (has_number)
        document_paragraph(document, "%s has no number of %zu of %zu trials at %u thread%s: %s.", label, without,
                           cell->trial_count, cell->threads, plural(cell->threads), reason);
    else
        document_paragraph(document, "%s has no number at %u thread%s: %s.", label, cell->threads,
                           plural(cell->threads), reason);
    free(why);
}

static void write_rungs_left(const struct deployment *deployment, const struct test_data *test,
                             struct document *document)
{
    struct buffer list = {0};
    unsigned *rungs = memory_zeroed(deployment->plan.thread_count + 1, sizeof *rungs);
    size_t count = run_plan_rungs_left(&deployment->plan, test, rungs);
    for (size_t i = 0; i < count; i++)
        buffer_append_printf(&list, "%s%u", i ? ", " : "", rungs[i]);
    if (count > 0)
        document_paragraph(document, "%s did not measure %s threads, which were planned%s.", deployment->label,
                           buffer_text(&list), deployment->interrupted ? ": the run was cut short" : "");
    buffer_release(&list);
    free(rungs);
}

/* Cells and trials without a number, with what their files say of them. */
static void write_reasons(const struct report_data *data, const struct pairing_row *row, struct document *document)
{
    for (size_t d = 0; d < data->dataset.count; d++) {
        const char *label = data->dataset.items[d].label;
        if (!row->tests[d])
            document_paragraph(document, "%s does not have this test.", label);
        for (size_t i = 0; row->tests[d] && i < row->tests[d]->cell_count; i++)
            write_reason(label, &row->tests[d]->cells[i], document);
        if (row->tests[d])
            write_rungs_left(&data->dataset.items[d], row->tests[d], document);
    }
}

static void write_tags(const struct test_data *test, struct document *document)
{
    struct buffer tags = {0};
    for (size_t i = 0; i < test->tag_count; i++)
        buffer_append_printf(&tags, "%s%s", i ? ", " : "", test->tags[i]);
    if (tags.size > 0)
        document_paragraph(document, "Tags: %s", buffer_text(&tags));
    buffer_release(&tags);
}

static void write_verdicts(const struct report_data *data, size_t position, struct document *document)
{
    for (size_t d = 1; d < data->dataset.count; d++) {
        char *words = verdicts_words(&data->verdicts, position, d);
        if (words)
            document_paragraph(document, "Verdict on %s: %s.", data->dataset.items[d].label, words);
        free(words);
    }
}

static void write_test(const struct report_data *data, const struct report_plots *plots, size_t position,
                       struct document *document)
{
    const struct pairing_row *row = &data->pairing.rows[position];
    document_anchored_heading(document, 3, data->files[position], row->title);
    write_tags(pairing_any(&data->pairing, row), document);
    write_verdicts(data, position, document);
    plots->test(plots->context, position, document);
    write_table(data, row, document);
    write_reasons(data, row, document);
}

void report_write(const struct report_data *data, const struct report_plots *plots, struct document *document)
{
    report_testbed_write(&data->dataset, document);
    write_overview(data, plots, document);
    document_heading(document, 2, "Test cases");
    document_paragraph(document, "ops/s is the mean of the trials. A dash stands where there is no number.");
    if (data->dataset.count > 1)
        document_paragraph(
            document,
            "A verdict says whether these trials show that a deployment (B) is faster or slower than %s "
            "(A), as benchcompare does: van Elteren's rank test over the numbers of threads, with Holm's "
            "correction over the test cases. Trials of one run share that run's luck: separate runs are "
            "better evidence.",
            data->dataset.items[0].label);
    for (size_t i = 0; i < data->pairing.count; i++)
        write_test(data, plots, i, document);
}
