/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/marks.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/batch.h"
#include "engine/effects.h"
#include "engine/server_codes.h"

/* {name: {$in: [..]}} or {_id: {$in: [..]}} over the set's collections of `db`; `more` may be NULL. */
static int append_in(bson_t *doc, const char *key, const struct namespace_set *set, const char *db, const char *more)
{
    bson_t in, list;
    int count = 0;
    char number[16];
    const char *index;
    BSON_APPEND_DOCUMENT_BEGIN(doc, key, &in);
    BSON_APPEND_ARRAY_BEGIN(&in, "$in", &list);
    for (size_t i = 0; i <= set->count; i++) {
        const char *name = i < set->count ? set->items[i].coll : more;
        if (!name || (i < set->count && strcmp(set->items[i].db, db) != 0))
            continue;
        bson_uint32_to_string((uint32_t)count++, &index, number, sizeof number);
        BSON_APPEND_UTF8(&list, index, name);
    }
    bson_append_array_end(&in, &list);
    bson_append_document_end(doc, &in);
    return count;
}

static const char *text_of(const bson_t *document, const char *key)
{
    bson_iter_t iter;
    bool found = bson_iter_init_find(&iter, document, key) && BSON_ITER_HOLDS_UTF8(&iter);
    return found ? bson_iter_utf8(&iter, NULL) : "";
}

/* False: none, or null. */
static bool read_uuid(const bson_t *document, const char *path, uint8_t uuid[NAMESPACE_UUID_SIZE])
{
    bson_iter_t iter, found;
    bson_subtype_t subtype;
    uint32_t size;
    const uint8_t *bytes;
    if (!bson_iter_init(&iter, document) || !bson_iter_find_descendant(&iter, path, &found) ||
        !BSON_ITER_HOLDS_BINARY(&found))
        return false;
    bson_iter_binary(&found, &subtype, &size, &bytes);
    if (size != NAMESPACE_UUID_SIZE)
        return false;
    memcpy(uuid, bytes, size);
    return true;
}

struct listing {
    bool has_marks;
    bool pending_drop;
};

static void append_filter(bson_t *command, const struct namespace_set *set, const char *db, bool pending)
{
    bson_t filter, either, names, drops;
    BSON_APPEND_DOCUMENT_BEGIN(command, "filter", &filter);
    if (pending) {
        BSON_APPEND_ARRAY_BEGIN(&filter, "$or", &either);
        BSON_APPEND_DOCUMENT_BEGIN(&either, "0", &names);
        append_in(&names, "name", set, db, MARKS_COLLECTION);
        bson_append_document_end(&either, &names);
        BSON_APPEND_DOCUMENT_BEGIN(&either, "1", &drops);
        BSON_APPEND_REGEX(&drops, "name", "^system\\.drop\\.", "");
        bson_append_document_end(&either, &drops);
        bson_append_array_end(&filter, &either);
    } else {
        append_in(&filter, "name", set, db, MARKS_COLLECTION);
    }
    bson_append_document_end(command, &filter);
}

static void read_listing(const bson_t *reply, const struct namespace_set *set, const char *db, struct listing *listing)
{
    bson_iter_t documents;
    bson_t document;
    if (!batch_open(reply, &documents))
        return;
    while (batch_next(&documents, &document)) {
        const char *name = text_of(&document, "name");
        struct namespace_item *item = namespace_set_find(set, db, name);
        if (item) {
            item->state = NAMESPACE_FOREIGN;
            item->has_uuid = read_uuid(&document, "info.uuid", item->uuid);
        }
        listing->has_marks = listing->has_marks || strcmp(name, MARKS_COLLECTION) == 0;
        listing->pending_drop = listing->pending_drop || strncmp(name, "system.drop.", strlen("system.drop.")) == 0;
    }
}

