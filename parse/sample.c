/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/stats.h"
#include "parse/side.h"

static void add_value(struct sample *sample, double value)
{
    if (isfinite(value) && value > 0)
        sample->values[sample->count++] = value;
    else
        sample->lost++;
}

/* Its values are those from `first` on. */
static void add_run(struct sample *sample, size_t run, size_t first)
{
    double mean = stats_geometric_mean(sample->values + first, sample->count - first);
    sample->runs[sample->run_count++] = (struct run_value){run, log(mean)};
}

static void add_cell(struct sample *sample, size_t run, const struct cell_data *cell, const struct metric *metric)
{
    sample->values = memory_resize(sample->values, sample->count + cell->trial_count + 1, sizeof *sample->values);
    size_t before = sample->count, lost_before = sample->lost;
    for (size_t i = 0; i < cell->trial_count; i++)
        add_value(sample, metric_of_trial(metric, &cell->trials[i]));
    double whole = metric_of_cell(metric, cell);
    if (sample->count == before && isfinite(whole) && whole > 0) { /* no trial has this number, the cell has */
        sample->lost = lost_before;
        add_value(sample, whole);
    } else if (cell->trial_count == 0) {
        sample->lost++;
    }
    int64_t errors = cell_errors(cell);
    if (errors >= 0)
        sample->errors = (sample->errors < 0 ? 0 : sample->errors) + errors;
    if (sample->count > before)
        add_run(sample, run, before);
    if (!sample->reason)
        sample->reason = cell_why(cell);
    if (cell->failure && !sample->failure)
        sample->failure = cell->failure;
    if (cell->setup_failure && !sample->setup_failure)
        sample->setup_failure = cell->setup_failure;
}

static void summarise(struct sample *sample)
{
    sample->mean = stats_mean(sample->values, sample->count);
    sample->stdev = stats_stdev(sample->values, sample->count);
    sample->min = sample->max = sample->count ? sample->values[0] : NAN;
    for (size_t i = 1; i < sample->count; i++) {
        sample->min = fmin(sample->min, sample->values[i]);
        sample->max = fmax(sample->max, sample->values[i]);
    }
}

void sample_collect(struct sample *sample, const struct side_test *test, unsigned threads, const struct metric *metric)
{
    *sample = (struct sample){.errors = -1};
    sample->runs = memory_zeroed(test->part_count + 1, sizeof *sample->runs);
    for (size_t i = 0; i < test->part_count; i++) {
        const struct cell_data *cell = test_find_cell(test->parts[i], threads);
        if (cell)
            add_cell(sample, test->runs[i], cell, metric);
    }
    summarise(sample);
}

void sample_release(struct sample *sample)
{
    free(sample->values);
    free(sample->runs);
    free(sample->reason);
    *sample = (struct sample){0};
}
