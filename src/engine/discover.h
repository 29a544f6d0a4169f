/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_DISCOVER_H
#define ENGINE_DISCOVER_H

#include <stdbool.h>

#include "base/error.h"
#include "engine/census.h"

/* Where operations are to be sent, as far as a census tells. No network. */
struct discovery {
    char *hosts;   /* the primary, or all routers of a cluster that answer; "a:1,b:2" as in an address */
    char *members; /* who is to be asked when these are lost; NULL: nobody, `hosts` is a single one */
    char *set;     /* the replica set that the primary belongs to; NULL: none */
    struct message_list warnings;
};

enum discover_finding {
    DISCOVER_FOUND,
    DISCOVER_NO_PRIMARY, /* there may soon be one */
    DISCOVER_NOBODY,     /* no server can be reached */
    DISCOVER_MISFIT,     /* what is there is not what was asked for */
};

/*
 * `wanted_set` may be NULL. Of several hosts, or a set, the primary is found that was elected last; where it answers
 * only to a name that its set does not know, it is a single one, with a warning. A census of one host asks for that
 * host (`is_direct`). `found` is filled in only when it is FOUND; else `err` says who is what, and what would help.
 */
enum discover_finding discover_judge(const struct census *census, const char *wanted_set, bool is_direct,
                                     struct discovery *found, struct error *err);
void discovery_release(struct discovery *found);

#endif
