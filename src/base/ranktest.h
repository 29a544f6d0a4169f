/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_RANKTEST_H
#define BASE_RANKTEST_H

#include <stddef.h>

#include "base/ranks.h"

/*
 * Tests whether two samples come from one distribution, by ranks: nothing is supposed of its shape, no value is left
 * out. The exact ones count, given the ties, all ways to hand out the labels a and b within each stratum; p is the part
 * of them that lies at least as far from the expectation as what was seen. Too much to count: the normal approximation
 * with the variance corrected for ties.
 */
enum rank_method { RANK_EXACT, RANK_APPROXIMATE };

struct rank_result {
    double p;    /* in (0, 1]; 1 where all values are equal */
    double sign; /* +1: b tends to be larger, -1: smaller, 0: neither */
    enum rank_method method;
};

/* "exact", "normal approximation". */
const char *rank_method_name(enum rank_method method);

/*
 * Mann-Whitney (Wilcoxon's rank sum), two-sided: Mann and Whitney, "On a test of whether one of two random variables is
 * stochastically larger than the other", 1947. The approximation has the continuity correction.
 */
void ranktest_mann_whitney(const struct two_samples *samples, struct rank_result *result);

/*
 * Van Elteren's stratified test, two-sided: the sum over strata of the deviations of the rank sums, each weighted by
 * 1 / (N + 1): van Elteren, "On the combination of independent two sample tests of Wilcoxon", 1960. Exact by convolving
 * the strata's distributions. Not one stratum: p is 1.
 */
void ranktest_van_elteren(const struct two_samples *strata, size_t count, struct rank_result *result);

/*
 * Whether b is larger in some strata and smaller in others. p is the larger of two one-sided p, each against "in no
 * stratum": of the sum of squares of the positive deviations, and of the negative ones; as Gail and Simon, "Testing for
 * qualitative interactions between treatment effects and patient subsets", 1985, on ranks. Exact by convolution; else
 * their mixture of chi-square distributions, over squares of standardised deviations. `sign` is 0.
 *
 * In strata without any difference the two sums are negatively quadrant dependent (Lehmann, "Some concepts of
 * dependence", 1966), so that there P(p <= s) <= s^2: p * p is a p-value against "no difference in any stratum".
 */
void ranktest_crossover(const struct two_samples *strata, size_t count, struct rank_result *result);

/* The smallest p that van Elteren's test (one stratum: Mann-Whitney) can give for samples of these sizes:
 * 2 / product of (N choose b_count), at most 1. */
struct sample_sizes {
    size_t a_count, b_count;
};
double ranktest_smallest_p(const struct sample_sizes *strata, size_t count);

#endif
