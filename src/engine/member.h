/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_MEMBER_H
#define ENGINE_MEMBER_H

#include <bson/bson.h>
#include <stdbool.h>
#include <stddef.h>

enum member_state {
    MEMBER_UNREACHABLE,
    MEMBER_STANDALONE,
    MEMBER_MONGOS,
    MEMBER_PRIMARY,
    MEMBER_SECONDARY,
    MEMBER_HIDDEN,
    MEMBER_ARBITER,
    MEMBER_OTHER,       /* starting, recovering, rolling back */
    MEMBER_UNINITIATED, /* of a set that has not been made yet */
};

/* What one server says of itself (hello). Strings are owned; NULL: it does not say. */
struct member {
    char *host; /* as it was called: host:port */
    enum member_state state;
    char *set;           /* the replica set's name */
    char *primary;       /* of the set, as its members call it */
    char *hosts;         /* the set's members, as they call each other: "a:1,b:2" */
    char *cause;         /* UNREACHABLE: why */
    bson_oid_t election; /* of a primary: grows with every election; all zeros: it does not say */
};

/* `hello` may be NULL: unreachable. */
void member_init(struct member *member, const char *host, const bson_t *hello);
void member_release(struct member *member);
/* Two members of a set may both call themselves primary for a while: whether `member` was elected after `other`. */
bool member_is_newer_primary(const struct member *member, const struct member *other);
bool member_takes_writes(const struct member *member);
/* "SECONDARY", "a mongos", ... */
const char *member_state_text(enum member_state state);

#endif
