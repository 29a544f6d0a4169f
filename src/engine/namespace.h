/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_NAMESPACE_H
#define ENGINE_NAMESPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/testcase.h"

#define NAMESPACE_UUID_SIZE 16

enum namespace_state {
    NAMESPACE_ABSENT,
    NAMESPACE_OURS,
    NAMESPACE_FOREIGN, /* there, and not made by benchrun */
};

/* One collection that a test case writes, makes or drops, and what is known of it. Strings are owned by the set. */
struct namespace_item {
    char *db, *coll;
    unsigned by_ops; /* EFFECT_* (effects.h) of the test's operations alone */
    enum namespace_state state;
    bool has_uuid; /* of the collection that is ours: the server gives one, and the mark holds it */
    uint8_t uuid[NAMESPACE_UUID_SIZE];
    bool is_being_made; /* a command that makes it has been sent, and what became of that is not known */
    bool maybe_ours;    /* FOREIGN: an earlier run was about to make it */
};

struct namespace_set {
    struct namespace_item *items;
    size_t count, capacity;
};

/* All collections of a test: those that benchrun names after it, and whatever else its steps and operations write, make
 * or drop (effects.h). In order, none twice. On failure there is nothing to release. */
bool namespace_set_init(struct namespace_set *set, const struct testcase *test, unsigned multidb, unsigned multicoll,
                        struct error *err);
void namespace_set_release(struct namespace_set *set);
/* NULL: the test does not name it. */
struct namespace_item *namespace_set_find(const struct namespace_set *set, const char *db, const char *coll);
/* Whether items[index] is the first of its database: to go through the databases. */
bool namespace_set_is_first(const struct namespace_set *set, size_t index);
/* Whether a collection is in both. */
bool namespace_set_overlaps(const struct namespace_set *a, const struct namespace_set *b);

#endif
