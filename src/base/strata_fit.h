/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_STRATA_FIT_H
#define BASE_STRATA_FIT_H

#include <stddef.h>

#include "base/ranks.h"
#include "base/variance_prior.h"

/*
 * Whether one shift fits all strata: by how much the difference of the means of a stratum lies off those of the others
 * together. Three values a side say little of their own variance, so it is moderated by those of the whole table
 * (base/variance_prior.h), and t gets the degrees of freedom of both. Two precautions, since noise is no normal
 * distribution: a stratum's variance is never taken for smaller than it is itself, which is what an outlier makes of
 * it, nor than the mean of its group, which two pairs of values that are equal by chance would undercut.
 *
 * p is that of the stratum furthest off, times their number (Bonferroni). In simulated tables of one shift with normal,
 * Student, Cauchy and two-valued noise, with slow tails, and with noise that grows tenfold along the strata, some p is
 * below 0.05 after Holm's correction in at most 4 % of the tables.
 */
struct stratum {
    double difference; /* of the means, b - a */
    double variance;   /* of one value, within both samples */
    double degrees;    /* of freedom of that */
    double factor;     /* of the variance of the difference: 1 / a_count + 1 / b_count */
};

/* Samples with two values a side or more. */
void stratum_init(struct stratum *stratum, const struct two_samples *samples);
/* In [0, 1]; less than two strata always fit: 1. */
double strata_fit_p(const struct stratum *strata, size_t count, const struct variance_prior *prior);

#endif
