/* SPDX-License-Identifier: Apache-2.0 */
#include "base/shift.h"

#include <math.h>
#include <stdlib.h>

#include "base/differences.h"
#include "base/memory.h"
#include "base/stratified.h"

/* Of an even weight the mean of the two differences in the middle. */
static double weighted_median(const struct differences *differences, int64_t total)
{
    double upper = differences_select(differences, total / 2);
    return total % 2 ? upper : (differences_select(differences, total / 2 - 1) + upper) / 2;
}

/* The smallest value that the test rejects, or `total` when there is none: the statistic goes from -total to total. */
static int64_t find_critical(const struct stratified *stratified, int64_t total, double confidence)
{
    int64_t low = 0, high = total; /* low is not rejected; high is, or is the last */
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        /* Room for rounding: 1 - 0.95 is a little more than 0.05. */
        if (stratified_two_sided(stratified, middle) <= (1 - confidence) * (1 + 1e-12))
            high = middle;
        else
            low = middle;
    }
    return high;
}

static void rank_untied(struct stratified *stratified, const struct two_samples *strata, size_t count)
{
    struct ranks *ranks = memory_zeroed(count, sizeof *ranks);
    for (size_t i = 0; i < count; i++)
        ranks_init_untied(&ranks[i], strata[i].a_count, strata[i].b_count);
    stratified_init(stratified, ranks, count);
    for (size_t i = 0; i < count; i++)
        ranks_release(&ranks[i]);
    free(ranks);
}

void shift_estimate(const struct two_samples *strata, size_t count, double confidence, struct shift *shift)
{
    *shift = (struct shift){NAN, NAN, NAN, NAN, false, false};
    if (count == 0)
        return;
    struct stratified stratified;
    rank_untied(&stratified, strata, count);
    struct differences differences;
    differences_init(&differences, strata, stratified.weights, count);
    int64_t total = stratified.statistic;
    int64_t critical = find_critical(&stratified, total, confidence);
    /* Past the differences that weigh (total - critical) / 2 from an end the statistic is inside again. */
    int64_t outside = (total - critical) / 2;
    double rejected = stratified_two_sided(&stratified, critical);
    *shift = (struct shift){.estimate = weighted_median(&differences, total),
                            .low = differences_select(&differences, outside),
                            .high = differences_select(&differences, total - outside - 1),
                            .confidence = 1 - rejected,
                            .is_widest = rejected > (1 - confidence) * (1 + 1e-12),
                            .is_exact = stratified.is_exact};
    differences_release(&differences);
    stratified_release(&stratified);
}
