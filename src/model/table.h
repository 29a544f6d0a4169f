/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_TABLE_H
#define MODEL_TABLE_H

#include <stdio.h>

#include "model/result.h"

/* The table for people at the end of a run: tests down, rungs across, mean ops/s in human units, a mark behind cells
 * with failures, nothing matched, too few trials or no number, the marks explained below. */
void table_print(const struct result *result, FILE *out);

/* "9.73k", "154", "0.52": three significant digits, k and M; a dash for NAN. The same in every locale. */
#define TABLE_NUMBER_SIZE 16
void table_format_rate(double ops_per_sec, char text[TABLE_NUMBER_SIZE]);
/* "1 h 02 min", "3 min 20 s", "12 s". */
void table_format_duration(int64_t duration_ns, char *text, size_t size);
/* "29.0 MB" (powers of 1000). */
void table_format_bytes(uint64_t bytes, char *text, size_t size);

#endif
