/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_SHIFT_H
#define BASE_SHIFT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/ranks.h"

/*
 * By how much b lies above a, as one shift in all strata: Hodges and Lehmann, "Estimates of location based on rank
 * tests", 1963. The estimate is the shift that leaves van Elteren's statistic (of one stratum: Mann-Whitney's) at its
 * expectation, a weighted median of all differences b - a within strata; the interval holds the shifts that the
 * two-sided test does not reject. Of logarithms it is the logarithm of a ratio.
 */
struct shift {
    double estimate;
    double low, high;
    double confidence; /* what the interval has: at least what was asked for, unless is_widest */
    bool is_widest;    /* so few values that even from the smallest to the largest difference it has less */
    bool is_exact;     /* from the exact distribution, not the normal approximation */
};

/* `confidence` in (0, 1), such as 0.95. Without a stratum everything is NAN. Ties count half. */
void shift_estimate(const struct two_samples *strata, size_t count, double confidence, struct shift *shift);

#endif
