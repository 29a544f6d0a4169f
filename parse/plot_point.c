/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/plot_point.h"

#include <math.h>

const char *const plot_kind_names[PLOT_KINDS] = {"throughput", "latency", "ratio", "scaling"};

static const struct plot_point nothing = {NAN, NAN, NAN};

static struct plot_point throughput(const struct cell_data *cell)
{
    if (!cell || isnan(cell->ops_per_sec))
        return nothing;
    struct plot_point point = {cell->ops_per_sec, cell->ops_per_sec, cell->ops_per_sec};
    for (size_t i = 0; i < cell->trial_count; i++) {
        point.low = fmin(point.low, cell->trials[i].ops_per_sec); /* fmin() passes over NAN */
        point.high = fmax(point.high, cell->trials[i].ops_per_sec);
    }
    if (cell->trial_count == 0 && !isnan(cell->stdev)) {
        point.low = fmax(0, cell->ops_per_sec - cell->stdev);
        point.high = cell->ops_per_sec + cell->stdev;
    }
    return point;
}

static double first_of(double a, double b)
{
    return isnan(a) ? b : a;
}

/* What cannot stand on a logarithmic axis is left out. */
static struct plot_point latency(const struct cell_data *cell)
{
    if (!cell || !cell->latency)
        return nothing;
    const double *us = cell->latency->us;
    struct plot_point point = {first_of(us[LATENCY_P50], us[LATENCY_MEAN]), us[LATENCY_MIN],
                               first_of(us[LATENCY_P99], us[LATENCY_MAX])};
    if (!(point.value > 0))
        return nothing;
    point.low = point.low > 0 ? point.low : point.value;
    point.high = point.high > 0 ? point.high : point.value;
    return point;
}

static struct plot_point ratio(const struct report_data *data, const struct pairing_row *row, size_t deployment,
                               unsigned threads)
{
    const struct cell_data *a = pairing_cell(row, 0, threads), *b = pairing_cell(row, deployment, threads);
    if (deployment == 0 || !a || !b || !(a->ops_per_sec > 0) || !(b->ops_per_sec > 0))
        return nothing;
    double value = b->ops_per_sec / a->ops_per_sec;
    struct ratio_interval interval =
        verdicts_interval(&data->verdicts, (size_t)(row - data->pairing.rows), deployment, threads);
    return (struct plot_point){value, first_of(interval.low, value), first_of(interval.high, value)};
}

static struct plot_point scaling(const struct pairing_row *row, size_t deployment, unsigned threads)
{
    const struct cell_data *one = pairing_cell(row, deployment, 1);
    struct plot_point point = throughput(pairing_cell(row, deployment, threads));
    if (!one || !(one->ops_per_sec > 0) || isnan(point.value))
        return nothing;
    double perfect = one->ops_per_sec * threads;
    return (struct plot_point){point.value / perfect, point.low / perfect, point.high / perfect};
}

struct plot_point plot_point_of(const struct report_data *data, const struct pairing_row *row, enum plot_kind kind,
                                size_t deployment, unsigned threads)
{
    switch (kind) {
    case PLOT_THROUGHPUT:
        return throughput(pairing_cell(row, deployment, threads));
    case PLOT_LATENCY:
        return latency(pairing_cell(row, deployment, threads));
    case PLOT_RATIO:
        return ratio(data, row, deployment, threads);
    case PLOT_SCALING:
        return scaling(row, deployment, threads);
    case PLOT_KINDS:
        break;
    }
    return nothing;
}

struct plot_point plot_point_extremes(const struct report_data *data, const struct pairing_row *row,
                                      enum plot_kind kind)
{
    struct plot_point all = nothing;
    for (size_t d = 0; d < data->dataset.count; d++) {
        for (size_t i = 0; i < row->thread_count; i++) {
            struct plot_point point = plot_point_of(data, row, kind, d, row->threads[i]);
            all.value = first_of(all.value, point.value);
            all.low = fmin(all.low, fmin(point.low, point.value));
            all.high = fmax(all.high, fmax(point.high, point.value));
        }
    }
    return all;
}
