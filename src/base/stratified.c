/* SPDX-License-Identifier: Apache-2.0 */
#include "base/stratified.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* Common multiples above it are not looked for: such sums are not counted exactly anyway, and weights rounded at the
 * sixth digit do for the approximation. */
#define MULTIPLE_MAX 1000000

/* At least 1, as it is divided by. */
static int64_t greatest_common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a > 0 ? a : 1;
}

static int64_t divisor_of(const struct ranks *stratum)
{
    int64_t values = (int64_t)(stratum->a_count + stratum->b_count);
    return values > 0 ? values + 1 : 1;
}

static int64_t common_multiple(const struct ranks *strata, size_t count)
{
    int64_t multiple = 1;
    for (size_t i = 0; i < count && multiple <= MULTIPLE_MAX; i++)
        multiple = multiple / greatest_common_divisor(multiple, divisor_of(&strata[i])) * divisor_of(&strata[i]);
    return multiple <= MULTIPLE_MAX ? multiple : MULTIPLE_MAX;
}

static int64_t times(int64_t x, int64_t weight)
{
    return x * weight;
}

static void add_up(struct stratified *stratified, const struct ranks *strata)
{
    discrete_init_point(&stratified->null, 0);
    for (size_t i = 0; i < stratified->count; i++) {
        struct discrete deviation, weighted;
        ranks_distribution(&strata[i], &deviation);
        discrete_init_mapped(&weighted, &deviation, times, stratified->weights[i]);
        discrete_add(&stratified->null, &weighted);
        discrete_release(&deviation);
        discrete_release(&weighted);
    }
}

void stratified_init(struct stratified *stratified, const struct ranks *strata, size_t count)
{
    int64_t multiple = common_multiple(strata, count);
    double *reaches = memory_zeroed(count + 1, sizeof *reaches);
    *stratified = (struct stratified){.count = count, .weights = memory_zeroed(count + 1, sizeof(int64_t))};
    bool is_whole = true;
    for (size_t i = 0; i < count; i++) {
        int64_t weight = (multiple + divisor_of(&strata[i]) / 2) / divisor_of(&strata[i]);
        is_whole = is_whole && weight * divisor_of(&strata[i]) == multiple;
        stratified->weights[i] = weight;
        stratified->statistic += weight * strata[i].deviation;
        stratified->variance += (double)(weight * weight) * strata[i].variance;
        reaches[i] = 2 * (double)weight * (double)(strata[i].a_count * strata[i].b_count);
    }
    stratified->is_exact = is_whole && ranks_sum_is_exact(strata, count, reaches);
    free(reaches);
    if (stratified->is_exact)
        add_up(stratified, strata);
}

void stratified_release(struct stratified *stratified)
{
    free(stratified->weights);
    discrete_release(&stratified->null);
    *stratified = (struct stratified){0};
}

double stratified_two_sided(const struct stratified *stratified, int64_t value)
{
    if (stratified->is_exact)
        return discrete_two_tails(&stratified->null, value);
    return stratified->variance > 0 ? erfc(fabs((double)value) / sqrt(2 * stratified->variance)) : 1;
}
