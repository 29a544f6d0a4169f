/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/plot_notes.h"

#include <stdbool.h>

#include "base/buffer.h"
#include "parse/plot_text.h"

#define DIFFERENT_LINES 24 /* as in plots/common.gp */
#define NAMES_SHOWN 5

bool plot_notes_need_fonts(const struct report_data *data)
{
    bool found = false;
    for (size_t d = 0; d < data->dataset.count && !found; d++)
        found = plot_text_is_foreign(data->dataset.items[d].label);
    for (size_t i = 0; i < data->pairing.count && !found; i++)
        found = plot_text_is_foreign(data->pairing.rows[i].title);
    return found;
}

static void note_missing_characters(const struct report_data *data, const struct font_coverage *fonts,
                                    struct message_list *notes)
{
    struct message_list missing;
    struct buffer text = {0};
    message_list_init(&missing);
    for (size_t d = 0; d < data->dataset.count; d++)
        plot_text_list_missing(data->dataset.items[d].label, fonts, &missing);
    for (size_t i = 0; i < data->pairing.count; i++)
        plot_text_list_missing(data->pairing.rows[i].title, fonts, &missing);
    for (size_t i = 0; i < missing.count && i < NAMES_SHOWN; i++)
        buffer_append_printf(&text, "%s%s", i ? ", " : "", missing.items[i]);
    if (missing.count > 0)
        message_list_add(notes,
                         "no font of this machine has %s%s: drawn as \"?\"; --terminal svg leaves them as they are",
                         buffer_text(&text), missing.count > NAMES_SHOWN ? " and others" : "");
    buffer_release(&text);
    message_list_release(&missing);
}

static void note_equal_lines(size_t deployments, struct message_list *notes)
{
    if (deployments > DIFFERENT_LINES)
        message_list_add(notes,
                         "%zu deployments, and only %d lines that can be told apart: from the %dth on plots show "
                         "them again; make a report of fewer",
                         deployments, DIFFERENT_LINES, DIFFERENT_LINES + 1);
}

void plot_notes_add(const struct report_data *data, const struct font_coverage *fonts, struct message_list *notes)
{
    if (fonts)
        note_missing_characters(data, fonts, notes);
    note_equal_lines(data->dataset.count, notes);
}
