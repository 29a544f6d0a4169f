/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PRINTED_SPELLING_H
#define PARSE_PRINTED_SPELLING_H

#include <stdbool.h>

/* How typographers and Markdown write numbers, reduced to what a parser has to know. */

#define PRINTED_TEXT_SIZE 96
/* Stands for the sign of plus and minus. */
#define PRINTED_PLUS_MINUS '\x01'

/* UTF-8 to ASCII: blanks, dashes, the times sign, micro, apostrophes; marks of footnotes become * and superscripts ^;
 * anything else that is not ASCII becomes a character that no number has. False: too long for a number. */
bool printed_spell_out(const char *text, char plain[PRINTED_TEXT_SIZE]);
/* Cuts off blanks, marks of footnotes ("*", "[1]"), Markdown's emphasis, and a comment without digits ("(noise)") at
 * the end. Returns where the rest begins, within `text`. */
char *printed_strip(char *text);

#endif
