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

double holm_adjust_if(const double *p, size_t count, size_t which, double value)
{
    double *changed = memory_copy(p, count * sizeof *p);
    changed[which] = value;
    holm_adjust(changed, count, changed);
    double adjusted = changed[which];
    free(changed);
    return adjusted;
}
