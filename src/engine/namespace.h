/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_NAMESPACE_H
#define ENGINE_NAMESPACE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/ejson.h"
#include "model/testcase.h"

#define NAMESPACE_UUID_SIZE 16

enum namespace_state {
    NAMESPACE_ABSENT,
    NAMESPACE_OURS,
    NAMESPACE_FOREIGN, /* there, and not made by benchrun */
};

/* One collection that a test case touches, and what is known of it. Strings are owned by the set. */
struct namespace_item {
    char *db, *coll;
    enum namespace_state state;
    bool db_has_marks; /* the database has a collection of marks */
    bool has_uuid;
    uint8_t uuid[NAMESPACE_UUID_SIZE];
};

struct namespace_set {
    struct namespace_item *items;
    size_t count, capacity;
};

/*
 * All collections of a test: those that benchrun names after it, and whatever else its steps and operations name by
 * "ns", by #B_COLL or #B_NS, or as what a command writes to. In order, none twice.
 */
void namespace_set_init(struct namespace_set *set, const struct testcase *test, unsigned multidb, unsigned multicoll);
void namespace_set_release(struct namespace_set *set);
/* NULL: the test does not name it. */
struct namespace_item *namespace_set_find(const struct namespace_set *set, const char *db, const char *coll);
/* Whether items[index] is the first of its database: to go through the databases. */
bool namespace_set_is_first(const struct namespace_set *set, size_t index);

/*
 * What an "ns" means: "<own db>.<coll>" and a text without a dot are collections of the own database; any other dot
 * ends the database's name, as in mongo-perf. NULL: the test's own collection. The caller frees both.
 */
void namespace_resolve(const char *ns, const struct ejson_names *own, char **db, char **coll);
/* The collection that a command writes to, made or dropped by it included; NULL: it writes to none by its name. */
const char *namespace_of_command(json_t *command);

#endif
