/* SPDX-License-Identifier: Apache-2.0 */
#include "base/ranktest.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/stratified.h"

const char *rank_method_name(enum rank_method method)
{
    return method == RANK_EXACT ? "exact" : "normal approximation";
}

static double sign_of(int64_t deviation)
{
    return (double)((deviation > 0) - (deviation < 0));
}

/* The statistic goes in steps of 2 where there are no ties, so that half a step is 1. */
static double corrected_normal(const struct ranks *ranks)
{
    double distance = fabs((double)ranks->deviation) - 1;
    if (ranks->variance == 0 || distance <= 0)
        return 1;
    return erfc(distance / sqrt(2 * ranks->variance));
}

void ranktest_mann_whitney(const struct two_samples *samples, struct rank_result *result)
{
    struct ranks ranks;
    ranks_init(&ranks, samples);
    *result = (struct rank_result){.sign = sign_of(ranks.deviation)};
    if (ranks_is_exact(&ranks)) {
        struct discrete null;
        ranks_distribution(&ranks, &null);
        result->p = discrete_two_tails(&null, ranks.deviation);
        discrete_release(&null);
    } else {
        result->method = RANK_APPROXIMATE;
        result->p = corrected_normal(&ranks);
    }
    ranks_release(&ranks);
}

static struct ranks *rank_strata(const struct two_samples *strata, size_t count)
{
    struct ranks *ranks = memory_zeroed(count + 1, sizeof *ranks);
    for (size_t i = 0; i < count; i++)
        ranks_init(&ranks[i], &strata[i]);
    return ranks;
}

static void release_strata(struct ranks *ranks, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ranks_release(&ranks[i]);
    free(ranks);
}

void ranktest_van_elteren(const struct two_samples *strata, size_t count, struct rank_result *result)
{
    struct ranks *ranks = rank_strata(strata, count);
    struct stratified stratified;
    stratified_init(&stratified, ranks, count);
    *result = (struct rank_result){.p = stratified_two_sided(&stratified, stratified.statistic),
                                   .sign = sign_of(stratified.statistic),
                                   .method = stratified.is_exact ? RANK_EXACT : RANK_APPROXIMATE};
    stratified_release(&stratified);
    release_strata(ranks, count);
}

static int64_t square_if_positive(int64_t x, int64_t sign)
{
    return x * sign > 0 ? x * x : 0;
}

static int64_t crossover_statistic(const struct ranks *strata, size_t count, int64_t sign)
{
    int64_t statistic = 0;
    for (size_t i = 0; i < count; i++)
        statistic += square_if_positive(strata[i].deviation, sign);
    return statistic;
}

static double crossover_exact(const struct ranks *strata, size_t count, int64_t sign)
{
    int64_t statistic = crossover_statistic(strata, count, sign);
    struct discrete null;
    discrete_init_point(&null, 0);
    for (size_t i = 0; i < count; i++) {
        struct discrete deviation, square;
        ranks_distribution(&strata[i], &deviation);
        discrete_init_mapped(&square, &deviation, square_if_positive, sign);
        discrete_add_up_to(&null, &square, (size_t)statistic);
        discrete_release(&deviation);
        discrete_release(&square);
    }
    double p = discrete_upper_tail(&null, statistic);
    discrete_release(&null);
    return p;
}

/* P(chi-square with `degrees` > x), by the recursion Q(k + 2) = Q(k) + (x/2)^(k/2) e^(-x/2) / Gamma(k/2 + 1):
 * Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.4.8. */
static double chi_square_tail(double x, size_t degrees)
{
    size_t k = degrees % 2 ? 1 : 2;
    double tail = k == 1 ? erfc(sqrt(x / 2)) : exp(-x / 2);
    for (; k < degrees && x > 0; k += 2)
        tail += exp((double)k / 2 * log(x / 2) - x / 2 - lgamma((double)k / 2 + 1));
    return x > 0 ? tail : 1;
}

/* Each of n signs is positive with probability 1/2: the tail is sum over h of (n choose h) 2^-n P(chi-square h >= x).
 */
static double crossover_mixture(const struct ranks *strata, size_t count, double sign)
{
    double statistic = 0, p = 0, n = 0;
    for (size_t i = 0; i < count; i++) {
        if (strata[i].variance == 0)
            continue;
        n++;
        if ((double)strata[i].deviation * sign > 0)
            statistic += (double)(strata[i].deviation * strata[i].deviation) / strata[i].variance;
    }
    if (statistic == 0)
        return 1;
    for (size_t h = 1; h <= (size_t)n; h++) {
        double signs = exp(lgamma(n + 1) - lgamma((double)h + 1) - lgamma(n - (double)h + 1) - n * log(2));
        p += signs * chi_square_tail(statistic, h);
    }
    return p;
}

/* The larger p of the two sides. With as many values in both samples the sides have one distribution, so that it is
 * that of the smaller statistic. */
static double crossover_larger_p(const struct ranks *strata, size_t count)
{
    bool is_symmetric = true;
    for (size_t i = 0; i < count; i++)
        is_symmetric = is_symmetric && strata[i].a_count == strata[i].b_count;
    if (!is_symmetric)
        return fmax(crossover_exact(strata, count, 1), crossover_exact(strata, count, -1));
    bool up_is_less = crossover_statistic(strata, count, 1) < crossover_statistic(strata, count, -1);
    return crossover_exact(strata, count, up_is_less ? 1 : -1);
}

static bool crossover_is_exact(const struct ranks *strata, size_t count)
{
    double *reaches = memory_zeroed(count + 1, sizeof *reaches);
    for (size_t i = 0; i < count; i++) {
        double most = (double)(strata[i].a_count * strata[i].b_count);
        reaches[i] = most * most;
    }
    bool is_exact = ranks_sum_is_exact(strata, count, reaches);
    free(reaches);
    return is_exact;
}

void ranktest_crossover(const struct two_samples *strata, size_t count, struct rank_result *result)
{
    struct ranks *ranks = rank_strata(strata, count);
    bool is_exact = crossover_is_exact(ranks, count), has_larger = false, has_smaller = false;
    for (size_t i = 0; i < count; i++) {
        has_larger = has_larger || ranks[i].deviation > 0;
        has_smaller = has_smaller || ranks[i].deviation < 0;
    }
    *result = (struct rank_result){.p = 1, .method = is_exact ? RANK_EXACT : RANK_APPROXIMATE};
    if (has_larger && has_smaller) {
        result->p = is_exact ? crossover_larger_p(ranks, count)
                             : fmax(crossover_mixture(ranks, count, 1), crossover_mixture(ranks, count, -1));
    }
    release_strata(ranks, count);
}

double ranktest_smallest_p(const struct sample_sizes *strata, size_t count)
{
    double logarithm = log(2);
    for (size_t i = 0; i < count; i++) {
        double a = (double)strata[i].a_count, b = (double)strata[i].b_count;
        logarithm -= lgamma(a + b + 1) - lgamma(a + 1) - lgamma(b + 1);
    }
    return fmin(1, exp(logarithm));
}
