/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/plot_script.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "parse/axis.h"

#define TITLE_MARGIN 60 /* beside it, in pixels */
#define TITLE_MARGIN_COLUMNS 6
#define RUNG_PIXELS 50 /* of a rung's number at the axis */
#define RUNG_COLUMNS 6

bool plot_script_has(const struct report_data *data, const struct pairing_row *row, enum plot_kind kind)
{
    if (kind == PLOT_SCALING && row->thread_count < 2)
        return false;
    return !isnan(plot_point_extremes(data, row, kind).value);
}

size_t plot_script_count(const struct report_data *data, const struct pairing_row *row)
{
    size_t count = 0;
    for (size_t kind = 0; kind < PLOT_KINDS; kind++)
        count += plot_script_has(data, row, (enum plot_kind)kind);
    return count;
}

char *plot_script_output(const char *file, enum plot_kind kind, const struct plot_target *target)
{
    return kind == PLOT_THROUGHPUT ? memory_printf("%s.%s", file, target->extension)
                                   : memory_printf("%s+%s.%s", file, plot_kind_names[kind], target->extension);
}

static void append_axis(struct plot_point all, struct buffer *out)
{
    struct axis axis = axis_make(all.high, 6);
    plot_variables_number("y_top", axis.top, out);
    plot_variables_number("y_step", axis.step, out);
    plot_variables_number("lowest", all.low, out);
    plot_variables_number("highest", all.high, out);
}

static void append_plot(const struct report_data *data, size_t position, enum plot_kind kind,
                        const struct plot_target *target, struct buffer *out)
{
    const struct pairing_row *row = &data->pairing.rows[position];
    char *output = target->to_stdout ? NULL : plot_script_output(data->files[position], kind, target);
    plot_variables_caption(data, &row, 1, kind, target->width, target, out);
    buffer_append_printf(out, "$%s << END_OF_DATA\n", plot_kind_names[kind]);
    plot_variables_blocks(data, row, kind, out);
    buffer_append_printf(out, "END_OF_DATA\n");
    append_axis(plot_point_extremes(data, row, kind), out);
    buffer_append_printf(out, "output = '%s'\nload plots.'/%s.gp'\n", output ? output : "", plot_kind_names[kind]);
    free(output);
}

void plot_script_write(const struct report_data *data, size_t position, const struct plot_target *target,
                       const bool kinds[PLOT_KINDS], struct buffer *out)
{
    const struct pairing_row *row = &data->pairing.rows[position];
    bool is_dumb = target->letters.is_dumb;
    unsigned room = target->width / (is_dumb ? RUNG_COLUMNS : RUNG_PIXELS);
    unsigned margin = is_dumb ? TITLE_MARGIN_COLUMNS : TITLE_MARGIN;
    plot_variables_target(target, out);
    plot_variables_labels(data, target, out);
    plot_variables_text("heading", row->title, target->width > margin ? target->width - margin : 0, target, out);
    plot_variables_rungs(row->threads, row->thread_count, room, out);
    for (size_t kind = 0; kind < PLOT_KINDS; kind++)
        if (kinds[kind] && plot_script_has(data, row, (enum plot_kind)kind))
            append_plot(data, position, (enum plot_kind)kind, target, out);
}
