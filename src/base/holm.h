/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_HOLM_H
#define BASE_HOLM_H

#include <stddef.h>

/*
 * Holm's correction for many tests at once: Holm, "A simple sequentially rejective multiple test procedure", 1979.
 * adjusted[i] <= alpha exactly where the procedure rejects at alpha; the chance of any false rejection is then at most
 * alpha, whatever the dependence. A NAN takes no part and stays NAN. The arrays may be the same.
 */
void holm_adjust(const double *p, size_t count, double *adjusted);

/* What adjusted[which] would be if p[which] were `value`. */
double holm_adjust_if(const double *p, size_t count, size_t which, double value);

#endif
