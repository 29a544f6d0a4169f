/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/plot_variables.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "parse/axis.h"
#include "parse/csv.h"
#include "parse/plot_caption.h"

#define LABEL_SHARE 0.6 /* of the page's width */
#define LABEL_PIXELS 440
#define CAPTION_PIXELS 6.2 /* of a character */

void plot_variables_number(const char *name, double value, struct buffer *out)
{
    char text[NUMBER_TEXT_SIZE];
    number_text(value, text);
    buffer_append_printf(out, "%s = %s\n", name, text);
}

void plot_variables_text(const char *name, const char *text, unsigned width, const struct plot_target *target,
                         struct buffer *out)
{
    buffer_append_printf(out, "%s = ", name);
    plot_text_append(out, text, width, &target->letters);
    buffer_append(out, "\n", 1);
}

void plot_variables_target(const struct plot_target *target, struct buffer *out)
{
    buffer_append_printf(out, "set encoding utf8\nterminal = '%s'\nplot_width = %u\nplot_height = %u\ncolour = %d\n",
                         target->terminal, target->width, target->height, target->colour);
    plot_variables_text("plots", target->folder, UINT_MAX, target, out);
}

void plot_variables_labels(const struct report_data *data, const struct plot_target *target, struct buffer *out)
{
    unsigned widest = 0, most = (unsigned)(target->width * LABEL_SHARE);
    if (!target->letters.is_dumb && most > LABEL_PIXELS)
        most = LABEL_PIXELS;
    buffer_append_printf(out, "deployments = %zu\narray labels[deployments]\n", data->dataset.count);
    for (size_t d = 0; d < data->dataset.count; d++) {
        const char *label = data->dataset.items[d].label;
        char name[32];
        unsigned width = plot_text_width(label, &target->letters);
        widest = width > widest ? width : widest;
        snprintf(name, sizeof name, "labels[%zu]", d + 1);
        plot_variables_text(name, label, most, target, out);
    }
    buffer_append_printf(out, "label_width = %u\n", widest < most ? widest : most);
}

void plot_variables_caption(const struct report_data *data, const struct pairing_row *const *rows, size_t row_count,
                            enum plot_kind kind, unsigned width, const struct plot_target *target, struct buffer *out)
{
    struct message_list sentences, lines;
    message_list_init(&sentences);
    message_list_init(&lines);
    plot_caption_make(data, rows, row_count, kind, &sentences);
    plot_caption_fold(&sentences, target->letters.is_dumb ? width - 2 : (size_t)(width / CAPTION_PIXELS), &lines);
    buffer_append_printf(out, "caption_lines = %zu\narray captions[%zu]\n", lines.count, lines.count);
    for (size_t i = 0; i < lines.count; i++) {
        char name[32];
        snprintf(name, sizeof name, "captions[%zu]", i + 1);
        plot_variables_text(name, lines.items[i], UINT_MAX, target, out);
    }
    message_list_release(&sentences);
    message_list_release(&lines);
}

/* gnuplot divides whole numbers as C does: a point makes the ends real. */
void plot_variables_rungs(const unsigned *threads, size_t count, unsigned room, struct buffer *out)
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

void plot_variables_blocks(const struct report_data *data, const struct pairing_row *row, enum plot_kind kind,
                           struct buffer *out)
{
    for (size_t d = 0; d < data->dataset.count; d++) {
        bool is_empty = true, was_gap = true;
        for (size_t i = 0; i < row->thread_count; i++) {
            struct plot_point point = plot_point_of(data, row, kind, d, row->threads[i]);
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
