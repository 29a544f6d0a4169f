/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_GNUPLOT_H
#define PARSE_GNUPLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"

/* gnuplot as a child process, under the C locale. */

/* Whether there is one on PATH. */
bool gnuplot_is_there(void);

/*
 * Runs the scripts of `names` in `folder`, each in a process of its own, as many at a time as there are CPUs. Every
 * failure is added to `errors` with the script's name and gnuplot's message; the other scripts are run all the same.
 */
void gnuplot_run_files(const char *folder, char *const *names, size_t count, struct message_list *errors);

/* Runs one script given as text; its output goes to this program's standard output. */
bool gnuplot_run_text(const char *name, const struct buffer *script, struct error *err);

#endif
