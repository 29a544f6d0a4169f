/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_TABLE_H
#define MODEL_TABLE_H

#include <stdio.h>

#include "model/result.h"

/*
 * The table for people at the end of a run: tests down, rungs across, mean ops/s in human units. Behind a number stand
 * marks (operations failed, updates matched nothing, trials missing, trials far apart), in place of one a word (void,
 * unprep, unsup) or a dash; below follow the marks that were used, how far trials lie apart and what went wrong.
 * Tests that have not begun are left out. Lines hold at most `width` columns where names allow it: rungs that find no
 * place go into a further block. 0: no limit. The same bytes in every locale; ASCII, but for names and messages.
 */
void table_print(const struct result *result, unsigned width, FILE *out);

/* "9.73k", "154", "0.52": three significant digits, k, M and G; a dash for NAN. */
#define TABLE_NUMBER_SIZE 16
void table_format_rate(double ops_per_sec, char text[TABLE_NUMBER_SIZE]);
/* "1 h 02 min", "3 min 20 s", "12 s", "0.2 s"; rounded to what is shown. */
void table_format_duration(int64_t duration_ns, char *text, size_t size);
/* "29.0 MB" (powers of 1000), "512 B". */
void table_format_bytes(uint64_t bytes, char *text, size_t size);

#endif
