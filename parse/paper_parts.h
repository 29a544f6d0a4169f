/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PAPER_PARTS_H
#define PARSE_PAPER_PARTS_H

#include "parse/paper.h"

/* What paper.c has for paper_table.c. */

void paper_put_text(const struct paper *paper, const char *text);
void paper_put_in_tone(const struct paper *paper, enum paper_tone tone, const char *text);
void paper_put_spaces(const struct paper *paper, size_t count);
/* The first line of a text, in bytes; all of it where lines are not folded. The next one begins behind the blanks. */
size_t paper_first_line(const struct paper *paper, const char *text, size_t columns);
const char *paper_skip_blanks(const char *text);
/* A text in lines of its own, of which the first begins behind `taken` columns, those after it behind `indent`. */
void paper_put_lines(const struct paper *paper, size_t taken, size_t indent, enum paper_tone tone, const char *text);

#endif
