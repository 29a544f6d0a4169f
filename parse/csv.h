/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_CSV_H
#define PARSE_CSV_H

#include "base/buffer.h"
#include "model/real.h"

/*
 * Cells of CSV after RFC 4180, with LF at the end of a line: csv_...() for each cell, at least one, then
 * csv_end_line().
 */

/* A text. What a spreadsheet would take for a formula gets an apostrophe before it. */
void csv_text(struct buffer *out, const char *text);
/* The same as it stands. NULL is an empty cell. */
void csv_raw_text(struct buffer *out, const char *text);
/* The fewest of 15 to 17 digits that read back as the same number, whole numbers without a point; NAN is an empty cell.
 */
void csv_number(struct buffer *out, double value);
void csv_end_line(struct buffer *out);

#define NUMBER_TEXT_SIZE REAL_SIZE
/* The digits of csv_number(), "" for NAN. The program must not have called setlocale(). */
void number_text(double value, char text[NUMBER_TEXT_SIZE]);

#endif
