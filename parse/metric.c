/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/metric.h"

#include <math.h>
#include <string.h>

#include "base/array.h"

const struct metric metrics[] = {
    {"ops_per_sec", "ops/s", false, -1},         {"latency_mean_us", "us", true, LATENCY_MEAN},
    {"latency_p50_us", "us", true, LATENCY_P50}, {"latency_p95_us", "us", true, LATENCY_P95},
    {"latency_p99_us", "us", true, LATENCY_P99}, {"latency_p999_us", "us", true, LATENCY_P999},
    {"latency_max_us", "us", true, LATENCY_MAX},
};
const size_t metric_count = COUNT_OF(metrics);

const struct metric *metric_find(const char *name)
{
    for (size_t i = 0; i < metric_count; i++)
        if (strcmp(metrics[i].name, name) == 0)
            return &metrics[i];
    return NULL;
}

double metric_of_trial(const struct metric *metric, const struct trial_data *trial)
{
    if (metric->latency < 0)
        return trial->ops_per_sec;
    return trial->latency ? trial->latency->us[metric->latency] : NAN;
}

double metric_of_cell(const struct metric *metric, const struct cell_data *cell)
{
    if (metric->latency < 0)
        return cell->ops_per_sec;
    return cell->latency ? cell->latency->us[metric->latency] : NAN;
}

int metric_direction(const struct metric *metric, double ratio)
{
    int larger = (ratio > 1) - (ratio < 1);
    return metric->lower_is_better ? -larger : larger;
}
