/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_RUNTEST_H
#define BASE_RUNTEST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/shift.h"

/*
 * Two deployments, each measured in several runs: what all trials of a run share counts as one piece of evidence.
 * Labels are permuted for whole runs and for the whole table together, so that a run may be lucky in all cells, in
 * some, or in each by another amount: under "no difference" every way to hand out the labels is as likely, and a test
 * over them is exact (base/labellings.h; base/maxt.h corrects for the many hypotheses).
 *
 * A table of logarithms, one value per run and cell; the cells of a group (a test case) belong together.
 */
struct run_table {
    size_t a_count, b_count; /* runs; a's come first */
    size_t group_count;
    const size_t *first;  /* group g has the cells from first[g] on, before first[g + 1] */
    const double *values; /* of run r and cell c at [r * first[group_count] + c]; NAN: the run does not have it */
};

struct run_result {
    double p, p_adjusted; /* of "no difference" */
    double sign;          /* of the difference seen: +1: b is larger, -1: smaller, 0 */
    struct shift shift;   /* b - a */
};

struct run_group {
    struct run_result level; /* of the mean over the cells of the group */
    /* Whether b is larger in some cells and smaller in others: the larger p of the two one-sided ones, each of the cell
     * furthest to that side; adjusted it is a p against "no difference in any cell" and in one family with the levels.
     */
    double crossing_p, crossing_p_adjusted;
    /* Of "one shift fits all cells". What a run shifts alike in all cells of the group has no part in it. */
    double fit_p, fit_p_adjusted;
};

/* So many labellings are asked at most. */
size_t runtest_labellings(double alpha);
/* Fills `groups` and `cells`, one for each. Intervals have the confidence 1 - alpha, or say what they have. */
void runtest_make(const struct run_table *table, double alpha, struct run_group *groups, struct run_result *cells);

#endif
