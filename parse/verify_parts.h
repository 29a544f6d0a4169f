/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_VERIFY_PARTS_H
#define PARSE_VERIFY_PARTS_H

#include "parse/verify.h"

/* What verify_init() is made of. */
bool verify_find_columns(struct verify *verify, const char *columns, struct error *err);
/* By the headers, by what is printed behind the numbers, and by what follows from what; without values `a` stays -1.
 * False: there is no header row. */
bool verify_search_columns(struct verify *verify, struct error *err);
void verify_find_metrics(struct verify *verify);
void verify_percentages(struct verify *verify);
void verify_repeats(struct verify *verify);
void verify_totals(struct verify *verify);
void verify_little(struct verify *verify);

/* Chooses how the changes of the columns a, b and percent follow from the values: for each metric what most of its rows
 * follow. Looks at the first `rows` at most; returns how many follow; `*all` is how many have three numbers. */
size_t verify_choose_rules(struct verify *verify, size_t rows, size_t *all);

/* `off` and `is_points` as in struct finding. */
void verify_add(struct verify *verify, enum finding_kind kind, size_t row, double off, bool is_points,
                const char *format, ...) __attribute__((format(printf, 6, 7)));
/* `reason` is constant. */
void verify_leave_out(struct verify *verify, size_t row, int column, const char *reason);
/* Leaves out what a check could not read in a column that it uses; n times is as good as once. */
void verify_use_column(struct verify *verify, int column);

/* What is to be said of a cell that is no PRINTED_NUMBER and not PRINTED_NOTHING. Constant. */
const char *verify_unread_reason(enum printed_kind kind);
/* The number in a cell; NAN: none. */
double verify_value(const struct verify *verify, size_t row, size_t column);
/* Whether more than half of the column's cells that hold anything are numbers. */
bool verify_is_numeric(const struct verify *verify, size_t column);
/* A column of numbers that is called threads, clients, ... */
bool verify_is_threads(const struct verify *verify, size_t column);
/* A column that is called change, pct, speedup, ..., with or without numbers; where none with numbers is, one that has
 * % or x with most of them. */
bool verify_is_percentage(const struct verify *verify, size_t column);
/* The mean or sum that a row is of the rows above it. */
enum row_kind { ROW_PLAIN, ROW_TOTAL, ROW_AVERAGE };
enum row_kind verify_row_kind(const struct verify *verify, size_t row);
/* The first row of those that the total or average in `row` is of. */
size_t verify_group_start(const struct verify *verify, size_t row);
/* Whether less is better in a row, as far as its words say: latency, time. */
bool verify_is_time(const struct verify *verify, size_t row);

#endif
