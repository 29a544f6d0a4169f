/* SPDX-License-Identifier: Apache-2.0 */
#include "base/student.h"

#include <float.h>
#include <math.h>

#define STEPS_MAX 10000
/* From here on the normal distribution is nearer than differences of lgamma() are. */
#define DEGREES_MAX 1e8

/* One step of Lentz's way: folds a term of the fraction into numerator and denominator. */
static double fold(double term, double *numerator, double *denominator)
{
    *numerator = 1 + term / *numerator;
    *denominator = 1 + term * *denominator;
    *numerator = fabs(*numerator) < DBL_MIN ? DBL_MIN : *numerator;
    *denominator = 1 / (fabs(*denominator) < DBL_MIN ? DBL_MIN : *denominator);
    return *numerator * *denominator;
}

/* The continued fraction of I_x(a, b), fast for x < (a + 1) / (a + b + 2). */
static double fraction(double a, double b, double x)
{
    double numerator = 1, denominator = 0, value = 1, change = 0;
    for (unsigned n = 1; n < STEPS_MAX && fabs(change - 1) > DBL_EPSILON; n++) {
        unsigned half = n / 2; /* each is used by two steps */
        double m = half;
        double term = n % 2 ? -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
                            : m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        change = fold(term, &numerator, &denominator);
        value *= change;
    }
    return 1 / value;
}

/* I_x(a, b), y = 1 - x, which the caller may know better. */
static double incomplete_beta(double a, double b, double x, double y)
{
    if (x <= 0 || y <= 0)
        return x > 0;
    if (x > (a + 1) / (a + b + 2))
        return 1 - incomplete_beta(b, a, y, x);
    double scale = a * log(x) + b * log(y) + lgamma(a + b) - lgamma(a) - lgamma(b);
    return exp(scale) / a * fraction(a, b, x);
}

double student_two_tails(double t, double degrees)
{
    if (degrees > DEGREES_MAX)
        return erfc(fabs(t) / sqrt(2));
    double whole = degrees + t * t;
    return incomplete_beta(degrees / 2, 0.5, degrees / whole, t * t / whole);
}
