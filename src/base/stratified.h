/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_STRATIFIED_H
#define BASE_STRATIFIED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/discrete.h"
#include "base/ranks.h"

/*
 * Van Elteren's statistic: the sum over strata of weight * deviation with weights 1 / (N + 1), here times their least
 * common multiple, so that weights and statistic are whole numbers. Released with stratified_release().
 */
struct stratified {
    size_t count;
    int64_t *weights;
    int64_t statistic;
    double variance;
    bool is_exact;        /* `null` is there */
    struct discrete null; /* its distribution when labels are exchangeable within strata */
};

void stratified_init(struct stratified *stratified, const struct ranks *strata, size_t count);
void stratified_release(struct stratified *stratified);
/* P(|statistic| >= |value|): exact, or by the normal approximation. */
double stratified_two_sided(const struct stratified *stratified, int64_t value);

#endif
