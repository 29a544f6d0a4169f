/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/report_overview.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "parse/people_number.h"

void report_number_cell(struct document *document, double value)
{
    char text[PEOPLE_NUMBER_SIZE];
    people_number(value, text);
    document_number_cell(document, text);
}

/* No id of a picture begins so. */
char *report_anchor(const struct report_data *data, size_t row)
{
    return memory_printf("test-%s", data->files[row]);
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

static void write_heading(bool has_several, struct document *document)
{
    document_group_column(document, "test");
    if (has_several)
        document_cell(document, "deployment");
    document_number_cell(document, "most ops/s");
    document_number_cell(document, "at threads");
    if (has_several) {
        document_cell(document, "ratio (interval)");
        document_cell(document, "verdict");
    }
    document_end_row(document);
}

static void write_comparison(const struct report_data *data, size_t position, size_t deployment,
                             struct document *document)
{
    const char *verdict = verdicts_name(&data->verdicts, position, deployment);
    char *ratio = verdicts_ratio_words(&data->verdicts, position, deployment);
    document_cell(document, ratio ? ratio : "-");
    document_cell(document, verdict ? verdict : "-");
    free(ratio);
}

static void write_row(const struct report_data *data, size_t position, size_t deployment, struct document *document)
{
    const struct cell_data *best = best_cell(data->pairing.rows[position].tests[deployment]);
    bool has_several = data->dataset.count > 1;
    document_begin_named_row(document);
    if (has_several)
        document_cell(document, data->dataset.items[deployment].label);
    report_number_cell(document, best ? best->ops_per_sec : NAN);
    report_number_cell(document, best ? best->threads : NAN);
    if (has_several)
        write_comparison(data, position, deployment, document);
    document_end_row(document);
}

static void write_test(const struct report_data *data, size_t position, struct document *document)
{
    char *anchor = report_anchor(data, position);
    document_begin_named_group(document, anchor, data->pairing.rows[position].title);
    for (size_t d = 0; d < data->dataset.count; d++)
        write_row(data, position, d, document);
    free(anchor);
}

void report_overview_write(const struct report_data *data, const struct report_plots *plots, struct document *document)
{
    document_heading(document, 2, "Overview");
    plots->overview(plots->context, document);
    if (data->dataset.count > 1)
        document_paragraph(document,
                           "The ratio of a test case is by what factor the rates of a deployment exceed those of %s: "
                           "one, with its interval, where one may stand for all numbers of threads, else the smallest "
                           "and the largest of them.",
                           data->dataset.items[0].label);
    document_table(document);
    write_heading(data->dataset.count > 1, document);
    for (size_t i = 0; i < data->pairing.count; i++)
        write_test(data, i, document);
    document_end_table(document);
}