static bool ask_listing(struct target *target, const struct namespace_set *set, const char *db, bool pending,
                        bson_t *reply, int32_t *code, struct error *err)
{
    bson_t command = BSON_INITIALIZER, cursor;
    BSON_APPEND_INT32(&command, "listCollections", 1);
    append_filter(&command, set, db, pending);
    if (pending)
        BSON_APPEND_BOOL(&command, "includePendingDrops", true);
    /* Room for all that is named and is being dropped, so that there is no second batch. */
    BSON_APPEND_DOCUMENT_BEGIN(&command, "cursor", &cursor);
    BSON_APPEND_INT32(&cursor, "batchSize", (int32_t)set->count + 10000);
    bson_append_document_end(&command, &cursor);
    bool ok = target_command(target, db, &command, reply, code, err);
    bson_destroy(&command);
    return ok;
}

/* Everything found becomes FOREIGN, everything else ABSENT; whose it is is the caller's to say. */
static bool list(struct target *target, struct namespace_set *set, const char *db, bool pending,
                 struct listing *listing, int32_t *code, struct error *err)
{
    bson_t reply;
    struct error reason = {0};
    bool ok = ask_listing(target, set, db, pending, &reply, code, &reason);
    if (!ok && pending && *code != 0) {
        /* A server without pending drops does not know how to list them, and each refuses it in its own way. */
        bson_destroy(&reply);
        error_init(&reason);
        ok = ask_listing(target, set, db, false, &reply, code, &reason);
    }
    for (size_t i = 0; i < set->count; i++) {
        if (strcmp(set->items[i].db, db) != 0)
            continue;
        set->items[i].state = NAMESPACE_ABSENT;
        set->items[i].has_uuid = false;
    }
    if (ok)
        read_listing(&reply, set, db, listing);
    else
        error_set(err, "%s", reason.message);
    bson_destroy(&reply);
    return ok;
}

static bool is_same_uuid(const struct namespace_item *a, const struct namespace_item *b)
{
    return a->has_uuid && b->has_uuid && memcmp(a->uuid, b->uuid, sizeof a->uuid) == 0;
}

/* Of a collection that is there, by its mark. */
static void judge_by_mark(const struct target *target, struct namespace_item *item, const bson_t *mark)
{
    struct namespace_item marked = {0};
    marked.has_uuid = read_uuid(mark, "uuid", marked.uuid);
    bool is_of_this_run = strcmp(text_of(mark, "run"), target->run_id) == 0;
    if (is_same_uuid(item, &marked) || (!item->has_uuid && !marked.has_uuid && is_of_this_run))
        item->state = NAMESPACE_OURS;
    else
        item->maybe_ours = !marked.has_uuid;
}

static bool read_marks(struct target *target, struct namespace_set *set, const char *db, int32_t *code,
                       struct error *err)
{
    bson_t command = BSON_INITIALIZER, filter, reply, mark;
    bson_iter_t documents;
    BSON_APPEND_UTF8(&command, "find", MARKS_COLLECTION);
    BSON_APPEND_DOCUMENT_BEGIN(&command, "filter", &filter);
    int count = append_in(&filter, "_id", set, db, NULL);
    bson_append_document_end(&command, &filter);
    BSON_APPEND_INT32(&command, "batchSize", count + 1);
    BSON_APPEND_BOOL(&command, "singleBatch", true);
    bool ok = target_command(target, db, &command, &reply, code, err);
    if (ok && batch_open(&reply, &documents)) {
        while (batch_next(&documents, &mark)) {
            struct namespace_item *item = namespace_set_find(set, db, text_of(&mark, "_id"));
            if (item && item->state == NAMESPACE_FOREIGN)
                judge_by_mark(target, item, &mark);
        }
    }
    bson_destroy(&reply);
    bson_destroy(&command);
    return ok;
}

bool marks_look(struct target *target, struct namespace_set *set, int32_t *code, struct error *err)
{
    for (size_t i = 0; i < set->count; i++) {
        if (!namespace_set_is_first(set, i))
            continue;
        struct listing listing = {0};
        const char *db = set->items[i].db;
        if (!list(target, set, db, false, &listing, code, err) ||
            (listing.has_marks && !read_marks(target, set, db, code, err)))
            return false;
    }
    return true;
}

/* What an operation makes anew has another uuid each time; so has what was made by a command without an answer. Once
 * seen, either is known by its uuid like all others. */
