/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PLOT_OVERVIEW_H
#define PARSE_PLOT_OVERVIEW_H

#include "parse/plot_variables.h"

/* Scripts for gnuplot of small plots, one per test case that has a rate, PLOT_OVERVIEW_TESTS per page. */

#define PLOT_OVERVIEW_TESTS 100

size_t plot_overview_pages(const struct report_data *data);
/* "overview.png", "overview+2.png", ...; the caller frees. */
char *plot_overview_output(size_t page, const char *extension);

/* The tests of the next page, from row *first on; *first goes behind the last one. Returns how many. */
size_t plot_overview_page(const struct report_data *data, size_t *first,
                          const struct pairing_row *rows[PLOT_OVERVIEW_TESTS]);
/* Appends the script that draws them on one page. */
void plot_overview_write(const struct report_data *data, const struct plot_target *target,
                         const struct pairing_row *const *rows, size_t count, const char *output, struct buffer *out);
/* The same as pictures of their own to standard output, for a document that puts them beside each other; `with_legend`:
 * a picture of the legend before them. */
void plot_overview_write_panels(const struct report_data *data, const struct plot_target *target,
                                const struct pairing_row *const *rows, size_t count, bool with_legend,
                                struct buffer *out);

#endif
