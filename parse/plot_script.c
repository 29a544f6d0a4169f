/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/plot_script.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "parse/axis.h"
#include "parse/csv.h"
#include "parse/plot_point.h"

#define TITLE_CHARACTERS 90
#define LABEL_CHARACTERS 50
#define PANEL_CHARACTERS 40

/* A quote is joined in from a string of its own: doubled at the begin of a string gnuplot takes it for two strings. */
static void append_text(struct buffer *out, const char *text, size_t characters)
{
    static const char quote[] = "'.\"\\047\".'";
    char *safe = text_safe(text);
    size_t size = text_bytes(safe, characters);
    buffer_append(out, "'", 1);
    for (size_t i = 0; i < size; i++) {
        if (safe[i] == '\'')
            buffer_append(out, quote, sizeof quote - 1);
        else
            buffer_append(out, &safe[i], 1);
    }
    buffer_append_printf(out, "%s'", safe[size] ? "..." : "");
    free(safe);
}

bool plot_script_has(const struct report_data *data, const struct pairing_row *row, enum plot_kind kind)
{
    if (kind == PLOT_RATIO && data->dataset.count != 2)
        return false;
    if (kind == PLOT_SCALING && row->thread_count < 2)
        return false;
    return !isnan(plot_point_extremes(data, row, kind).value);
}

bool plot_script_has_any(const struct report_data *data, const struct pairing_row *row)
{
    for (size_t kind = 0; kind < PLOT_KINDS; kind++)
        if (plot_script_has(data, row, (enum plot_kind)kind))
            return true;
    return false;
}

char *plot_script_output(const char *file, enum plot_kind kind, const struct plot_target *target)
{
    return kind == PLOT_THROUGHPUT ? memory_printf("%s.%s", file, target->extension)
                                   : memory_printf("%s+%s.%s", file, plot_kind_names[kind], target->extension);
}

static void append_number(struct buffer *out, const char *name, double value)
{
    char text[NUMBER_TEXT_SIZE];
    number_text(value, text);
    buffer_append_printf(out, "%s = %s\n", name, text);
}

/* gnuplot divides whole numbers as C does: an exponent or a point makes them real. */
static void append_target(const struct plot_target *target, struct buffer *out)
{
    buffer_append_printf(out, "set encoding utf8\nterminal = '%s'\n", target->terminal);
    buffer_append_printf(out, "term_columns = %u\nterm_lines = %u\ncolour = %d\n", target->columns, target->lines,
                         target->colour);
    buffer_append_printf(out, "plots = ");
    append_text(out, target->folder, strlen(target->folder));
    buffer_append(out, "\n", 1);
}

static void append_labels(const struct report_data *data, struct buffer *out)
{
    buffer_append_printf(out, "deployments = %zu\narray labels[deployments]\n", data->dataset.count);
    for (size_t d = 0; d < data->dataset.count; d++) {
        buffer_append_printf(out, "labels[%zu] = ", d + 1);
        append_text(out, data->dataset.items[d].label, LABEL_CHARACTERS);
        buffer_append(out, "\n", 1);
    }
}

static void append_rungs(const unsigned *threads, size_t count, unsigned room, struct buffer *out)
{
    unsigned *chosen = memory_zeroed(count + 1, sizeof *chosen);
    size_t kept = axis_choose_rungs(threads, count, room, chosen);
    buffer_append_printf(out, "rungs = '");
    for (size_t i = 0; i < kept; i++)
        buffer_append_printf(out, "%s%u", i ? " " : "", chosen[i]);
    buffer_append_printf(out, "'\nfirst_rung = %u.0\nlast_rung = %u.0\n", threads[0], threads[count - 1]);
    free(chosen);
}

static void append_point(struct buffer *out, unsigned threads, struct plot_point point)
{
    char texts[3][NUMBER_TEXT_SIZE];
    number_text(point.value, texts[0]);
    number_text(point.low, texts[1]);
    number_text(point.high, texts[2]);
    buffer_append_printf(out, "%u %s %s %s\n", threads, texts[0], texts[1], texts[2]);
}

/* A block a deployment, two blank lines between them; a rung without a number is a blank line, where a line breaks. */
static void append_blocks(const struct report_data *data, const struct pairing_row *row, enum plot_kind kind,
                          struct buffer *out)
{
    for (size_t d = 0; d < data->dataset.count; d++) {
        bool is_empty = true, was_gap = true;
        for (size_t i = 0; i < row->thread_count; i++) {
            struct plot_point point = plot_point_of(row, kind, d, row->threads[i]);
            bool is_gap = isnan(point.value);
            if (!is_gap)
                append_point(out, row->threads[i], point);
            else if (!was_gap)
                buffer_append(out, "\n", 1);
            was_gap = is_gap;
            is_empty = is_empty && is_gap;
        }
        /* An empty block would not count as one. */
        buffer_append_printf(out, "%s\n\n", is_empty ? "1 NaN NaN NaN\n" : "");
    }
}

static void append_data(const struct report_data *data, const struct pairing_row *row, enum plot_kind kind,
                        struct buffer *out)
{
    buffer_append_printf(out, "$%s << END_OF_DATA\n", plot_kind_names[kind]);
    append_blocks(data, row, kind, out);
    buffer_append_printf(out, "END_OF_DATA\n");
}

