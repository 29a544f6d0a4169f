/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/effects.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "engine/command_table.h"
#include "engine/marks.h"
#include "model/testcase.h"

/* A command while it is being read. */
struct command_reading {
    const json_t *command;
    const json_t *first; /* the value of its first key */
    const char *db;      /* that it is sent to */
    const struct ejson_names *own;
    struct effects *effects;
};

void effects_release(struct effects *effects)
{
    for (size_t i = 0; i < effects->count; i++) {
        free(effects->items[i].db);
        free(effects->items[i].coll);
    }
    free(effects->items);
    *effects = (struct effects){0};
}

static bool is_the_servers(const char *db, const char *coll)
{
    static const char *const databases[] = {"admin", "config", "local"};
    for (size_t i = 0; i < COUNT_OF(databases); i++)
        if (strcmp(db, databases[i]) == 0)
            return true;
    return strncmp(coll, "system.", strlen("system.")) == 0;
}

static struct effect *find_or_append(struct effects *effects, const char *db, const char *coll)
{
    for (size_t i = 0; i < effects->count; i++)
        if (strcmp(effects->items[i].db, db) == 0 && strcmp(effects->items[i].coll, coll) == 0)
            return &effects->items[i];
    if (effects->count == effects->capacity) {
        effects->capacity = effects->capacity ? effects->capacity * 2 : 4;
        effects->items = memory_resize(effects->items, effects->capacity, sizeof *effects->items);
    }
    struct effect *effect = &effects->items[effects->count++];
    *effect = (struct effect){.db = memory_strdup(db), .coll = memory_strdup(coll)};
    return effect;
}

static bool add(struct effects *effects, const char *db, const char *coll, unsigned kinds, struct error *err)
{
    if (*db == '\0' || *coll == '\0')
        error_set(err, "\"%s.%s\" is no database and collection", db, coll);
    else if (is_the_servers(db, coll))
        error_set(err, "%s.%s is a collection of the server's own: a test writes to collections of its own only", db,
                  coll);
    else if (strcmp(coll, MARKS_COLLECTION) == 0)
        error_set(err, "%s.%s is where benchrun notes what it has made: no test writes to it", db, coll);
    else {
        find_or_append(effects, db, coll)->kinds |= kinds;
        return true;
    }
    return false;
}

/* The caller frees; NULL: no plain text. */
static char *name_in(const json_t *value, const struct ejson_names *own, const char *what, struct error *err)
{
    const char *text = json_string_value(value);
    if (text)
        return testcase_resolve_string(text, own->db, own->coll);
    error_set(err, "%s: expected a name; one that is known only when the command runs may be anybody's", what);
    return NULL;
}

/* A collection of the database `db`. */
static bool add_named(const struct command_reading *reading, const char *db, const json_t *coll, const char *what,
                      unsigned kinds, struct error *err)
{
    char *name = name_in(coll, reading->own, what, err);
    bool ok = name && add(reading->effects, db, name, kinds, err);
    free(name);
    return ok;
}

/* "database.collection": the first dot ends the database. */
static bool add_full(const struct command_reading *reading, const json_t *ns, const char *what, unsigned kinds,
                     struct error *err)
{
    char *db = name_in(ns, reading->own, what, err);
    char *dot = db ? strchr(db, '.') : NULL;
    bool ok = false;
    if (dot) {
        *dot = '\0';
        ok = add(reading->effects, db, dot + 1, kinds, err);
    } else if (db) {
        error_set(err, "%s: expected \"database.collection\", got \"%s\"", what, db);
    }
    free(db);
    return ok;
}

/* {"db": database, "coll": collection}. */
static bool add_pair(const struct command_reading *reading, const json_t *pair, const char *what, unsigned kinds,
                     struct error *err)
{
    char *db = name_in(json_object_get(pair, "db"), reading->own, what, err);
    bool ok = db && add_named(reading, db, json_object_get(pair, "coll"), what, kinds, err);
    free(db);
    return ok;
}

static bool add_stage(const struct command_reading *reading, const char *stage, const json_t *target, struct error *err)
{
    bool merges = strcmp(stage, "$merge") == 0;
    unsigned kinds = merges ? EFFECT_WRITES : EFFECT_MAKES;
    const json_t *into = merges && json_is_object(target) ? json_object_get(target, "into") : target;
    if (json_is_object(into))
        return add_pair(reading, into, stage, kinds, err);
    return add_named(reading, reading->db, into, stage, kinds, err);
}

static bool is_writing_stage(const char *key)
{
    return strcmp(key, "$out") == 0 || strcmp(key, "$merge") == 0;
}

