/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PLOTS_H
#define PARSE_PLOTS_H

#include <stdbool.h>

#include "base/error.h"
#include "parse/out_folder.h"
#include "parse/report_data.h"

/* How the plots are wanted. */
struct plot_wishes {
    const char *bodies;     /* folder of the static bodies */
    const char *terminal;   /* png, svg, pdf or dumb */
    unsigned width, height; /* of a test's plot, in pixels, of a dumb terminal in characters; 0: the default */
    unsigned limit_s;       /* for one script */
    bool draw;              /* not only write the scripts */
};

/* The folder of the static bodies: of BENCHRUN_DATADIR, the installed one, or the one beside a program that is run from
 * its source folder. The caller frees; NULL with an error. */
char *plots_folder(struct error *err);

/* Of the files that a terminal draws. */
const char *plots_extension(const char *terminal);

/* Writes the scripts of all tests, their bodies beside them, and draws them. Tests of which there is nothing to draw
 * are named in `notes`, what could not be drawn in `errors`. false: nothing can be written. */
bool plots_make(const struct report_data *data, struct out_folder *folder, const struct plot_wishes *wishes,
                struct message_list *notes, struct message_list *errors, struct error *err);

/* Draws the plots of all tests on standard output. */
void plots_preview(const struct report_data *data, const struct plot_wishes *wishes, struct message_list *errors);

#endif
