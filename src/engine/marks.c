/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/marks.h"

#include <string.h>

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

/* Goes through the first batch of a cursor's reply, which is all of it: what was asked for is named. */
static bool first_batch(const bson_t *reply, bson_iter_t *documents)
{
    bson_iter_t iter, found;
    return bson_iter_init(&iter, reply) && bson_iter_find_descendant(&iter, "cursor.firstBatch", &found) &&
           BSON_ITER_HOLDS_ARRAY(&found) && bson_iter_recurse(&found, documents);
}

static bool next_document(bson_iter_t *documents, bson_t *document)
{
    const uint8_t *bytes;
    uint32_t size;
    while (bson_iter_next(documents)) {
        if (!BSON_ITER_HOLDS_DOCUMENT(documents))
            continue;
        bson_iter_document(documents, &size, &bytes);
        return bson_init_static(document, bytes, size);
    }
    return false;
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
    if (!first_batch(reply, &documents))
        return;
    while (next_document(&documents, &document)) {
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

static bool is_ours(const struct namespace_item *item, const bson_t *mark)
{
    uint8_t uuid[NAMESPACE_UUID_SIZE];
    bson_iter_t iter;
    if (item->has_uuid && read_uuid(mark, "uuid", uuid))
        return memcmp(item->uuid, uuid, sizeof uuid) == 0;
    return bson_iter_init_find(&iter, mark, "absent") && BSON_ITER_HOLDS_BOOL(&iter) && bson_iter_bool(&iter);
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
    if (ok && first_batch(&reply, &documents)) {
        while (next_document(&documents, &mark)) {
            struct namespace_item *item = namespace_set_find(set, db, text_of(&mark, "_id"));
            if (item && item->state == NAMESPACE_FOREIGN && is_ours(item, &mark))
                item->state = NAMESPACE_OURS;
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
        if (!list(target, set, db, false, &listing, code, err))
            return false;
        if (listing.has_marks && !read_marks(target, set, db, code, err))
            return false;
        set->items[i].db_has_marks = listing.has_marks;
    }
    return true;
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
    BSON_APPEND_BOOL(&u, "absent", true);
    bson_append_document_end(&update, &u);
    /* Another run that struck out what it took for the last entry may have dropped the collection under us. */
    BSON_APPEND_BOOL(&update, "upsert", true);
    bson_append_document_end(updates, &update);
}

/* Marks the collections of `db`: all, or those that have a uuid. */
static bool write_marks(struct target *target, const struct namespace_set *set, const char *db, bool with_uuid,
                        int32_t *code, struct error *err)
{
    bson_t command = BSON_INITIALIZER, updates;
    uint32_t count = 0;
    BSON_APPEND_UTF8(&command, "update", MARKS_COLLECTION);
    BSON_APPEND_ARRAY_BEGIN(&command, "updates", &updates);
    for (size_t i = 0; i < set->count; i++) {
        if (strcmp(set->items[i].db, db) == 0 && (set->items[i].has_uuid || !with_uuid))
            append_mark(&updates, count++, target, &set->items[i]);
    }
    bson_append_array_end(&command, &updates);
    bool ok = count == 0 || target_command(target, db, &command, NULL, code, err);
    bson_destroy(&command);
    return ok;
}

bool marks_write(struct target *target, const struct namespace_set *set, int32_t *code, struct error *err)
{
    for (size_t i = 0; i < set->count; i++) {
        if (namespace_set_is_first(set, i) && !write_marks(target, set, set->items[i].db, false, code, err))
            return false;
    }
    return true;
}

bool marks_fill(struct target *target, struct namespace_set *set, bool *pending_drop, int32_t *code, struct error *err)
{
    *pending_drop = false;
    for (size_t i = 0; i < set->count; i++) {
        if (!namespace_set_is_first(set, i))
            continue;
        struct listing listing = {0};
        if (!list(target, set, set->items[i].db, true, &listing, code, err) ||
            !write_marks(target, set, set->items[i].db, true, code, err))
            return false;
        *pending_drop = *pending_drop || listing.pending_drop;
    }
    /* Absent when they were marked, and made by us since. */
    for (size_t i = 0; i < set->count; i++) {
        if (set->items[i].state == NAMESPACE_FOREIGN)
            set->items[i].state = NAMESPACE_OURS;
    }
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
    *empty = ok && first_batch(&reply, &documents) && !next_document(&documents, &mark);
    bson_destroy(&reply);
    bson_destroy(&command);
    return ok;
}

bool marks_strike(struct target *target, const struct namespace_set *set, int32_t *code, struct error *err)
{
    for (size_t i = 0; i < set->count; i++) {
        const char *db = set->items[i].db;
        bool empty;
        /* The first of its database knows. */
        if (!namespace_set_is_first(set, i) || !set->items[i].db_has_marks)
            continue;
        if (!strike(target, set, db, code, err) || !is_empty(target, db, &empty, code, err))
            return false;
        if (empty && !marks_drop_collection(target, db, MARKS_COLLECTION, code, err))
            return false;
    }
    return true;
}
