/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PLOT_POINT_H
#define PARSE_PLOT_POINT_H

#include "parse/report_data.h"

/* What the plots of a test case show. */
enum plot_kind {
    PLOT_THROUGHPUT, /* ops/s: mean, slowest and fastest trial */
    PLOT_LATENCY,    /* microseconds: median (where it is not known the mean), fastest, 99 % (else the slowest) */
    PLOT_RATIO,      /* ops/s of a later deployment / ops/s of the first, and the interval of that ratio */
    PLOT_SCALING,    /* ops/s / threads / ops/s at 1 thread, and those of the slowest and fastest trial */
    PLOT_KINDS,
};

/* "throughput", "latency", ...: the body is NAME.gp. */
extern const char *const plot_kind_names[PLOT_KINDS];

/* A point with its bar, whose ends are the point itself where there is none; all NAN where there is no point. */
struct plot_point {
    double value, low, high;
};

struct plot_point plot_point_of(const struct report_data *data, const struct pairing_row *row, enum plot_kind kind,
                                size_t deployment, unsigned threads);
/* Lowest and highest of all points of a plot; all NAN when it has none. */
struct plot_point plot_point_extremes(const struct report_data *data, const struct pairing_row *row,
                                      enum plot_kind kind);

#endif
