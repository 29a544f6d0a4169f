/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_DIFFERENCES_H
#define BASE_DIFFERENCES_H

#include <stddef.h>
#include <stdint.h>

#include "base/ranks.h"

/*
 * All differences b - a within strata, each with the weight of its stratum, without a list of them: the values are kept
 * sorted, and how many differences lie below a number is counted in one pass over both samples, since with a growing a
 * the place in b only moves up. Released with differences_release().
 */
struct differences {
    struct two_samples *strata; /* sorted copies */
    int64_t *weights;
    size_t count;
    double *values; /* of all strata */
};

/* At least one stratum; weights above 0. */
void differences_init(struct differences *differences, const struct two_samples *strata, const int64_t *weights,
                      size_t count);
void differences_release(struct differences *differences);
/* The smallest difference at which the weight of all that are not larger exceeds `weight`; without such the largest. */
double differences_select(const struct differences *differences, int64_t weight);

#endif
