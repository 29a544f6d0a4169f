/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_VARIANCE_PRIOR_H
#define BASE_VARIANCE_PRIOR_H

#include <stddef.h>

/*
 * What many variances, each of a few values, say of one another: how far the true ones lie apart. They are taken as
 * variance * degrees / chi-square(degrees): Smyth, "Linear models and empirical Bayes methods for assessing
 * differential expression in microarray experiments", 2004, section 6.2, from the moments of their logarithms. Where
 * all could be equal `degrees` is INFINITY; where they differ a lot it is near 0 and one says nothing of another.
 */
struct variance_prior {
    double variance, degrees;
    double all_degrees; /* of freedom, of all variances together: none is known better than that */
};

/* Each variance is that of a sample with so many degrees of freedom, at least 1. count from 1. */
void variance_prior_fit(const double *variances, const double *degrees, size_t count, struct variance_prior *prior);
/* The mean of a variance and the prior's, weighted by their degrees of freedom; above 0. */
double variance_prior_moderate(const struct variance_prior *prior, double variance, double degrees);
/* Of that. */
double variance_prior_degrees(const struct variance_prior *prior, double degrees);

#endif
