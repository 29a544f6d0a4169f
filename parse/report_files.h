/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_REPORT_FILES_H
#define PARSE_REPORT_FILES_H

#include <stdbool.h>

#include "base/error.h"
#include "parse/out_folder.h"
#include "parse/plots.h"
#include "parse/report_data.h"

/* report.md, with the plots that lie in the folder (files of this extension). */
bool report_files_markdown(const struct report_data *data, struct out_folder *folder, const char *extension,
                           struct error *err);

/* report.html, one file with everything in it. Without wishes->draw it has no plots; those that could not be drawn are
 * named in `errors`. */
bool report_files_html(const struct report_data *data, struct out_folder *folder, const struct plot_wishes *wishes,
                       struct message_list *errors, struct error *err);

#endif
