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

/* A family of tests, to ask what a single other result would have become in it. Released with holm_release(). */
struct holm_family {
    double *sorted;   /* without the NANs */
    double *adjusted; /* of those */
    size_t count;
};

void holm_init(struct holm_family *family, const double *p, size_t count);
void holm_release(struct holm_family *family);
/* What a member's adjusted p would be if its p fell to `value`, the others staying as they are. */
double holm_adjusted_if(const struct holm_family *family, double value);

#endif
