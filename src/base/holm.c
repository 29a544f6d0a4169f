/* SPDX-License-Identifier: Apache-2.0 */
#include "base/holm.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

struct ordered_p {
    double p;
    size_t place;
};

static int by_p(const void *x, const void *y)
{
    const struct ordered_p *a = x, *b = y;
    return (a->p > b->p) - (a->p < b->p);
}

void holm_adjust(const double *p, size_t count, double *adjusted)
{
    struct ordered_p *ordered = memory_zeroed(count + 1, sizeof *ordered);
    size_t family = 0;
    for (size_t i = 0; i < count; i++) {
        if (isnan(p[i]))
            adjusted[i] = NAN;
        else
            ordered[family++] = (struct ordered_p){p[i], i};
    }
    qsort(ordered, family, sizeof *ordered, by_p);
    double largest = 0;
    for (size_t i = 0; i < family; i++) {
        largest = fmax(largest, fmin(1, (double)(family - i) * ordered[i].p));
        adjusted[ordered[i].place] = largest;
    }
    free(ordered);
}

static int by_size(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

void holm_init(struct holm_family *family, const double *p, size_t count)
{
    *family =
        (struct holm_family){memory_zeroed(count + 1, sizeof(double)), memory_zeroed(count + 1, sizeof(double)), 0};
    for (size_t i = 0; i < count; i++)
        if (!isnan(p[i]))
            family->sorted[family->count++] = p[i];
    qsort(family->sorted, family->count, sizeof *family->sorted, by_size);
    holm_adjust(family->sorted, family->count, family->adjusted);
}

void holm_release(struct holm_family *family)
{
    free(family->sorted);
    free(family->adjusted);
    *family = (struct holm_family){0};
}

double holm_adjusted_if(const struct holm_family *family, double value)
{
    size_t low = 0, high = family->count; /* those before low are smaller, those from high on are not */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (family->sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    double own = fmin(1, (double)(family->count - low) * value);
    return low > 0 ? fmax(own, family->adjusted[low - 1]) : own;
}
