/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PRINTED_H
#define PARSE_PRINTED_H

#include <stdbool.h>
#include <stddef.h>

#include "parse/csv_table.h"
#include "parse/printed_number.h"

/* A column of numbers as somebody printed them. */
struct printed_column {
    struct printed_number *cells; /* one a row */
    size_t count;                 /* of numbers */
    size_t filled;                /* of cells that are not PRINTED_NOTHING */
    const char *unit;             /* of most numbers; within `cells` */
    size_t padded_count;          /* of numbers with as many decimals as others whose last zeros do not count */
    size_t finer_count;           /* of those among them that have other digits there */
    size_t finer_row;             /* the first of these */
};

/* What lies between two bounds. */
struct range {
    double low, high;
};

/* What decimal points and commas mean in a table: what most cells say in which they can mean only one thing. Where none
 * does, a point is a decimal point; in a table with semicolons, which many write because of their decimal commas, it is
 * not known. */
enum decimal_mark printed_decimal_mark(const struct csv_table *table);
/* Each number is as precise as its last digit, but for zeros at the end that a format added or rounding left; see
 * printed_rounding.h. Released with printed_column_release(). */
void printed_column_read(struct printed_column *column, const struct csv_table *table, size_t index,
                         enum decimal_mark mark);
void printed_column_release(struct printed_column *column);
/* Where the unrounded value lies. */
struct range printed_range(const struct printed_column *column, size_t row);
/* The smallest and the largest unit of the last digit of all numbers, e.g. 0.01 and 1. 0: there is no number. */
struct range printed_precision(const struct printed_column *column, size_t row_count);
/* Whether two columns can hold the same quantity. */
bool printed_is_comparable(const struct printed_column *a, const struct printed_column *b);

#endif