/* No server takes them there; one that did would write what nobody has looked at. */
static bool has_no_writing_stage(const json_t *value, struct error *err)
{
    const char *key;
    size_t index;
    json_t *child;
    json_object_foreach((json_t *)(uintptr_t)value, key, child) {
        if (is_writing_stage(key)) {
            error_set(err, "%s: allowed only as a stage of an aggregate command's own pipeline", key);
            return false;
        }
        if (!has_no_writing_stage(child, err))
            return false;
    }
    json_array_foreach(value, index, child) {
        if (!has_no_writing_stage(child, err))
            return false;
    }
    return true;
}

static bool read_pipeline(const struct command_reading *reading, struct error *err)
{
    const json_t *pipeline = json_object_get(reading->command, "pipeline");
    size_t index;
    json_t *stage, *value;
    const char *key;
    if (!json_is_array(pipeline)) {
        error_set(err, "pipeline: expected a list of stages");
        return false;
    }
    json_array_foreach(pipeline, index, stage) {
        json_object_foreach(stage, key, value) {
            if (!(is_writing_stage(key) ? add_stage(reading, key, value, err) : has_no_writing_stage(value, err)))
                return false;
        }
    }
    return true;
}

/* What an object "out" names, on the database `db`. "inline" is nothing beside another action: a server takes that. */
static bool add_actions(const struct command_reading *reading, const char *db, const json_t *out, unsigned kinds,
                        struct error *err)
{
    static const char *const actions[] = {"normal", "replace", "merge", "reduce"};
    bool is_named = json_object_get(out, "inline") != NULL;
    for (size_t i = 0; i < COUNT_OF(actions); i++) {
        const json_t *coll = json_object_get(out, actions[i]);
        if (coll && !add_named(reading, db, coll, "out", kinds, err))
            return false;
        is_named = is_named || coll;
    }
    return is_named || add_named(reading, db, NULL, "out", kinds, err);
}

/* A name, {"inline": 1}, or {"replace" | "merge" | "reduce": name, "db"?: name}. */
static bool read_map_reduce(const struct command_reading *reading, unsigned kinds, struct error *err)
{
    const json_t *out = json_object_get(reading->command, "out"), *db = json_object_get(out, "db");
    if (!json_is_object(out))
        return add_named(reading, reading->db, out, "out", kinds, err);
    char *database = db ? name_in(db, reading->own, "out", err) : memory_strdup(reading->db);
    bool ok = database && add_actions(reading, database, out, kinds, err);
    free(database);
    return ok;
}

static bool read_bulk(const struct command_reading *reading, unsigned kinds, struct error *err)
{
    const json_t *list = json_object_get(reading->command, "nsInfo");
    if (json_array_size(list) == 0) {
        error_set(err, "nsInfo: expected a list of {\"ns\": \"database.collection\"}");
        return false;
    }
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!add_full(reading, json_object_get(json_array_get(list, i), "ns"), "nsInfo", kinds, err))
            return false;
    return true;
}

static bool read_command(const struct command_reading *outer, const json_t *command, struct error *err);

static bool read_fsync(const struct command_reading *reading, struct error *err)
{
    if (!json_object_get(reading->command, "lock"))
        return true;
    error_set(err, "\"lock\" stops the writes of everybody");
    return false;
}

static bool read_form(const struct command_reading *reading, const struct command_row *row, struct error *err)
{
    const char *name = row->name;
    switch (row->form) {
    case COMMAND_READS:
        return true;
    case COMMAND_OWN:
        return add_named(reading, reading->db, reading->first, name, row->effect, err) &&
               has_no_writing_stage(json_object_get(reading->command, "pipeline"), err);
    case COMMAND_FULL:
        return add_full(reading, reading->first, name, row->effect, err);
    case COMMAND_CAPPED:
        return add_named(reading, reading->db, json_object_get(reading->command, "toCollection"), "toCollection",
                         row->effect, err);
    case COMMAND_RENAME:
        return add_full(reading, reading->first, name, EFFECT_DROPS, err) &&
               add_full(reading, json_object_get(reading->command, "to"), "to", EFFECT_MAKES, err);
    case COMMAND_BULK:
        return read_bulk(reading, row->effect, err);
    case COMMAND_AGGREGATE:
        return read_pipeline(reading, err);
    case COMMAND_MAP_REDUCE:
        return read_map_reduce(reading, row->effect, err);
    case COMMAND_EXPLAIN:
        return read_command(reading, reading->first, err);
    case COMMAND_FSYNC:
        return read_fsync(reading, err);
    case COMMAND_REFUSED:
        error_set(err, "the command %s is refused: %s", name, row->reason);
        return false;
    }
    return false;
}

