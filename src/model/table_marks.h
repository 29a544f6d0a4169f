/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_TABLE_MARKS_H
#define MODEL_TABLE_MARKS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/cell.h"

/* What stands behind a number or in its place (table.h). Each use sets its bit in `used`, for the legend. */
#define TABLE_MARKS_SIZE 8

/* One sign a mark, "" if none. `planned` trials a cell, 0: unknown. */
void table_marks_behind(const struct cell *cell, size_t planned, char marks[TABLE_MARKS_SIZE], unsigned *used);
/* For a cell without a number, begun or not. */
const char *table_marks_instead(const struct cell *cell, unsigned *used);
/* The explanation of the i-th mark or word that is in `used`; false when there are no more. */
bool table_marks_legend(unsigned used, size_t i, const char **sign, const char **meaning);

/* (max - min) / mean over the counted trials; NAN with fewer than two. */
double table_marks_spread(const struct cell *cell);

#endif
