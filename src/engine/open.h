/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_OPEN_H
#define ENGINE_OPEN_H

#include "engine/outage.h"
#include "engine/target.h"

/*
 * Finds a deployment, connects and learns the testbed. `uri` is options->uri, or the local server's. Within seconds an
 * error says per host what is wrong (refused, unknown name, timed out, authentication failed with the server's
 * message). Nobody there on the default localhost:27017: the error names --local. A set that has no primary is waited
 * for: as long as serverSelectionTimeoutMS of the address says, else options->patience_ns; on_wait (may be NULL) hears
 * of it.
 */
bool target_open(struct target *target, const struct run_options *options, const char *uri, outage_fn *on_wait,
                 void *context, struct error *err);

#endif