static void judge_by_memory(struct namespace_item *item, const struct namespace_item *seen)
{
    bool is_the_same = item->has_uuid ? is_same_uuid(item, seen) : !seen->has_uuid && item->state == NAMESPACE_OURS;
    bool is_new_of_ours = item->is_being_made || (item->by_ops & EFFECT_MAKES);
    if (seen->state == NAMESPACE_ABSENT) {
        item->state = NAMESPACE_ABSENT;
        return;
    }
    item->state = is_the_same || is_new_of_ours ? NAMESPACE_OURS : NAMESPACE_FOREIGN;
    if (item->state == NAMESPACE_FOREIGN)
        return;
    item->has_uuid = seen->has_uuid;
    memcpy(item->uuid, seen->uuid, sizeof item->uuid);
    item->is_being_made = false;
    item->by_ops &= ~(unsigned)EFFECT_MAKES;
}

bool marks_look_again(struct target *target, struct namespace_set *set, int32_t *code, struct error *err)
{
    struct namespace_set seen = *set;
    seen.items = memory_copy(set->items, set->count * sizeof *set->items);
    bool ok = true;
    for (size_t i = 0; ok && i < set->count; i++) {
        struct listing listing = {0};
        ok = !namespace_set_is_first(set, i) || list(target, &seen, set->items[i].db, false, &listing, code, err);
    }
    for (size_t i = 0; ok && i < set->count; i++)
        judge_by_memory(&set->items[i], &seen.items[i]);
    free(seen.items);
    return ok;
}

static void append_mark(bson_t *updates, uint32_t number, const struct target *target,
                        const struct namespace_item *item)
{
    bson_t update, q, u;
    char text[16];
    const char *index;
    bson_uint32_to_string(number, &index, text, sizeof text);
    BSON_APPEND_DOCUMENT_BEGIN(updates, index, &update);
    BSON_APPEND_DOCUMENT_BEGIN(&update, "q", &q);
    BSON_APPEND_UTF8(&q, "_id", item->coll);
    bson_append_document_end(&update, &q);
    BSON_APPEND_DOCUMENT_BEGIN(&update, "u", &u);
    BSON_APPEND_UTF8(&u, "_id", item->coll);
    if (item->has_uuid)
        BSON_APPEND_BINARY(&u, "uuid", BSON_SUBTYPE_UUID, item->uuid, NAMESPACE_UUID_SIZE);
    else
        BSON_APPEND_NULL(&u, "uuid");
    BSON_APPEND_UTF8(&u, "run", target->run_id);
    bson_append_document_end(&update, &u);
    /* Another run that struck out what it took for the last entry may have dropped the collection under us. */
    BSON_APPEND_BOOL(&update, "upsert", true);
    bson_append_document_end(updates, &update);
}

static bool write_marks(struct target *target, const struct namespace_set *set, const char *db, int32_t *code,
                        struct error *err)
{
    bson_t command = BSON_INITIALIZER, updates;
    uint32_t count = 0;
    BSON_APPEND_UTF8(&command, "update", MARKS_COLLECTION);
    BSON_APPEND_ARRAY_BEGIN(&command, "updates", &updates);
    for (size_t i = 0; i < set->count; i++) {
        if (strcmp(set->items[i].db, db) == 0)
            append_mark(&updates, count++, target, &set->items[i]);
    }
    bson_append_array_end(&command, &updates);
    bool ok = target_command(target, db, &command, NULL, code, err);
    bson_destroy(&command);
    return ok;
}

bool marks_write(struct target *target, const struct namespace_set *set, int32_t *code, struct error *err)
{
    for (size_t i = 0; i < set->count; i++) {
        if (namespace_set_is_first(set, i) && !write_marks(target, set, set->items[i].db, code, err))
            return false;
    }
    return true;
}

