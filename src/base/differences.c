/* SPDX-License-Identifier: Apache-2.0 */
#include "base/differences.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static int by_size(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static double *put_sorted(double *into, const double *values, size_t count)
{
    memcpy(into, values, count * sizeof *values);
    qsort(into, count, sizeof *into, by_size);
    return into + count;
}

void differences_init(struct differences *differences, const struct two_samples *strata, const int64_t *weights,
                      size_t count)
{
    size_t all = 0;
    for (size_t i = 0; i < count; i++)
        all += strata[i].a_count + strata[i].b_count;
    *differences = (struct differences){.strata = memory_copy(strata, count * sizeof *strata),
                                        .weights = memory_copy(weights, count * sizeof *weights),
                                        .count = count,
                                        .values = memory_zeroed(all, sizeof(double))};
    double *next = differences->values;
    for (size_t i = 0; i < count; i++) {
        differences->strata[i].a = next;
        next = put_sorted(next, strata[i].a, strata[i].a_count);
        differences->strata[i].b = next;
        next = put_sorted(next, strata[i].b, strata[i].b_count);
    }
}

void differences_release(struct differences *differences)
{
    free(differences->strata);
    free(differences->weights);
    free(differences->values);
    *differences = (struct differences){0};
}

static int64_t count_up_to(const struct two_samples *sorted, double limit)
{
    int64_t count = 0;
    size_t b = 0;
    for (size_t a = 0; a < sorted->a_count; a++) {
        while (b < sorted->b_count && sorted->b[b] - sorted->a[a] <= limit)
            b++;
        count += (int64_t)b;
    }
    return count;
}

static int64_t weight_up_to(const struct differences *differences, double limit)
{
    int64_t weight = 0;
    for (size_t i = 0; i < differences->count; i++)
        weight += differences->weights[i] * count_up_to(&differences->strata[i], limit);
    return weight;
}

/* The place of a double among all doubles: as integers, IEEE 754 numbers of one sign are in order. */
static int64_t place_of(double number)
{
    int64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits >= 0 ? bits : INT64_MIN - bits;
}

static double number_at(int64_t place)
{
    int64_t bits = place >= 0 ? place : INT64_MIN - place;
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static void find_ends(const struct differences *differences, double *smallest, double *largest)
{
    *smallest = INFINITY;
    *largest = -INFINITY;
    for (size_t i = 0; i < differences->count; i++) {
        const struct two_samples *sorted = &differences->strata[i];
        *smallest = fmin(*smallest, sorted->b[0] - sorted->a[sorted->a_count - 1]);
        *largest = fmax(*largest, sorted->b[sorted->b_count - 1] - sorted->a[0]);
    }
}

/* Halves the doubles between the ends until one is left, some sixty times: it is a difference, since only there the
 * weight grows. */
double differences_select(const struct differences *differences, int64_t weight)
{
    double smallest, largest;
    find_ends(differences, &smallest, &largest);
    int64_t low = place_of(smallest), high = place_of(largest);
    while (low < high) {
        int64_t middle = (low & high) + ((low ^ high) >> 1);
        if (weight_up_to(differences, number_at(middle)) > weight)
            high = middle;
        else
            low = middle + 1;
    }
    return number_at(low);
}
