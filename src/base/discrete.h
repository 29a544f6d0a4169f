/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_DISCRETE_H
#define BASE_DISCRETE_H

#include <stddef.h>
#include <stdint.h>

/* The distribution of a random integer: p[i] is the probability of low + i. Released with discrete_release(). */
struct discrete {
    int64_t low;
    size_t count;
    double *p;
};

/* All probabilities 0, for low ... low + count - 1. */
void discrete_init(struct discrete *distribution, int64_t low, size_t count);
/* `value` with probability 1. */
void discrete_init_point(struct discrete *distribution, int64_t value);
/* That of value(X, parameter) for X of `from`. */
void discrete_init_mapped(struct discrete *distribution, const struct discrete *from,
                          int64_t (*value)(int64_t x, int64_t parameter), int64_t parameter);
void discrete_release(struct discrete *distribution);

/* Makes `sum` the distribution of the sum of two independent numbers, `sum`'s and `term`'s. */
void discrete_add(struct discrete *sum, const struct discrete *term);
/* The same of two numbers from 0 on (low is 0) where whatever is larger than `most` counts as `most`: all that an upper
 * tail asks for. */
void discrete_add_up_to(struct discrete *sum, const struct discrete *term, size_t most);

/* P(X >= x). */
double discrete_upper_tail(const struct discrete *distribution, int64_t x);
/* P(|X| >= |x|). */
double discrete_two_tails(const struct discrete *distribution, int64_t x);

#endif
