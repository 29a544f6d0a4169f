/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/namespace.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

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

/* Takes both strings over. */
static void add(struct namespace_set *set, char *db, char *coll)
{
    if (*db == '\0' || *coll == '\0' || namespace_set_find(set, db, coll)) {
        free(db);
        free(coll);
        return;
    }
    if (set->count == set->capacity) {
        set->capacity = set->capacity ? set->capacity * 2 : 4;
        set->items = memory_resize(set->items, set->capacity, sizeof *set->items);
    }
    set->items[set->count++] = (struct namespace_item){.db = db, .coll = coll};
}

void namespace_resolve(const char *ns, const struct ejson_names *own, char **db, char **coll)
{
    char *text = ns ? testcase_resolve_string(ns, own->db, own->coll) : memory_strdup(own->coll);
    size_t own_length = strlen(own->db);
    const char *dot = ns ? strchr(text, '.') : NULL;
    if (!dot) {
        *db = memory_strdup(own->db);
        *coll = text;
        return;
    }
    if (strncmp(text, own->db, own_length) == 0 && text[own_length] == '.')
        dot = text + own_length;
    *db = memory_printf("%.*s", (int)(dot - text), text);
    *coll = memory_strdup(dot + 1);
    free(text);
}

const char *namespace_of_command(json_t *command)
{
    static const char *const writers[] = {
        "insert", "update",        "delete",      "findAndModify", "findandmodify",   "create",
        "drop",   "createIndexes", "dropIndexes", "collMod",       "convertToCapped", "bulkWrite"};
    void *first = json_object_iter(command);
    const char *coll = first ? json_string_value(json_object_iter_value(first)) : NULL;
    for (size_t i = 0; coll && i < sizeof writers / sizeof *writers; i++) {
        if (strcmp(json_object_iter_key(first), writers[i]) == 0)
            return coll;
    }
    return NULL;
}

static bool names_collection(const char *text)
{
    return strncmp(text, "#B_COLL", strlen("#B_COLL")) == 0 || strncmp(text, "#B_NS", strlen("#B_NS")) == 0;
}

/* $lookup, $out and the like name collections anywhere in a pipeline. */
static void collect_names(struct namespace_set *set, json_t *value, const struct ejson_names *own)
{
    const char *key;
    json_t *child;
    size_t index;
    const char *text = json_string_value(value);
    if (text && names_collection(text)) {
        char *db, *coll;
        namespace_resolve(text, own, &db, &coll);
        add(set, db, coll);
    }
    json_object_foreach(value, key, child)
    {
        collect_names(set, child, own);
    }
    json_array_foreach(value, index, child)
    {
        collect_names(set, child, own);
    }
}

/* The "ns" of a step or operation; of an operation with a command it is a database. */
static void collect_entry(struct namespace_set *set, json_t *entry, const struct ejson_names *own)
{
    char *db, *coll;
    json_t *command = json_object_get(entry, "command");
    const char *ns = json_string_value(json_object_get(entry, "ns"));
    const char *written = namespace_of_command(command);
    if (ns && !command) {
        namespace_resolve(ns, own, &db, &coll);
        add(set, db, coll);
    }
    if (written && !json_object_get(entry, "db")) {
        namespace_resolve(written, own, &db, &coll);
        add(set, db, coll);
    }
    collect_names(set, entry, own);
}

static void collect_list(struct namespace_set *set, const json_t *list, const struct ejson_names *own)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        collect_entry(set, json_array_get(list, i), own);
}

void namespace_set_init(struct namespace_set *set, const struct testcase *test, unsigned multidb, unsigned multicoll)
{
    *set = (struct namespace_set){0};
    for (unsigned i = 0; i < multidb; i++) {
        for (unsigned j = 0; j < multicoll; j++) {
            char *db = memory_printf("test%u", i);
            char *coll = testcase_collection_name(test->name, j);
            struct ejson_names own = {db, coll};
            add(set, memory_strdup(db), memory_strdup(coll));
            collect_list(set, test->pre, &own);
            collect_list(set, test->ops, &own);
            collect_list(set, test->post, &own);
            free(db);
            free(coll);
        }
    }
}
