/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_RUN_SHEET_H
#define BASE_RUN_SHEET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/labellings.h"
#include "base/shift.h"

/*
 * One value per run in each of many columns, and what a labelling of whole runs says of every column at once. Released
 * with run_sheet_release().
 */
struct run_sheet {
    size_t run_count, column_count;
    double *values; /* of run r in column c at [r * column_count + c]; 0 where it has none */
    double *has;    /* 1 or 0, in the same places */
    double *counts; /* the runs that have a column */
    double *sums, *squares;
    double floor;              /* what is added to each variance */
    double *b_sums, *b_counts; /* of the labelling at hand */
};

/* `values` as above, NAN where a run has none; copied. */
void run_sheet_init(struct run_sheet *sheet, const double *values, size_t run_count, size_t column_count);
void run_sheet_release(struct run_sheet *sheet);

/*
 * Student's t of every column, b against a, with a variance that cannot be small by chance alone: to it is added the
 * median over the columns of the variance of all runs, whatever their label. Tusher, Tibshirani and Chu, "Significance
 * analysis of microarrays applied to the ionizing radiation response", 2001, add such a constant; this one is the same
 * for all labellings, so that a permutation test stays exact. 0 where a side has no run, or both together less than
 * three.
 */
void run_sheet_statistics(struct run_sheet *sheet, const bool *is_b, double *t);

/*
 * By how much the mean of b's runs lies above that of a's in one column. The interval holds the shifts that the
 * permutation test of the difference of the means does not reject: its ends are found among the shifts at which another
 * labelling gives the same difference as the real one (Hartigan, "Using subsample values as typical values", 1969).
 * `labellings` are those of all runs; where some do not have the column, those of the others are made.
 */
void run_sheet_shift(const struct run_sheet *sheet, size_t column, const struct labellings *labellings,
                     double confidence, struct shift *shift);

#endif
