/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_VERIFY_PARTS_H
#define PARSE_VERIFY_PARTS_H

#include "parse/verify.h"

/* What verify_init() is made of. */
bool verify_find_columns(struct verify *verify, const char *columns, struct error *err);
void verify_percentages(struct verify *verify);
void verify_repeats(struct verify *verify);
void verify_totals(struct verify *verify);
void verify_little(struct verify *verify);

void verify_add(struct verify *verify, enum finding_kind kind, size_t row, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Whether more than half of the column's cells are numbers. */
bool verify_is_numeric(const struct verify *verify, size_t column);
/* The mean or sum that a row is of the rows above it. */
enum row_kind { ROW_PLAIN, ROW_TOTAL, ROW_AVERAGE };
enum row_kind verify_row_kind(const struct verify *verify, size_t row);
/* Whether a text has one of the words (up to NULL), whatever its case, as a word of its own: everything but letters,
 * digits and % separates, "_" too. */
bool verify_has_word(const char *text, const char *const *words);
/* The first row of those that the total or average in `row` is of. */
size_t verify_group_start(const struct verify *verify, size_t row);

#endif
