/* SPDX-License-Identifier: Apache-2.0 */
#include "base/variance_prior.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/stats.h"

/* Equal values have variance 0, which has no logarithm; less than this part of the median is taken for this part. */
#define LEAST_PART 1e-5
/* Values are logarithms: below this variance they differ by rounding. */
#define LEAST_VARIANCE 1e-18

/* Abramowitz and Stegun, "Handbook of Mathematical Functions", 6.3.18, after raising x by 6.3.5. */
static double digamma(double x)
{
    double below = 0;
    while (x < 10) {
        below += 1 / x;
        x++;
    }
    double square = 1 / (x * x);
    return log(x) - 1 / (2 * x) - square * (1. / 12 - square * (1. / 120 - square * (1. / 252 - square / 240))) - below;
}

/* The same, 6.4.12 and 6.4.6. */
static double trigamma(double x)
{
    double below = 0;
    while (x < 10) {
        below += 1 / (x * x);
        x++;
    }
    double square = 1 / (x * x);
    return below + 1 / x + square / 2 + square / x * (1. / 6 - square * (1. / 30 - square * (1. / 42 - square / 30)));
}

/* The x > 0 with trigamma(x) = value, by halving: trigamma() only falls. Between 1 / x and 1 / x + 1 / x^2. */
static double inverse_trigamma(double value)
{
    double low = 1 / value, high = 1 / value + 1 / sqrt(value);
    for (unsigned i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        if (trigamma(middle) > value)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The logarithm of a variance less its expectation for a true variance of 1. */
static double centred_log(double variance, double degrees, double least)
{
    return log(fmax(variance, least)) - digamma(degrees / 2) + log(degrees / 2);
}

void variance_prior_fit(const double *variances, const double *degrees, size_t count, struct variance_prior *prior)
{
    double *logs = memory_zeroed(count, sizeof *logs), expected = 0, spread = 0, all_degrees = 0;
    double least = fmax(LEAST_PART * stats_median(variances, count), LEAST_VARIANCE);
    for (size_t i = 0; i < count; i++) {
        logs[i] = centred_log(variances[i], degrees[i], least);
        expected += trigamma(degrees[i] / 2) / (double)count;
        all_degrees += degrees[i];
    }
    double mean = stats_mean(logs, count);
    for (size_t i = 0; i < count; i++)
        spread += (logs[i] - mean) * (logs[i] - mean) / (double)(count > 1 ? count - 1 : 1);
    free(logs);
    *prior = (struct variance_prior){exp(mean), INFINITY, all_degrees};
    if (spread <= expected)
        return;
    prior->degrees = 2 * inverse_trigamma(spread - expected);
    prior->variance = exp(mean + digamma(prior->degrees / 2) - log(prior->degrees / 2));
}

double variance_prior_moderate(const struct variance_prior *prior, double variance, double degrees)
{
    if (isinf(prior->degrees))
        return prior->variance;
    double sum = prior->degrees * prior->variance + degrees * variance;
    return fmax(sum / (prior->degrees + degrees), LEAST_VARIANCE);
}

double variance_prior_degrees(const struct variance_prior *prior, double degrees)
{
    return fmin(prior->degrees + degrees, prior->all_degrees);
}
