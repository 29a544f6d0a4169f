/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_REPORT_OVERVIEW_H
#define PARSE_REPORT_OVERVIEW_H

#include "parse/report.h"

/* The small plots of all test cases, and a table with the best rate of each and the verdict. */
void report_overview_write(const struct report_data *data, const struct report_plots *plots, struct document *document);

/* Of the section of a test; the caller frees. */
char *report_anchor(const struct report_data *data, size_t row);
/* A number for people. */
void report_number_cell(struct document *document, double value);

#endif
