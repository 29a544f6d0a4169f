/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NULLSERVER_NULLSET_H
#define NULLSERVER_NULLSET_H

#include "nullserver/nullserver.h"

/*
 * A replica set of null servers, each on a port of its own. Elections happen as told, or by themselves; a member with a
 * fault that keeps it from answering at all (mute, hangup, refuse) is never elected by itself.
 */
struct nullset;

enum { NULLSET_MEMBERS_MAX = 7 };

struct nullset_config {
    unsigned members;     /* 1 to NULLSET_MEMBERS_MAX; the first is the primary */
    const char *name;     /* of the set */
    unsigned election_ms; /* so often the next member is elected; 0: as told only */
    unsigned vacancy_ms;  /* so long before that there is no primary */
    bool record;          /* as in struct nullserver_config */
};

struct nullset *nullset_start(const struct nullset_config *config, struct error *err);
/* Safe with NULL. */
void nullset_stop(struct nullset *set);
/* "127.0.0.1:1,127.0.0.1:2", owned by the set. */
const char *nullset_hosts(const struct nullset *set);
struct nullserver *nullset_member(const struct nullset *set, unsigned index);
/* From now on this member is the primary, -1: none is. */
void nullset_elect(struct nullset *set, int index);
void nullset_set_fault(struct nullset *set, unsigned index, enum nullserver_fault fault);

#endif
