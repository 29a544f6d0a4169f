/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_RANKS_H
#define BASE_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/discrete.h"

/* Two samples of one stratum (one rung, one block): finite numbers, at least one a side. The caller's. */
struct two_samples {
    const double *a, *b;
    size_t a_count, b_count;
};

/*
 * Where b stands among all values of a stratum, by midranks (equal values share the mean of their ranks). `deviation`
 * is twice the sum of b's ranks minus twice its expectation, which is a whole number:
 * 2 W - b_count (N + 1) = (pairs with b > a) - (pairs with b < a), from -a_count b_count to a_count b_count.
 * Positive: b tends to be larger.
 */
struct ranks {
    size_t a_count, b_count;
    int64_t deviation;
    double variance;  /* of `deviation` when labels are exchangeable, given the ties */
    int64_t *doubled; /* twice the midrank of each of the N values, sorted; released with ranks_release() */
};

void ranks_init(struct ranks *ranks, const struct two_samples *samples);
/* The same for two samples of these sizes without ties; the deviation is the largest possible one. */
void ranks_init_untied(struct ranks *ranks, size_t a_count, size_t b_count);
void ranks_release(struct ranks *ranks);

/* Whether ranks_distribution() can be had: its steps are bounded and every count is a whole number in a double. */
bool ranks_is_exact(const struct ranks *ranks);
/* The exact distribution of `deviation` over all ways to hand out the labels, given the ties. */
void ranks_distribution(const struct ranks *ranks, struct discrete *distribution);
/* Whether the sum over strata can be counted exactly in bounded time; `reaches` holds how many whole numbers the
 * summand of each stratum spans. */
bool ranks_sum_is_exact(const struct ranks *strata, size_t count, const double *reaches);

#endif
