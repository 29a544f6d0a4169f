/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUN_COMMAND_H
#define RUN_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "model/run_options.h"
#include "model/testcase.h"

/* Measures the selected tests: local server, target, run, table; tells people on stderr. The exit code as in
 * benchrun(1): 0, 1 or 3. Between target_library_init() and target_library_cleanup(). Before it returns everything is
 * stopped and removed, also after a signal, which the caller then raises again. */
int run_command(const struct run_options *options, const struct testcase_set *set, const size_t *selected,
                size_t selected_count);
/* Finds out whether they could be measured, and prints that (preflight_command.h): 0 or 1. */
int run_command_preflight(const struct run_options *options, const struct testcase_set *set, const size_t *selected,
                          size_t selected_count, bool as_json, FILE *out);

#endif
