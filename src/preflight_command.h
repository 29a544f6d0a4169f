/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PREFLIGHT_COMMAND_H
#define PREFLIGHT_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

#include "engine/target.h"
#include "model/run_options.h"

/* Prints what would stop a run, and what would not: a line per check, or one JSON object. True: nothing would. */
bool preflight_print(struct target *target, const struct run_options *options, uint64_t bytes, bool as_json, FILE *out);
/* The same for a deployment that could not be reached. */
void preflight_print_unreachable(const char *message, bool as_json, FILE *out);

#endif
