/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_DISCOVER_H
#define ENGINE_DISCOVER_H

#include <stdbool.h>

#include "base/error.h"
#include "engine/member.h"
#include "engine/target.h"

/* Who is where in a deployment: every server is asked by itself. */

/* Why no operation can be sent to this server, and what would help. */
void discover_report(const struct member *member, struct error *err);

/* Whether the one host that is named is in the set that is named, if any; one that does not answer may be. */
bool discover_check_set(const struct target *target, struct error *err);

enum discover_finding {
    DISCOVER_FOUND, /* target->uri leads to the primary now, or always did */
    DISCOVER_WAIT,  /* no primary, but there may soon be one */
    DISCOVER_FATAL,
};

/*
 * For several hosts, or a replica set: finds the members and makes the target's address name all of them, so that the
 * primary is found again when the host that was named is the one that goes. Where the primary answers only to a name
 * that its set does not know, the address leads directly there, with a warning.
 */
enum discover_finding discover_set(struct target *target, struct error *err);

#endif
