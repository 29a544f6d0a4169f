/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/text.h"
#include "parse/report_overview.h"
#include "parse/report_testbed.h"
#include "parse/run_plan.h"

static void test_heading(bool has_several, struct document *document)
{
    static const char *const columns[] = {"slowest", "fastest", "trials", "errors"};
    if (has_several) {
        document_group_column(document, "threads");
        document_cell(document, "deployment");
    } else {
        document_number_cell(document, "threads");
    }
    document_number_cell(document, "ops/s");
    if (has_several)
        document_number_cell(document, "ratio");
    for (size_t i = 0; i < COUNT_OF(columns); i++)
        document_number_cell(document, columns[i]);
    document_end_row(document);
}

static void test_numbers(const struct report_data *data, const struct pairing_row *row, size_t deployment,
                         unsigned threads, struct document *document)
{
    const struct cell_data *cell = pairing_cell(row, deployment, threads);
    struct plot_point point = plot_point_of(data, row, PLOT_THROUGHPUT, deployment, threads);
    size_t trials = cell ? cell_values(cell, NULL) : 0;
    int64_t errors = cell ? cell_errors(cell) : -1;
    report_number_cell(document, point.value);
    if (data->dataset.count > 1)
        report_number_cell(document, plot_point_of(data, row, PLOT_RATIO, deployment, threads).value);
    report_number_cell(document, trials > 1 ? point.low : NAN);
    report_number_cell(document, trials > 1 ? point.high : NAN);
    report_number_cell(document, cell ? (double)(trials ? trials : cell->trials_summarised) : NAN);
    report_number_cell(document, errors < 0 ? NAN : (double)errors);
    document_end_row(document);
}

static void test_group(const struct report_data *data, const struct pairing_row *row, unsigned threads,
                       struct document *document)
{
    char *name = memory_printf("%u thread%s", threads, text_plural(threads));
    document_begin_named_group(document, NULL, name);
    for (size_t d = 0; d < data->dataset.count; d++) {
        document_begin_named_row(document);
        document_cell(document, data->dataset.items[d].label);
        test_numbers(data, row, d, threads, document);
    }
    free(name);
}

/* A row per number of threads and deployment: however many these are, the table is as wide. */
static void write_table(const struct report_data *data, const struct pairing_row *row, struct document *document)
{
    bool has_several = data->dataset.count > 1;
    document_table(document);
    test_heading(has_several, document);
    for (size_t i = 0; i < row->thread_count; i++) {
        if (has_several) {
            test_group(data, row, row->threads[i], document);
            continue;
        }
        report_number_cell(document, row->threads[i]);
        test_numbers(data, row, 0, row->threads[i], document);
    }
    document_end_table(document);
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
        document_paragraph(document, "%s has no number for %zu of %zu trials at %u thread%s: %s.", label, without,
                           cell->trial_count, cell->threads, text_plural(cell->threads), reason);
    else
        document_paragraph(document, "%s has no number at %u thread%s: %s.", label, cell->threads,
                           text_plural(cell->threads), reason);
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
    char *anchor = report_anchor(data, position);
    document_anchored_heading(document, 3, anchor, row->title);
    free(anchor);
    write_tags(pairing_any(&data->pairing, row), document);
    write_verdicts(data, position, document);
    plots->test(plots->context, position, document);
    write_table(data, row, document);
    write_reasons(data, row, document);
}

void report_write(const struct report_data *data, const struct report_plots *plots, struct document *document)
{
    report_testbed_write(&data->dataset, document);
    report_overview_write(data, plots, document);
    document_heading(document, 2, "Test cases");
    document_paragraph(document, "ops/s is the mean of the trials. A dash is where there is no number.");
    if (data->dataset.count > 1) {
        char *explanation = verdicts_explain(&data->verdicts);
        document_paragraph(document, "The ratio of a cell is that of the means. %s", explanation);
        free(explanation);
    }
    for (size_t i = 0; i < data->pairing.count; i++)
        write_test(data, plots, i, document);
}
