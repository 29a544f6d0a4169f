/* SPDX-License-Identifier: Apache-2.0 */
#include "base/ranks.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* Of the recursion in ranks_distribution() and of adding distributions up: some 20 trials a side. */
#define STEPS_MAX 4e6
/* 2^53: whole numbers below it are exact in a double. */
#define COUNT_MAX 9007199254740992.0

struct labelled {
    double value;
    bool is_b;
};

static int by_value(const void *x, const void *y)
{
    const struct labelled *a = x, *b = y;
    return (a->value > b->value) - (a->value < b->value);
}

static struct labelled *sort_together(const struct two_samples *samples)
{
    size_t count = samples->a_count + samples->b_count;
    struct labelled *all = memory_zeroed(count, sizeof *all);
    for (size_t i = 0; i < count; i++) {
        bool is_b = i >= samples->a_count;
        all[i] = (struct labelled){is_b ? samples->b[i - samples->a_count] : samples->a[i], is_b};
    }
    qsort(all, count, sizeof *all, by_value);
    return all;
}

/* Var(W) = a b / 12 * ((N + 1) - sum(t^3 - t) / (N (N - 1))), t the sizes of the tied groups: Lehmann, "Nonparametrics:
 * Statistical Methods Based on Ranks" (1975), 1.35; four times that for the doubled sum. */
static double variance_of(double a_count, double b_count, double tie_sum)
{
    double all = a_count + b_count;
    return a_count * b_count / 3 * (all + 1 - (all > 1 ? tie_sum / (all * (all - 1)) : 0));
}

static void take_group(struct ranks *ranks, const struct labelled *all, size_t from, size_t to)
{
    int64_t doubled = (int64_t)(from + to + 1); /* ranks from + 1 ... to */
    for (size_t i = from; i < to; i++) {
        ranks->doubled[i] = doubled;
        ranks->deviation += all[i].is_b ? doubled : 0;
    }
}

void ranks_init(struct ranks *ranks, const struct two_samples *samples)
{
    size_t count = samples->a_count + samples->b_count;
    *ranks = (struct ranks){.a_count = samples->a_count, .b_count = samples->b_count};
    ranks->doubled = memory_zeroed(count, sizeof *ranks->doubled);
    ranks->deviation = -(int64_t)(samples->b_count * (count + 1));
    struct labelled *all = sort_together(samples);
    double tie_sum = 0;
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && all[to].value == all[from].value; to++)
            ;
        double tied = (double)(to - from);
        tie_sum += tied * tied * tied - tied;
        take_group(ranks, all, from, to);
    }
    ranks->variance = variance_of((double)samples->a_count, (double)samples->b_count, tie_sum);
    free(all);
}

void ranks_init_untied(struct ranks *ranks, size_t a_count, size_t b_count)
{
    size_t count = a_count + b_count;
    *ranks = (struct ranks){.a_count = a_count, .b_count = b_count, .deviation = (int64_t)(a_count * b_count)};
    ranks->doubled = memory_zeroed(count, sizeof *ranks->doubled);
    for (size_t i = 0; i < count; i++)
        ranks->doubled[i] = 2 * (int64_t)(i + 1);
    ranks->variance = variance_of((double)a_count, (double)b_count, 0);
}

void ranks_release(struct ranks *ranks)
{
    free(ranks->doubled);
    *ranks = (struct ranks){0};
}

bool ranks_is_exact(const struct ranks *ranks)
{
    double a = (double)ranks->a_count, b = (double)ranks->b_count, all = a + b;
    double choices = exp(lgamma(all + 1) - lgamma(a + 1) - lgamma(b + 1));
    return choices < COUNT_MAX && all * fmin(a, b) * all * (all + 1) <= STEPS_MAX;
}

/* What is chosen from, in ascending order. Without ties doubled ranks are even, and halves do. */
struct choice {
    size_t *ranks, *sums; /* sums[i]: of the i lowest */
    size_t count, chosen;
    size_t unit; /* doubled ranks are `unit` times these */
};

static void choice_init(struct choice *choice, const struct ranks *ranks, size_t chosen)
{
    size_t all = ranks->a_count + ranks->b_count;
    *choice = (struct choice){.count = all, .chosen = chosen, .unit = 2};
    choice->ranks = memory_zeroed(all + 1, sizeof *choice->ranks);
    choice->sums = memory_zeroed(all + 1, sizeof *choice->sums);
    for (size_t i = 0; i < all; i++)
        choice->unit = ranks->doubled[i] % 2 ? 1 : choice->unit;
    for (size_t i = 0; i < all; i++) {
        choice->ranks[i] = (size_t)ranks->doubled[i] / choice->unit;
        choice->sums[i + 1] = choice->sums[i] + choice->ranks[i];
    }
}

static void choice_release(struct choice *choice)
{
    free(choice->ranks);
    free(choice->sums);
}

static void add_ways(double *restrict to, const double *restrict from, size_t first, size_t last, size_t rank)
{
    for (size_t s = first; s <= last; s++)
        to[s] += from[s - rank];
}

/* counts[j][s]: the ways to choose j of the values seen so far with ranks of sum s. Each further value is taken or not
 * (the recursion of Streitberg and Röhmel, "Exact distributions for permutation and rank tests", 1986). Only sums that
 * j of them can have, and only a j from which those that follow can still make up what is to be chosen. */
static double *count_choices(const struct choice *choice, size_t sums)
{
    size_t all = choice->count, chosen = choice->chosen;
    double *counts = memory_zeroed((chosen + 1) * sums, sizeof *counts);
    counts[0] = 1;
    for (size_t i = 0; i < all; i++) {
        size_t following = all - 1 - i, least = chosen > following ? chosen - following : 1;
        for (size_t j = i + 1 < chosen ? i + 1 : chosen; j >= least; j--)
            add_ways(counts + j * sums, counts + (j - 1) * sums, choice->ranks[i] + choice->sums[j - 1],
                     choice->sums[i + 1] - choice->sums[i + 1 - j], choice->ranks[i]);
    }
    return counts;
}

void ranks_distribution(const struct ranks *ranks, struct discrete *distribution)
{
    bool b_is_smaller = ranks->b_count <= ranks->a_count;
    size_t all = ranks->a_count + ranks->b_count, chosen = b_is_smaller ? ranks->b_count : ranks->a_count;
    struct choice choice;
    choice_init(&choice, ranks, chosen);
    size_t sums = choice.sums[all] + 1;
    double *counts = count_choices(&choice, sums), total = 0;
    const double *row = counts + chosen * sums;
    for (size_t s = 0; s < sums; s++)
        total += row[s];
    int64_t most = (int64_t)(ranks->a_count * ranks->b_count), expected = (int64_t)(chosen * (all + 1));
    discrete_init(distribution, -most, 2 * (size_t)most + 1);
    for (size_t s = 0; s < sums; s++) {
        int64_t deviation = (int64_t)(s * choice.unit) - expected; /* what one sample gains the other loses */
        if (row[s] > 0)
            distribution->p[(b_is_smaller ? deviation : -deviation) + most] = row[s] / total;
    }
    free(counts);
    choice_release(&choice);
}

bool ranks_sum_is_exact(const struct ranks *strata, size_t count, const double *reaches)
{
    double span = 0, steps = 0;
    for (size_t i = 0; i < count; i++) {
        if (!ranks_is_exact(&strata[i]))
            return false;
        span += reaches[i];
        steps += span * 2 * (double)(strata[i].a_count * strata[i].b_count);
    }
    return steps <= STEPS_MAX;
}
