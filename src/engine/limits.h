/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_LIMITS_H
#define ENGINE_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/run_options.h"

/* What this machine allows, against what the highest rung needs. */

/* At the start of the program, before there are threads: where the addresses of the process are limited (ulimit -v),
 * the allocator is not to reserve a share for each of them. */
void limits_spare_addresses(void);

/* The highest number of connections of the ladder. */
unsigned limits_connections(const struct run_options *options);
/* How many threads open them. */
unsigned limits_connectors(const struct run_options *options);
/* Raises the soft limit of open files where that is allowed. */
bool limits_allow_files(const struct run_options *options, struct error *err);

/* How many more threads and bytes the control group and the system have left, INT64_MAX: nobody says. `root` is "" but
 * for tests. */
int64_t limits_threads_left(const char *root);
int64_t limits_memory_left_bytes(const char *root);
/* Tried as well: so many are started, and end at once. */
bool limits_check_threads(const struct run_options *options, const char *root, struct error *err);
/* Also that of the process (ulimit -v, -d). */
bool limits_check_memory(const struct run_options *options, bool with_tls, const char *root, struct error *err);

#endif
