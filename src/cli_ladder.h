/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_LADDER_H
#define CLI_LADDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "model/run_options.h"

#define CLI_LADDER_RUNG_MAX 1000000

/*
 * The words of -t as a ladder (*threads is the caller's to free). "..." between two numbers stands for the doublings of
 * the first on the way to the second, which must be one of them; a number that stands before the first must be its
 * half.
 */
bool cli_ladder_expand(const struct filter_group *words, unsigned **threads, size_t *count, struct error *err);
/* mongo-perf's: 1 2 4 8 12 16. */
void cli_ladder_default(unsigned **threads, size_t *count);

#endif
