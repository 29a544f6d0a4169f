/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PREFLIGHT_COMMAND_H
#define PREFLIGHT_COMMAND_H

#include <stdbool.h>

#include "engine/target.h"
#include "model/run_options.h"

/* Prints what stands in the way of a run, and what does not, on stdout: a line a check, or one JSON object. True:
 * nothing does. */
bool preflight_print(struct target *target, const struct run_options *options, uint64_t bytes, bool as_json);
/* The same for a deployment that could not be reached. */
void preflight_print_unreachable(const char *message, bool as_json);

#endif