static bool refuse_unknown(const char *name, struct error *err)
{
    const char *nearest = NULL;
    const struct command_row *row;
    for (unsigned i = 0; !nearest && (row = command_table_row(i)); i++)
        nearest = nearest_find(name, &row->name, 1);
    error_set(err,
              "the command %s is refused: benchrun does not know which collections it writes or drops, and touches "
              "its own only%s%s%s",
              name, nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
    return false;
}

/* What would send a command elsewhere than "db" says, or let its effect wait for another command. */
static bool is_envelope(const char *key)
{
    static const char *const names[] = {"lsid", "txnNumber", "autocommit", "startTransaction"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(key, names[i]) == 0)
            return true;
    return key[0] == '$';
}

/* Of the keys from `iter` on. */
static bool check_arguments(const json_t *command, void *iter, struct error *err)
{
    for (; iter; iter = json_object_iter_next((json_t *)(uintptr_t)command, iter)) {
        const char *key = json_object_iter_key(iter);
        if (!is_envelope(key))
            continue;
        error_set(err, "\"%s\": benchrun itself says where and how a command is sent; leave it out%s", key,
                  strcmp(key, "$db") == 0 ? " and name the database by \"db\" (in a mongoebench file, by \"ns\")" : "");
        return false;
    }
    return true;
}

/* `outer` brings database and names along. */
static bool read_command(const struct command_reading *outer, const json_t *command, struct error *err)
{
    void *iter = json_object_iter((json_t *)(uintptr_t)command);
    if (!iter) {
        error_set(err, "expected a command: an object with at least one key");
        return false;
    }
    struct command_reading reading = *outer;
    reading.command = command;
    reading.first = json_object_iter_value(iter);
    char *name = testcase_resolve_string(json_object_iter_key(iter), outer->own->db, outer->own->coll);
    const struct command_row *row = command_table_find(name);
    void *arguments = json_object_iter_next((json_t *)(uintptr_t)command, iter);
    bool ok =
        row ? check_arguments(command, arguments, err) && read_form(&reading, row, err) : refuse_unknown(name, err);
    free(name);
    return ok;
}

/* The database of a step's command is in "db", that of an operation's in "ns". */
bool effects_of_command(const json_t *entry, const struct ejson_names *own, struct effects *effects, struct error *err)
{
    const json_t *db = json_object_get(entry, json_object_get(entry, "op") ? "ns" : "db");
    char *name = db ? name_in(db, own, "db", err) : memory_strdup(own->db);
    const struct command_reading outer = {.db = name, .own = own, .effects = effects};
    bool ok = name && read_command(&outer, json_object_get(entry, "command"), err);
    free(name);
    return ok;
}

/* The collection that "ns" means, or the own one. */
static bool add_ns(const json_t *entry, const struct ejson_names *own, unsigned kinds, struct effects *effects,
                   struct error *err)
{
    char *db, *coll;
    testcase_resolve_namespace(json_string_value(json_object_get(entry, "ns")), own->db, own->coll, &db, &coll);
    bool ok = add(effects, db, coll, kinds, err);
    free(db);
    free(coll);
    return ok;
}

/* Its options go into the command {create: collection, ..options}, so they may hold nothing that a command may not. */
static bool check_create(const json_t *options, struct error *err)
{
    if (json_object_get(options, "create")) {
        error_set(err, "\"create\" is no option: the collection is named by \"ns\"");
        return false;
    }
    return check_arguments(options, json_object_iter((json_t *)(uintptr_t)options), err) &&
           has_no_writing_stage(json_object_get(options, "pipeline"), err);
}

bool effects_of_step(const json_t *step, const struct ejson_names *own, struct effects *effects, struct error *err)
{
    const json_t *options = json_object_get(step, "create");
    if (json_object_get(step, "command"))
        return effects_of_command(step, own, effects, err);
    if (json_object_get(step, "drop"))
        return add_ns(step, own, EFFECT_DROPS, effects, err);
    if (options)
        return check_create(options, err) && add_ns(step, own, EFFECT_MAKES, effects, err);
    return add_ns(step, own, EFFECT_WRITES, effects, err);
}

/* An operation that sends anything is taken to write. */
bool effects_of_op(const json_t *op, const struct ejson_names *own, struct effects *effects, struct error *err)
{
    const char *kind = json_string_value(json_object_get(op, "op"));
    if (json_object_get(op, "command"))
        return effects_of_command(op, own, effects, err);
    return (kind && strcmp(kind, "let") == 0) || add_ns(op, own, EFFECT_WRITES, effects, err);
}