/* A view has no uuid; and a server that only says ok lists nothing. */
bool marks_made(struct target *target, struct namespace_item *item, int32_t *code, struct error *err)
{
    struct namespace_set alone = {.items = item, .count = 1};
    struct listing listing = {0};
    if (!list(target, &alone, item->db, false, &listing, code, err) ||
        (item->has_uuid && !write_marks(target, &alone, item->db, code, err)))
        return false;
    item->state = NAMESPACE_OURS;
    item->is_being_made = false;
    return true;
}

bool marks_pending_drop(struct target *target, const struct namespace_set *set, bool *pending_drop, int32_t *code,
                        struct error *err)
{
    *pending_drop = false;
    for (size_t i = 0; i < set->count; i++) {
        struct listing listing = {0};
        struct namespace_set none = {0};
        if (!namespace_set_is_first(set, i))
            continue;
        if (!list(target, &none, set->items[i].db, true, &listing, code, err))
            return false;
        *pending_drop = *pending_drop || listing.pending_drop;
    }
    return true;
}

bool marks_drop_collection(struct target *target, const char *db, const char *coll, int32_t *code, struct error *err)
{
    bson_t command = BSON_INITIALIZER;
    struct error reason = {0};
    BSON_APPEND_UTF8(&command, "drop", coll);
    bool ok = target_command(target, db, &command, NULL, code, &reason);
    bson_destroy(&command);
    if (ok || *code == SERVER_NAMESPACE_NOT_FOUND) {
        *code = 0;
        return true;
    }
    error_set(err, "%s", reason.message);
    return false;
}

static bool strike(struct target *target, const struct namespace_set *set, const char *db, int32_t *code,
                   struct error *err)
{
    bson_t command = BSON_INITIALIZER, deletes, entry, q;
    BSON_APPEND_UTF8(&command, "delete", MARKS_COLLECTION);
    BSON_APPEND_ARRAY_BEGIN(&command, "deletes", &deletes);
    BSON_APPEND_DOCUMENT_BEGIN(&deletes, "0", &entry);
    BSON_APPEND_DOCUMENT_BEGIN(&entry, "q", &q);
    append_in(&q, "_id", set, db, NULL);
    BSON_APPEND_UTF8(&q, "run", target->run_id);
    bson_append_document_end(&entry, &q);
    BSON_APPEND_INT32(&entry, "limit", 0);
    bson_append_document_end(&deletes, &entry);
    bson_append_array_end(&command, &deletes);
    bool ok = target_command(target, db, &command, NULL, code, err);
    bson_destroy(&command);
    return ok;
}

static bool is_empty(struct target *target, const char *db, bool *empty, int32_t *code, struct error *err)
{
    bson_t command = BSON_INITIALIZER, reply, mark;
    bson_iter_t documents;
    BSON_APPEND_UTF8(&command, "find", MARKS_COLLECTION);
    BSON_APPEND_INT32(&command, "limit", 1);
    BSON_APPEND_BOOL(&command, "singleBatch", true);
    bool ok = target_command(target, db, &command, &reply, code, err);
    *empty = ok && batch_open(&reply, &documents) && !batch_next(&documents, &mark);
    bson_destroy(&reply);
    bson_destroy(&command);
    return ok;
}

static struct namespace_set without_ours(const struct namespace_set *set)
{
    struct namespace_set rest = {.items = memory_zeroed(set->count, sizeof *rest.items)};
    for (size_t i = 0; i < set->count; i++) {
        if (set->items[i].state != NAMESPACE_OURS)
            rest.items[rest.count++] = set->items[i];
    }
    return rest;
}

static bool strike_in(struct target *target, const struct namespace_set *set, const char *db, int32_t *code,
                      struct error *err)
{
    bool empty;
    return strike(target, set, db, code, err) && is_empty(target, db, &empty, code, err) &&
           (!empty || marks_drop_collection(target, db, MARKS_COLLECTION, code, err));
}

bool marks_strike(struct target *target, const struct namespace_set *set, int32_t *code, struct error *err)
{
    struct namespace_set rest = without_ours(set);
    bool ok = true;
    for (size_t i = 0; ok && i < rest.count; i++)
        ok = !namespace_set_is_first(&rest, i) || strike_in(target, &rest, rest.items[i].db, code, err);
    free(rest.items);
    return ok;
}
