/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PLOT_NOTES_H
#define PARSE_PLOT_NOTES_H

#include "base/error.h"
#include "parse/font_coverage.h"
#include "parse/report_data.h"

/* What the plots of a report cannot show as it is: characters that no font has, and more lines than can be told apart.
 */

/* Whether names and labels hold characters that a font may lack. */
bool plot_notes_need_fonts(const struct report_data *data);
/* `fonts` NULL: every character can be drawn. */
void plot_notes_add(const struct report_data *data, const struct font_coverage *fonts, struct message_list *notes);

#endif
