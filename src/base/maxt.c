/* SPDX-License-Identifier: Apache-2.0 */
#include "base/maxt.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

#define ROUNDING 1e-9

bool maxt_reaches(double statistic, double seen)
{
    return statistic >= seen - ROUNDING * fmax(1, fabs(seen));
}

static int by_seen(const void *x, const void *y, void *context)
{
    const double *seen = context;
    double a = seen[*(const size_t *)x], b = seen[*(const size_t *)y];
    return (a > b) - (a < b);
}

void maxt_init(struct maxt *maxt, const double *seen, size_t count)
{
    *maxt = (struct maxt){.count = count, .seen = memory_copy(seen, count * sizeof *seen)};
    maxt->order = memory_zeroed(count, sizeof *maxt->order);
    maxt->exceeded = memory_zeroed(count, sizeof *maxt->exceeded);
    maxt->alone = memory_zeroed(count, sizeof *maxt->alone);
    for (size_t i = 0; i < count; i++)
        maxt->order[i] = i;
    qsort_r(maxt->order, count, sizeof *maxt->order, by_seen, maxt->seen);
}

void maxt_release(struct maxt *maxt)
{
    free(maxt->seen);
    free(maxt->order);
    free(maxt->exceeded);
    free(maxt->alone);
    *maxt = (struct maxt){0};
}

void maxt_take(struct maxt *maxt, const double *statistics)
{
    double largest = -INFINITY;
    for (size_t i = 0; i < maxt->count; i++) {
        size_t k = maxt->order[i];
        largest = fmax(largest, statistics[k]);
        maxt->exceeded[k] += maxt_reaches(largest, maxt->seen[k]);
        maxt->alone[k] += maxt_reaches(statistics[k], maxt->seen[k]);
    }
    maxt->labellings++;
}

/* Towards smaller statistics an adjusted p never falls. */
void maxt_results(const struct maxt *maxt, double *p, double *adjusted)
{
    double largest = 0;
    for (size_t i = maxt->count; i > 0; i--) {
        size_t k = maxt->order[i - 1];
        largest = fmax(largest, (double)maxt->exceeded[k] / (double)maxt->labellings);
        if (p)
            p[k] = (double)maxt->alone[k] / (double)maxt->labellings;
        if (adjusted)
            adjusted[k] = largest;
    }
}
