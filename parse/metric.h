/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_METRIC_H
#define PARSE_METRIC_H

#include <stdbool.h>
#include <stddef.h>

#include "parse/dataset.h"

/* What can be compared: a number that a trial has, its unit, and which direction is better. */
struct metric {
    const char *name; /* as in the result file */
    const char *unit;
    bool lower_is_better;
    int latency; /* enum latency_kind, -1: the rate */
};

extern const struct metric metrics[];
extern const size_t metric_count;

/* NULL when there is none of that name. */
const struct metric *metric_find(const char *name);
/* NAN when the trial does not tell. */
double metric_of_trial(const struct metric *metric, const struct trial_data *trial);
/* What stands for the whole cell, NAN when nothing does. */
double metric_of_cell(const struct metric *metric, const struct cell_data *cell);
/* +1: b is better than a where b / a is `ratio`; -1: worse; 0: equal or unknown. */
int metric_direction(const struct metric *metric, double ratio);

#endif
