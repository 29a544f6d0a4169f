/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/axis.h"

#include <math.h>

struct axis axis_make(double most, unsigned steps)
{
    if (!(most > 0))
        return (struct axis){1, 1};
    double rough = most / steps, power = pow(10, floor(log10(rough))), fraction = rough / power;
    double step = (fraction <= 1 ? 1 : fraction <= 2 ? 2 : fraction <= 5 ? 5 : 10) * power;
    return (struct axis){ceil(most / step * (1 - 1e-9)) * step, step};
}

size_t axis_choose_rungs(const unsigned *threads, size_t count, unsigned room, unsigned *chosen)
{
    if (count == 0)
        return 0;
    double distance = log2((double)threads[count - 1] / threads[0]) / room;
    size_t kept = 0;
    chosen[kept++] = threads[0];
    for (size_t i = 1; i < count; i++) {
        if (log2((double)threads[i] / chosen[kept - 1]) >= distance)
            chosen[kept++] = threads[i];
        else if (i == count - 1)
            chosen[kept > 1 ? kept - 1 : kept++] = threads[i];
    }
    return kept;
}
