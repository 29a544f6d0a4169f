/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_SAME_RUN_H
#define PARSE_SAME_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "parse/dataset.h"

/* Runs that count together: those of one side of a comparison, of one deployment of a report. */
struct same_run_group {
    const char *name; /* for messages */
    const struct deployment *const *runs;
    size_t count;
};

/*
 * How two files are known to hold the same run, as words for people; NULL: they do not. A run of benchrun is known by
 * its run_id, so that what it wrote before it was cut short is the same run as what it wrote at its end. A file without
 * one is known by its start and end and the same values, but for rounding, in every cell that both have; any two by
 * being one file, or by equal values, which copies have under whatever name. Zeros are no evidence,
 * and where run_id or start differ, values of five digits are none: two runs can both have 1000 ops/s.
 */
const char *same_run_find(const struct deployment *a, const struct deployment *b);

/* The same run twice in a group counts its evidence twice, which is an error; in two groups it is a warning, as these
 * are then equal by nature. Each message names both files. */
void same_run_check(const struct same_run_group *groups, size_t count, struct message_list *warnings,
                    struct message_list *errors);

#endif