/* Names the numbers that latency plots show, those that the files have. */
static void append_latency_label(const struct report_data *data, const struct pairing_row *row, struct buffer *out)
{
    bool has_percentiles = false;
    for (size_t d = 0; d < data->dataset.count; d++)
        for (size_t i = 0; row->tests[d] && i < row->tests[d]->cell_count; i++) {
            const struct latency *latency = row->tests[d]->cells[i].latency;
            has_percentiles = has_percentiles || (latency && !isnan(latency->us[LATENCY_P50]));
        }
    buffer_append_printf(out, "latency_label = '%s'\n",
                         has_percentiles ? "latency, microseconds (median; bars: fastest to 99 %)"
                                         : "latency, microseconds (mean; bars: fastest to slowest)");
}

static void append_axis(struct plot_point all, struct buffer *out)
{
    struct axis axis = axis_make(all.high, 6);
    append_number(out, "y_top", axis.top);
    append_number(out, "y_step", axis.step);
    append_number(out, "lowest", all.low);
    append_number(out, "highest", all.high);
}

static void append_plot(const struct report_data *data, size_t position, enum plot_kind kind,
                        const struct plot_target *target, struct buffer *out)
{
    const struct pairing_row *row = &data->pairing.rows[position];
    append_data(data, row, kind, out);
    append_axis(plot_point_extremes(data, row, kind), out);
    if (kind == PLOT_LATENCY)
        append_latency_label(data, row, out);
    if (target->to_stdout) {
        buffer_append_printf(out, "output = ''\n");
    } else {
        char *output = plot_script_output(data->files[position], kind, target);
        buffer_append_printf(out, "output = '%s'\n", output);
        free(output);
    }
    buffer_append_printf(out, "load plots.'/%s.gp'\n", plot_kind_names[kind]);
}

void plot_script_write(const struct report_data *data, size_t position, const struct plot_target *target,
                       const bool kinds[PLOT_KINDS], struct buffer *out)
{
    const struct pairing_row *row = &data->pairing.rows[position];
    append_target(target, out);
    append_labels(data, out);
    buffer_append_printf(out, "heading = ");
    append_text(out, row->title, TITLE_CHARACTERS);
    buffer_append_printf(out, "\n");
    append_rungs(row->threads, row->thread_count, 18, out);
    for (size_t kind = 0; kind < PLOT_KINDS; kind++)
        if (kinds[kind] && plot_script_has(data, row, (enum plot_kind)kind))
            append_plot(data, position, (enum plot_kind)kind, target, out);
}

/* Of the tests that have anything to show: from `first` on at most PLOT_OVERVIEW_TESTS; returns how many. */
static size_t page_of(const struct report_data *data, size_t *first, const struct pairing_row *rows[])
{
    size_t count = 0;
    for (; *first < data->pairing.count && count < PLOT_OVERVIEW_TESTS; (*first)++) {
        const struct pairing_row *row = &data->pairing.rows[*first];
        if (plot_script_has(data, row, PLOT_THROUGHPUT))
            rows[count++] = row;
    }
    return count;
}

static void append_panels(const struct report_data *data, const struct pairing_row *const *rows, size_t count,
                          struct buffer *out)
{
    buffer_append_printf(out, "tests = %zu\narray headings[tests]\narray tops[tests]\narray steps[tests]\n", count);
    for (size_t i = 0; i < count; i++) {
        struct axis axis = axis_make(plot_point_extremes(data, rows[i], PLOT_THROUGHPUT).high, 4);
        char top[NUMBER_TEXT_SIZE], step[NUMBER_TEXT_SIZE];
        number_text(axis.top, top);
        number_text(axis.step, step);
        buffer_append_printf(out, "tops[%zu] = %s\nsteps[%zu] = %s\nheadings[%zu] = ", i + 1, top, i + 1, step, i + 1);
        append_text(out, rows[i]->title, PANEL_CHARACTERS);
        buffer_append(out, "\n", 1);
    }
    buffer_append_printf(out, "$overview << END_OF_DATA\n");
    for (size_t i = 0; i < count; i++)
        append_blocks(data, rows[i], PLOT_THROUGHPUT, out);
    buffer_append_printf(out, "END_OF_DATA\n");
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
    append_rungs(threads, kept, 8, out);
    free(threads);
}

size_t plot_script_overview_pages(const struct report_data *data)
{
    size_t tests = 0;
    for (size_t i = 0; i < data->pairing.count; i++)
        tests += plot_script_has(data, &data->pairing.rows[i], PLOT_THROUGHPUT);
    return (tests + PLOT_OVERVIEW_TESTS - 1) / PLOT_OVERVIEW_TESTS;
}

char *plot_script_overview_output(size_t page, const char *extension)
{
    return page == 1 ? memory_printf("overview.%s", extension) : memory_printf("overview+%zu.%s", page, extension);
}

void plot_script_write_overview(const struct report_data *data, const struct plot_target *target, const char *output,
                                size_t *first, struct buffer *out)
{
    const struct pairing_row *rows[PLOT_OVERVIEW_TESTS];
    size_t count = page_of(data, first, rows);
    append_target(target, out);
    append_labels(data, out);
    append_common_rungs(rows, count, out);
    append_panels(data, rows, count, out);
    buffer_append_printf(out, "output = '%s'\nload plots.'/overview.gp'\n", output);
}
