/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_STATS_H
#define BASE_STATS_H

#include <stdbool.h>
#include <stddef.h>

/* Over finite numbers only; with count 0 the result is NAN, which nobody may print: callers write null or a dash. */
double stats_mean(const double *values, size_t count);
/* Of an even count the mean of the two in the middle. */
double stats_median(const double *values, size_t count);
/* Population standard deviation (divides by count), as mongo-perf's ops_per_sec_stdev. */
double stats_stdev(const double *values, size_t count);
/* exp of the mean of the logarithms; all values above 0. */
double stats_geometric_mean(const double *values, size_t count);

#endif
