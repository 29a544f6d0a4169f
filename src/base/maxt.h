/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_MAXT_H
#define BASE_MAXT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Many hypotheses tested at once by the same permutations: Westfall and Young, "Resampling-based multiple testing",
 * 1993, step-down maxT (their algorithm 4.1). A hypothesis's adjusted p is the part of the labellings in which the
 * largest statistic of it and of all that were seen to be smaller is at least its own. At most alpha of tables without
 * a difference hold an adjusted p of alpha or less, however the statistics depend on one another, since each labelling
 * is of all of them together.
 *
 * Statistics are one-sided: large is far out. Fed with those of every labelling, what was seen among them.
 */
struct maxt {
    size_t count;
    size_t labellings; /* taken so far */
    double *seen;
    size_t *order;    /* of the hypotheses, the smallest seen first */
    size_t *exceeded; /* in how many labellings the largest up to this one in that order was as large */
    size_t *alone;    /* in how many its own was */
};

/* `seen` is copied. Released with maxt_release(). */
void maxt_init(struct maxt *maxt, const double *seen, size_t count);
void maxt_release(struct maxt *maxt);
void maxt_take(struct maxt *maxt, const double *statistics);
/* The p of each hypothesis by itself, and adjusted for all; either may be NULL. */
void maxt_results(const struct maxt *maxt, double *p, double *adjusted);

/* Whether a statistic is as large as what was seen, but for rounding: mirrored labellings give the same. */
bool maxt_reaches(double statistic, double seen);

#endif
