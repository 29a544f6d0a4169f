/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/plot_overview.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "parse/axis.h"

#define HEADING_PIXELS 380 /* at the size of a legend; a heading is smaller */
#define PANEL_RUNGS 8
#define PANELS_ACROSS 5 /* as in plots/overview.gp */
#define PANEL_PIXELS 320

static bool has_rate(const struct report_data *data, const struct pairing_row *row)
{
    return !isnan(plot_point_extremes(data, row, PLOT_THROUGHPUT).value);
}

size_t plot_overview_pages(const struct report_data *data)
{
    size_t tests = 0;
    for (size_t i = 0; i < data->pairing.count; i++)
        tests += has_rate(data, &data->pairing.rows[i]);
    return (tests + PLOT_OVERVIEW_TESTS - 1) / PLOT_OVERVIEW_TESTS;
}

char *plot_overview_output(size_t page, const char *extension)
{
    return page == 1 ? memory_printf("overview.%s", extension) : memory_printf("overview+%zu.%s", page, extension);
}

size_t plot_overview_page(const struct report_data *data, size_t *first,
                          const struct pairing_row *rows[PLOT_OVERVIEW_TESTS])
{
    size_t count = 0;
    for (; *first < data->pairing.count && count < PLOT_OVERVIEW_TESTS; (*first)++)
        if (has_rate(data, &data->pairing.rows[*first]))
            rows[count++] = &data->pairing.rows[*first];
    return count;
}

static int by_number(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

/* All panels have one axis: the rungs of any of them. */
static void append_common_rungs(const struct pairing_row *const *rows, size_t count, struct buffer *out)
{
    size_t all = 0, kept = 0;
    for (size_t i = 0; i < count; i++)
        all += rows[i]->thread_count;
    unsigned *threads = memory_zeroed(all + 1, sizeof *threads);
    all = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < rows[i]->thread_count; k++)
            threads[all++] = rows[i]->threads[k];
    qsort(threads, all, sizeof *threads, by_number);
    for (size_t i = 0; i < all; i++)
        if (i == 0 || threads[i] != threads[kept - 1])
            threads[kept++] = threads[i];
    plot_variables_rungs(threads, kept, PANEL_RUNGS, out);
    free(threads);
}

static void append_begin(const struct report_data *data, const struct plot_target *target,
                         const struct pairing_row *const *rows, size_t count, struct buffer *out)
{
    plot_variables_target(target, out);
    plot_variables_labels(data, target, out);
    append_common_rungs(rows, count, out);
}

static struct axis axis_of(const struct report_data *data, const struct pairing_row *row)
{
    return axis_make(plot_point_extremes(data, row, PLOT_THROUGHPUT).high, 4);
}

void plot_overview_write(const struct report_data *data, const struct plot_target *target,
                         const struct pairing_row *const *rows, size_t count, const char *output, struct buffer *out)
{
    size_t across = count < PANELS_ACROSS ? (count < 2 ? 2 : count) : PANELS_ACROSS;
    append_begin(data, target, rows, count, out);
    plot_variables_caption(data, rows, count, PLOT_THROUGHPUT, (unsigned)across * PANEL_PIXELS, target, out);
    buffer_append_printf(out, "tests = %zu\narray headings[tests]\narray tops[tests]\narray steps[tests]\n", count);
    for (size_t i = 0; i < count; i++) {
        char name[32];
        struct axis axis = axis_of(data, rows[i]);
        snprintf(name, sizeof name, "tops[%zu]", i + 1);
        plot_variables_number(name, axis.top, out);
        snprintf(name, sizeof name, "steps[%zu]", i + 1);
        plot_variables_number(name, axis.step, out);
        snprintf(name, sizeof name, "headings[%zu]", i + 1);
        plot_variables_text(name, rows[i]->title, HEADING_PIXELS, target, out);
    }
    buffer_append_printf(out, "$overview << END_OF_DATA\n");
    for (size_t i = 0; i < count; i++)
        plot_variables_blocks(data, rows[i], PLOT_THROUGHPUT, out);
    buffer_append_printf(out, "END_OF_DATA\noutput = '%s'\nload plots.'/overview.gp'\n", output);
}

void plot_overview_write_panels(const struct report_data *data, const struct plot_target *target,
                                const struct pairing_row *const *rows, size_t count, bool with_legend,
                                struct buffer *out)
{
    append_begin(data, target, rows, count, out);
    buffer_append_printf(out, "caption_lines = 0\noutput = ''\n");
    if (with_legend)
        buffer_append_printf(out, "load plots.'/legend.gp'\n");
    for (size_t i = 0; i < count; i++) {
        struct axis axis = axis_of(data, rows[i]);
        plot_variables_text("heading", rows[i]->title, HEADING_PIXELS, target, out);
        plot_variables_number("y_top", axis.top, out);
        plot_variables_number("y_step", axis.step, out);
        buffer_append_printf(out, "$panel << END_OF_DATA\n");
        plot_variables_blocks(data, rows[i], PLOT_THROUGHPUT, out);
        buffer_append_printf(out, "END_OF_DATA\nload plots.'/panel.gp'\n");
    }
}
