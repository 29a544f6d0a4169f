/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PLOT_SCRIPT_H
#define PARSE_PLOT_SCRIPT_H

#include <stdbool.h>

#include "base/buffer.h"
#include "parse/plot_point.h"
#include "parse/report_data.h"

/*
 * Scripts for gnuplot: variables and data of one test case, then one `load` of a static body a plot. No name or label
 * can do more than be shown: it stands in single quotes, where gnuplot interprets nothing, without control characters,
 * and cut to a length that fits.
 */

struct plot_target {
    const char *terminal;    /* png, svg, pdf or dumb */
    const char *extension;   /* of the files */
    const char *folder;      /* where the bodies are */
    unsigned columns, lines; /* of a dumb terminal */
    bool to_stdout, colour;
};

/* Whether there is anything to draw. */
bool plot_script_has(const struct report_data *data, const struct pairing_row *row, enum plot_kind kind);
bool plot_script_has_any(const struct report_data *data, const struct pairing_row *row);
/* The plot's file; the caller frees. */
char *plot_script_output(const char *file, enum plot_kind kind, const struct plot_target *target);
/* Appends the script that draws every kind of `kinds` that there is of a row. */
void plot_script_write(const struct report_data *data, size_t row, const struct plot_target *target,
                       const bool kinds[PLOT_KINDS], struct buffer *out);
/* Pages of small plots, one a test that has anything to show. */
#define PLOT_OVERVIEW_TESTS 100
size_t plot_script_overview_pages(const struct report_data *data);
/* "overview.png", "overview+2.png", ...; the caller frees. */
char *plot_script_overview_output(size_t page, const char *extension);
/* The script of the next page, with the tests from row *first on; *first goes behind the last one. `output` "":
 * standard output. */
void plot_script_write_overview(const struct report_data *data, const struct plot_target *target, const char *output,
                                size_t *first, struct buffer *out);

#endif
