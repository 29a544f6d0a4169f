/* SPDX-License-Identifier: Apache-2.0 */
#include "base/discrete.h"

#include <stdlib.h>

#include "base/memory.h"

void discrete_init(struct discrete *distribution, int64_t low, size_t count)
{
    *distribution = (struct discrete){low, count, memory_zeroed(count, sizeof(double))};
}

void discrete_init_point(struct discrete *distribution, int64_t value)
{
    discrete_init(distribution, value, 1);
    distribution->p[0] = 1;
}

void discrete_init_mapped(struct discrete *distribution, const struct discrete *from,
                          int64_t (*value)(int64_t x, int64_t parameter), int64_t parameter)
{
    int64_t low = value(from->low, parameter), high = low;
    for (size_t i = 1; i < from->count; i++) {
        int64_t mapped = value(from->low + (int64_t)i, parameter);
        low = mapped < low ? mapped : low;
        high = mapped > high ? mapped : high;
    }
    discrete_init(distribution, low, (size_t)(high - low) + 1);
    for (size_t i = 0; i < from->count; i++)
        distribution->p[value(from->low + (int64_t)i, parameter) - low] += from->p[i];
}

void discrete_release(struct discrete *distribution)
{
    free(distribution->p);
    *distribution = (struct discrete){0};
}

static void add_scaled(double *restrict to, const double *restrict from, size_t count, double factor)
{
    for (size_t i = 0; i < count; i++)
        to[i] += factor * from[i];
}

void discrete_add(struct discrete *sum, const struct discrete *term)
{
    struct discrete result;
    discrete_init(&result, sum->low + term->low, sum->count + term->count - 1);
    for (size_t i = 0; i < term->count; i++)
        if (term->p[i] != 0)
            add_scaled(result.p + i, sum->p, sum->count, term->p[i]);
    discrete_release(sum);
    *sum = result;
}

void discrete_add_up_to(struct discrete *sum, const struct discrete *term, size_t most)
{
    size_t last = sum->count + term->count - 2;
    last = most < last ? most : last;
    struct discrete result;
    discrete_init(&result, 0, last + 1);
    for (size_t i = 0; i < term->count; i++) {
        if (term->p[i] == 0)
            continue;
        size_t room = i < last ? last - i : 0, below = sum->count < room ? sum->count : room;
        add_scaled(result.p + i, sum->p, below, term->p[i]);
        for (size_t j = below; j < sum->count; j++)
            result.p[last] += term->p[i] * sum->p[j];
    }
    discrete_release(sum);
    *sum = result;
}

double discrete_upper_tail(const struct discrete *distribution, int64_t x)
{
    double tail = 0;
    for (size_t i = distribution->count; i > 0 && distribution->low + (int64_t)i - 1 >= x; i--)
        tail += distribution->p[i - 1];
    return tail < 1 ? tail : 1;
}

double discrete_two_tails(const struct discrete *distribution, int64_t x)
{
    int64_t far = x < 0 ? -x : x;
    double tails = 0;
    for (size_t i = 0; i < distribution->count; i++) {
        int64_t value = distribution->low + (int64_t)i;
        if (value >= far || -value >= far)
            tails += distribution->p[i];
    }
    return tails < 1 ? tails : 1;
}
