/* SPDX-License-Identifier: Apache-2.0 */
#include "base/shift.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/stratified.h"

struct difference {
    double value;
    int64_t weight;
};

static int by_value(const void *x, const void *y)
{
    const struct difference *a = x, *b = y;
    return (a->value > b->value) - (a->value < b->value);
}

static struct difference *list_differences(const struct two_samples *strata, const struct stratified *stratified,
                                           size_t *count)
{
    size_t all = 0;
    for (size_t i = 0; i < stratified->count; i++)
        all += strata[i].a_count * strata[i].b_count;
    struct difference *list = memory_zeroed(all, sizeof *list), *next = list;
    for (size_t i = 0; i < stratified->count; i++)
        for (size_t a = 0; a < strata[i].a_count; a++)
            for (size_t b = 0; b < strata[i].b_count; b++)
                *next++ = (struct difference){strata[i].b[b] - strata[i].a[a], stratified->weights[i]};
    qsort(list, all, sizeof *list, by_value);
    *count = all;
    return list;
}

/* The first difference at which the weights from the left exceed `weight`. */
static size_t find_place(const struct difference *list, size_t count, int64_t weight)
{
    size_t place = 0;
    for (int64_t sum = list[0].weight; sum <= weight && place + 1 < count; sum += list[place].weight)
        place++;
    return place;
}

static double weighted_median(const struct difference *list, size_t count, int64_t total)
{
    size_t upper = find_place(list, count, total / 2), lower = upper;
    int64_t before = 0;
    for (size_t i = 0; i < upper; i++)
        before += list[i].weight;
    if (2 * before == total && upper > 0)
        lower = upper - 1;
    return (list[lower].value + list[upper].value) / 2;
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
    size_t differences;
    struct difference *list = list_differences(strata, &stratified, &differences);
    int64_t total = stratified.statistic;
    int64_t critical = find_critical(&stratified, total, confidence);
    /* Past the differences that weigh (total - critical) / 2 from an end the statistic is inside again. */
    int64_t outside = (total - critical) / 2;
    size_t low = find_place(list, differences, outside);
    int64_t beyond = 0;
    size_t high = differences - 1;
    for (beyond = list[high].weight; beyond <= outside && high > low; beyond += list[high].weight)
        high--;
    double rejected = stratified_two_sided(&stratified, critical);
    *shift = (struct shift){.estimate = weighted_median(list, differences, total),
                            .low = list[low].value,
                            .high = list[high].value,
                            .confidence = 1 - rejected,
                            .is_widest = rejected > (1 - confidence) * (1 + 1e-12),
                            .is_exact = stratified.is_exact};
    free(list);
    stratified_release(&stratified);
}
