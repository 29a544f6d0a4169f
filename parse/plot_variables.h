/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PLOT_VARIABLES_H
#define PARSE_PLOT_VARIABLES_H

#include <stdbool.h>

#include "base/buffer.h"
#include "parse/plot_point.h"
#include "parse/plot_text.h"
#include "parse/report_data.h"

/* What scripts for gnuplot hand to the static bodies in plots/: variables and blocks of data, appended to `out`. */

struct plot_target {
    const char *terminal;   /* png, svg, pdf or dumb */
    const char *extension;  /* of the files */
    const char *folder;     /* where the bodies are */
    unsigned width, height; /* of a test's plot, in pixels, for a dumb terminal in characters; height 0: as it needs */
    bool to_stdout, colour;
    struct plot_letters letters;
};

void plot_variables_target(const struct plot_target *target, struct buffer *out);
void plot_variables_labels(const struct report_data *data, const struct plot_target *target, struct buffer *out);
/* The caption for a plot of `kind` of these rows, in lines that fit. */
void plot_variables_caption(const struct report_data *data, const struct pairing_row *const *rows, size_t row_count,
                            enum plot_kind kind, unsigned width, const struct plot_target *target, struct buffer *out);
/* The ends of the axis, and which rungs get a number where there is room for `room`. */
void plot_variables_rungs(const unsigned *threads, size_t count, unsigned room, struct buffer *out);
/* A text that is at most `width` wide. */
void plot_variables_text(const char *name, const char *text, unsigned width, const struct plot_target *target,
                         struct buffer *out);
void plot_variables_number(const char *name, double value, struct buffer *out);

/* A block per deployment, two blank lines between them; a rung without a number is a blank line, where a line breaks.
 */
void plot_variables_blocks(const struct report_data *data, const struct pairing_row *row, enum plot_kind kind,
                           struct buffer *out);

#endif
