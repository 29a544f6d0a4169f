/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PRINTED_ROUNDING_H
#define PARSE_PRINTED_ROUNDING_H

#include "parse/printed.h"

/*
 * Finds the zeros at the end that are no measured digits, and widens `half` of the numbers that have them. One number
 * decides nothing; a number with other digits keeps its own precision and is counted as finer.
 *
 * Padding: nearly all numbers with as many decimals as this one end in 0 (12.50, 8.10, 9.40: one decimal), from three
 * numbers on. Left of the decimal mark from ten on, and only where two digits and more are left.
 * Significant digits: nearly all longer numbers have only zeros after the third digit (12300 beside 4560 and 101000),
 * or the fourth, ..., from six on.
 * Round numbers that look chosen, such as 1000, 2000, 3000, are not rounded.
 */
void printed_rounding_apply(struct printed_column *column, size_t row_count);

#endif
