/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_REPORT_H
#define PARSE_REPORT_H

#include "parse/document.h"
#include "parse/plot_point.h"
#include "parse/report_data.h"

/* How a report comes by its plots: each call adds the plots that there are, or nothing. */
struct report_plots {
    void *context;
    void (*overview)(void *context, struct document *document);
    void (*test)(void *context, size_t row, struct document *document);
};

/* Writes the whole of a report: testbeds, command lines, overview, what is missing, and a section a test. */
void report_write(const struct report_data *data, const struct report_plots *plots, struct document *document);

#endif
