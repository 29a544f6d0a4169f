/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PRINTED_H
#define PARSE_PRINTED_H

#include <stdbool.h>
#include <stddef.h>

#include "parse/csv_table.h"

/* Numbers as somebody printed them: what was rounded away is not known, so that each stands for a range. */
struct printed_column {
    double *values; /* one a row; NAN: no number */
    size_t count;   /* of numbers */
    int decimals;   /* of the column; below 0: all end in zeros */
};

/* What lies between two bounds. */
struct range {
    double low, high;
};

/* "1,234.50", "-12.5 %", "+3", also with the minus sign U+2212. False when it is anything else. */
bool printed_read(const char *text, double *value, int *decimals);
/* The precision is that of the number with most decimals; when all numbers (three at least) end in 0, that is a zero
 * that a format added: one digit less, as often as that holds. Released with printed_column_release(). */
void printed_column_read(struct printed_column *column, const struct csv_table *table, size_t index);
void printed_column_release(struct printed_column *column);
/* Half a unit of the last printed digit. */
double printed_half_unit(const struct printed_column *column);
/* Where the unrounded value lies. */
struct range printed_range(const struct printed_column *column, size_t row);

#endif
