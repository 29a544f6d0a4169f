/* SPDX-License-Identifier: Apache-2.0 */
#include "base/strata_fit.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/stats.h"
#include "base/student.h"

static double sum_of_squares(const double *values, size_t count)
{
    double deviation = stats_stdev(values, count);
    return deviation * deviation * (double)count;
}

void stratum_init(struct stratum *stratum, const struct two_samples *samples)
{
    double a = (double)samples->a_count, b = (double)samples->b_count;
    stratum->difference = stats_mean(samples->b, samples->b_count) - stats_mean(samples->a, samples->a_count);
    stratum->degrees = a + b - 2;
    stratum->variance = (sum_of_squares(samples->a, samples->a_count) + sum_of_squares(samples->b, samples->b_count)) /
                        stratum->degrees;
    stratum->factor = 1 / a + 1 / b;
}

static double pooled_variance(const struct stratum *strata, size_t count)
{
    double sum = 0, degrees = 0;
    for (size_t i = 0; i < count; i++) {
        sum += strata[i].variance * strata[i].degrees;
        degrees += strata[i].degrees;
    }
    return sum / degrees;
}

/* The weight of a difference: one through its variance. */
static double weight_of(const struct stratum *stratum, double pooled, const struct variance_prior *prior)
{
    double moderated = variance_prior_moderate(prior, stratum->variance, stratum->degrees);
    double variance = fmax(fmax(moderated, stratum->variance), pooled);
    return 1 / (variance * stratum->factor);
}

double strata_fit_p(const struct stratum *strata, size_t count, const struct variance_prior *prior)
{
    if (count < 2)
        return 1;
    double *weights = memory_zeroed(count, sizeof *weights), weight = 0, sum = 0, p = 1;
    double pooled = pooled_variance(strata, count);
    for (size_t i = 0; i < count; i++) {
        weights[i] = weight_of(&strata[i], pooled, prior);
        weight += weights[i];
        sum += weights[i] * strata[i].difference;
    }
    for (size_t i = 0; i < count; i++) {
        double rest = weight - weights[i], others = (sum - weights[i] * strata[i].difference) / rest;
        double t = (strata[i].difference - others) / sqrt(1 / weights[i] + 1 / rest);
        p = fmin(p, student_two_tails(t, variance_prior_degrees(prior, strata[i].degrees)));
    }
    free(weights);
    return fmin(1, (double)count * p);
}
