/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PLOT_SCRIPT_H
#define PARSE_PLOT_SCRIPT_H

#include "parse/plot_variables.h"

/* Scripts for gnuplot of one test case: variables and data, then one `load` of a static body per plot. */

/* Whether there is anything to draw. */
bool plot_script_has(const struct report_data *data, const struct pairing_row *row, enum plot_kind kind);
/* How many kinds there are of a row. */
size_t plot_script_count(const struct report_data *data, const struct pairing_row *row);
/* The plot's file; the caller frees. */
char *plot_script_output(const char *file, enum plot_kind kind, const struct plot_target *target);
/* Appends the script that draws every kind of `kinds` that there is of a row. */
void plot_script_write(const struct report_data *data, size_t row, const struct plot_target *target,
                       const bool kinds[PLOT_KINDS], struct buffer *out);

#endif
