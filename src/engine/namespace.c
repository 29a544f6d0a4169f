/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/namespace.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/effects.h"

void namespace_set_release(struct namespace_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        free(set->items[i].db);
        free(set->items[i].coll);
    }
    free(set->items);
    *set = (struct namespace_set){0};
}

struct namespace_item *namespace_set_find(const struct namespace_set *set, const char *db, const char *coll)
{
    for (size_t i = 0; i < set->count; i++) {
        if (strcmp(set->items[i].db, db) == 0 && strcmp(set->items[i].coll, coll) == 0)
            return &set->items[i];
    }
    return NULL;
}

bool namespace_set_is_first(const struct namespace_set *set, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (strcmp(set->items[i].db, set->items[index].db) == 0)
            return false;
    }
    return true;
}

bool namespace_set_overlaps(const struct namespace_set *a, const struct namespace_set *b)
{
    for (size_t i = 0; i < a->count; i++) {
        if (namespace_set_find(b, a->items[i].db, a->items[i].coll))
            return true;
    }
    return false;
}

static struct namespace_item *find_or_add(struct namespace_set *set, const char *db, const char *coll)
{
    struct namespace_item *item = namespace_set_find(set, db, coll);
    if (item)
        return item;
    if (set->count == set->capacity) {
        set->capacity = set->capacity ? set->capacity * 2 : 4;
        set->items = memory_resize(set->items, set->capacity, sizeof *set->items);
    }
    item = &set->items[set->count++];
    *item = (struct namespace_item){.db = memory_strdup(db), .coll = memory_strdup(coll)};
    return item;
}

static bool add_steps(struct namespace_set *set, const char *list, const json_t *steps, const struct ejson_names *own,
                      struct error *err)
{
    struct effects effects = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < json_array_size(steps); i++) {
        ok = effects_of_step(json_array_get(steps, i), own, &effects, err);
        if (!ok)
            error_prefix(err, "/%s/%zu", list, i);
    }
    for (size_t i = 0; ok && i < effects.count; i++)
        find_or_add(set, effects.items[i].db, effects.items[i].coll);
    effects_release(&effects);
    return ok;
}

static bool add_ops(struct namespace_set *set, const json_t *ops, const struct ejson_names *own, struct error *err)
{
    struct effects effects = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < json_array_size(ops); i++) {
        ok = effects_of_op(json_array_get(ops, i), own, &effects, err);
        if (!ok)
            error_prefix(err, "/ops/%zu", i);
    }
    for (size_t i = 0; ok && i < effects.count; i++)
        find_or_add(set, effects.items[i].db, effects.items[i].coll)->by_ops |= effects.items[i].kinds;
    effects_release(&effects);
    return ok;
}

static bool add_collection(struct namespace_set *set, const struct testcase *test, const struct ejson_names *own,
                           struct error *err)
{
    find_or_add(set, own->db, own->coll);
    return add_steps(set, "pre", test->pre, own, err) && add_ops(set, test->ops, own, err) &&
           add_steps(set, "post", test->post, own, err);
}

bool namespace_set_init(struct namespace_set *set, const struct testcase *test, unsigned multidb, unsigned multicoll,
                        struct error *err)
{
    bool ok = true;
    *set = (struct namespace_set){0};
    for (unsigned i = 0; ok && i < multidb * multicoll; i++) {
        char *db = memory_printf("test%u", i / multicoll);
        char *coll = testcase_collection_name(test->name, i % multicoll);
        const struct ejson_names own = {db, coll};
        ok = add_collection(set, test, &own, err);
        free(db);
        free(coll);
    }
    if (!ok)
        namespace_set_release(set);
    return ok;
}
