/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_KILL_H
#define ENGINE_KILL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/target.h"

/*
 * Ends operations of this run that are still going on in the server: currentOp with $ownOps for our application name,
 * then killOp, until none is left or `limit_ns` has passed. *killed tells how many. False when the server does not
 * allow or know it, or operations remain.
 */
bool kill_operations(struct target *target, int64_t limit_ns, unsigned *killed, struct error *err);
/* Whether the server lists every operation, so that none listed means none there: MongoDB does; others list what they
 * please. */
bool kill_is_complete(const struct target *target);

#endif
