/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_LABELLINGS_H
#define BASE_LABELLINGS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Ways to hand out two labels to a_count + b_count things: what a permutation test asks. All of them where they are at
 * most `limit`, else `limit` random ones, always the same. The first is the one that was seen: the first a_count things
 * are a's. Released with labellings_release().
 */
struct labellings {
    size_t a_count, b_count, count, limit;
    bool is_all;
    bool *is_b; /* a row of a_count + b_count for each labelling */
};

/* Both counts at least 1, limit at least 1. */
void labellings_init(struct labellings *labellings, size_t a_count, size_t b_count, size_t limit);
void labellings_release(struct labellings *labellings);
const bool *labellings_row(const struct labellings *labellings, size_t number);

/* The smallest p that a two-sided permutation test over them can give: with equal counts what is seen has a mirror
 * image that is as far out. 1 with less than two things on a side: nobody knows how far these lie apart. */
double labellings_smallest_p(size_t a_count, size_t b_count, size_t limit);

#endif
