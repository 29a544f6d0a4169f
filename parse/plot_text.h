/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PLOT_TEXT_H
#define PARSE_PLOT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"
#include "parse/font_coverage.h"

/* Texts of plots: names and labels of any origin, and how much room they take. */

/* What texts are measured in: the pixels of a legend's letters, or the characters of a dumb terminal. */
struct plot_letters {
    bool is_dumb;
    const struct font_coverage *fonts; /* NULL: every character can be drawn; else others become '?' */
};

/* Appends a text as a string of gnuplot's, at most `width` wide: of a longer one the begin and the end, "..." between
 * them. It can do no more than be shown: it is in single quotes, where gnuplot interprets nothing, and made safe
 * (base/text.h). */
void plot_text_append(struct buffer *out, const char *text, unsigned width, const struct plot_letters *letters);

/* About how wide it is; never much less than it is. */
unsigned plot_text_width(const char *text, const struct plot_letters *letters);

/* Whether it has characters that are not ASCII. */
bool plot_text_is_foreign(const char *text);
/* Adds the characters that no font has to `missing` as "U+1F680", each once. */
void plot_text_list_missing(const char *text, const struct font_coverage *fonts, struct message_list *missing);

#endif
