/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Text as people see it. What a server says, a file holds or a person typed may hold anything; shown to people it is
 * one line that neither steers a terminal nor changes the order in which it is read:
 *
 *   - what breaks or jumps a line (tab, line feed, vertical tab, form feed, carriage return, U+0085, U+2028, U+2029)
 *     becomes a blank;
 *   - every other control character (C0, DEL, C1), every control of bidirectional text (U+061C, U+200E, U+200F, U+202A
 *     to U+202E, U+2066 to U+2069) and every byte that is not part of valid UTF-8 becomes "?".
 *
 * All text of others goes through here before it is printed for people.
 */

/* Writes at most `size` - 1 bytes of `text` (`length` bytes, may hold NUL) into `out`, made safe, cut between two
 * characters, with a NUL at the end. `out` may be `text`. `size` > 0. */
void text_copy_safe(char *out, size_t size, const char *text, size_t length);
/* The whole text, made safe; the caller frees. */
char *text_safe(const char *text);

/* Prints what printf() would, made safe, as a line of its own. */
void text_print_line(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for a text that may have several lines: each is made safe, and those after the first are indented, so that
 * none can pass for a message of its own. `before` is put before the first and printed as it is. */
void text_print_lines(FILE *out, const char *before, const char *text);

/* Reads one character of the `length` > 0 bytes of UTF-8 and returns how many of them it takes; 0: no valid one begins
 * there (RFC 3629: cut, longer than needed, a surrogate, over U+10FFFF). */
size_t text_read_character(const char *text, size_t length, uint32_t *character);

/* The "s" of a plural: "" for one, "s" else. */
const char *text_plural(uint64_t count);

/* Columns on a terminal, nearly: characters of UTF-8. */
size_t text_columns(const char *text);
/* How many bytes of the text at most `columns` of them take. */
size_t text_bytes(const char *text, size_t columns);
/* How many bytes of the text are its first line when it is folded at `columns` > 0: up to the last blank that fits,
 * which is not counted, else as much as fits, one character at least. The next line begins behind the blanks there. */
size_t text_fold(const char *text, size_t columns);

#endif
