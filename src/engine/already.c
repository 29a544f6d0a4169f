/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/already.h"

#include <string.h>

#include "engine/batch.h"
#include "engine/server_codes.h"

/* Servers up to 4.x round the size of a capped collection up to a multiple of this. */
#define CAPPED_SIZE_STEP 256

/* What is no option of the thing made: its name, how the command is carried out, what the server adds by itself. */
static const char *const beside_collection[] = {
    "create",  "writeConcern",    "comment",          "maxTimeMS", "autoIndexId",
    "idIndex", "validationLevel", "validationAction", NULL,
};
static const char *const beside_index[] = {
    "name", "key", "ns", "v", "background", "textIndexVersion", "2dsphereIndexVersion", NULL,
};

static bool is_among(const char *key, const char *const *names)
{
    while (*names && strcmp(*names, key) != 0)
        names++;
    return *names != NULL;
}

static bool is_equal(const bson_iter_t *a, const bson_iter_t *b)
{
    bson_t one = BSON_INITIALIZER, other = BSON_INITIALIZER;
    bool equal = bson_append_iter(&one, "", 0, a) && bson_append_iter(&other, "", 0, b) && bson_equal(&one, &other);
    bson_destroy(&one);
    bson_destroy(&other);
    return equal;
}

static double number_of(const bson_iter_t *iter)
{
    return BSON_ITER_HOLDS_DOUBLE(iter) ? bson_iter_double(iter) : (double)bson_iter_as_int64(iter);
}

static bool covers_number(const bson_iter_t *listed, const bson_iter_t *asked)
{
    double difference = number_of(listed) - number_of(asked);
    bool is_size = strcmp(bson_iter_key(asked), "size") == 0;
    return difference == 0 || (is_size && difference > 0 && difference < CAPPED_SIZE_STEP);
}

/* An option that is off need not be listed. */
static bool is_off(const bson_iter_t *iter)
{
    return BSON_ITER_HOLDS_BOOL(iter) && !bson_iter_bool(iter);
}

/* Every member that was asked for is listed with that value: servers write out defaults beside it. */
static bool covers(const bson_iter_t *listed, const bson_iter_t *asked)
{
    bson_iter_t asked_child, listed_child;
    if (BSON_ITER_HOLDS_NUMBER(asked) && BSON_ITER_HOLDS_NUMBER(listed))
        return covers_number(listed, asked);
    if (!BSON_ITER_HOLDS_DOCUMENT(asked) || !BSON_ITER_HOLDS_DOCUMENT(listed))
        return is_equal(listed, asked);
    bool ok = bson_iter_recurse(asked, &asked_child);
    while (ok && bson_iter_next(&asked_child)) {
        bool is_listed =
            bson_iter_recurse(listed, &listed_child) && bson_iter_find(&listed_child, bson_iter_key(&asked_child));
        ok = is_listed ? covers(&listed_child, &asked_child) : is_off(&asked_child);
    }
    return ok;
}

/* The first option in which they differ; NULL: none. It belongs to the documents. */
static const char *find_difference(const bson_t *listed, const bson_t *asked, const char *const *beside)
{
    bson_iter_t iter, other;
    for (bool more = bson_iter_init(&iter, asked); more && bson_iter_next(&iter);) {
        if (is_among(bson_iter_key(&iter), beside))
            continue;
        bool is_listed = bson_iter_init_find(&other, listed, bson_iter_key(&iter));
        if (!(is_listed ? covers(&other, &iter) : is_off(&iter)))
            return bson_iter_key(&iter);
    }
    for (bool more = bson_iter_init(&iter, listed); more && bson_iter_next(&iter);) {
        const char *key = bson_iter_key(&iter);
        if (!is_among(key, beside) && !is_off(&iter) && !bson_has_field(asked, key))
            return key;
    }
    return NULL;
}

static bool document_at(const bson_t *parent, const char *path, bson_t *document)
{
    bson_iter_t iter, found;
    const uint8_t *bytes;
    uint32_t size;
    if (!bson_iter_init(&iter, parent) || !bson_iter_find_descendant(&iter, path, &found) ||
        !BSON_ITER_HOLDS_DOCUMENT(&found))
        return false;
    bson_iter_document(&found, &size, &bytes);
    return bson_init_static(document, bytes, size);
}

static const char *first_text(const bson_t *command)
{
    bson_iter_t iter;
    bool has_text = bson_iter_init(&iter, command) && bson_iter_next(&iter) && BSON_ITER_HOLDS_UTF8(&iter);
    return has_text ? bson_iter_utf8(&iter, NULL) : "";
}

static bool find_options(const bson_t *reply, const char *coll, bson_t *options)
{
    bson_iter_t list, name;
    bson_t entry;
    bool more = batch_open(reply, &list);
    while (more && batch_next(&list, &entry)) {
        if (bson_iter_init_find(&name, &entry, "name") && BSON_ITER_HOLDS_UTF8(&name) &&
            strcmp(bson_iter_utf8(&name, NULL), coll) == 0)
            return document_at(&entry, "options", options);
    }
    return false;
}

static bool has_same_options(struct target *target, const char *db, const bson_t *command, struct error *refusal)
{
    bson_t request = BSON_INITIALIZER, filter, reply, options;
    BSON_APPEND_INT32(&request, "listCollections", 1);
    BSON_APPEND_DOCUMENT_BEGIN(&request, "filter", &filter);
    BSON_APPEND_UTF8(&filter, "name", first_text(command));
    bson_append_document_end(&request, &filter);
    bool listed =
        target_command(target, db, &request, &reply, NULL, NULL) && find_options(&reply, first_text(command), &options);
    const char *difference = listed ? find_difference(&options, command, beside_collection) : NULL;
    if (difference)
        error_prefix(refusal, "the collection is there with another \"%s\"", difference);
    bson_destroy(&reply);
    bson_destroy(&request);
    return listed && !difference;
}

/* Keys in order, numbers of any type. */
static bool has_key(const bson_t *index, const bson_t *key)
{
    bson_t own;
    bson_iter_t a, b;
    if (!document_at(index, "key", &own) || !bson_iter_init(&a, &own) || !bson_iter_init(&b, key))
        return false;
    for (;;) {
        bool more = bson_iter_next(&a);
        if (more != bson_iter_next(&b))
            return false;
        if (!more)
            return true;
        if (strcmp(bson_iter_key(&a), bson_iter_key(&b)) != 0 || !covers(&a, &b))
            return false;
    }
}

/* Whether one of the collection's indexes is that one, under whatever name. */
static bool lists_index(const bson_t *reply, const bson_t *asked, struct error *refusal)
{
    bson_iter_t list;
    bson_t key, index;
    const char *difference = NULL;
    bool more = document_at(asked, "key", &key) && batch_open(reply, &list);
    while (more && batch_next(&list, &index)) {
        if (!has_key(&index, &key))
            continue;
        difference = find_difference(&index, asked, beside_index);
        if (!difference)
            return true;
    }
    if (difference)
        error_prefix(refusal, "an index of that key is there with another \"%s\"", difference);
    return false;
}

/* One that is refused takes the others of the command along, so all are looked for. */
static bool has_all_indexes(struct target *target, const char *db, const bson_t *command, struct error *refusal)
{
    bson_t request = BSON_INITIALIZER, reply, asked;
    bson_iter_t iter, list;
    BSON_APPEND_UTF8(&request, "listIndexes", first_text(command));
    bool ok = target_command(target, db, &request, &reply, NULL, NULL) &&
              bson_iter_init_find(&iter, command, "indexes") && BSON_ITER_HOLDS_ARRAY(&iter) &&
              bson_iter_recurse(&iter, &list);
    while (ok && batch_next(&list, &asked))
        ok = lists_index(&reply, &asked, refusal);
    bson_destroy(&reply);
    bson_destroy(&request);
    return ok;
}

bool already_so(struct target *target, const char *db, const bson_t *command, int32_t code, struct error *refusal)
{
    bson_iter_t iter;
    const char *name = bson_iter_init(&iter, command) && bson_iter_next(&iter) ? bson_iter_key(&iter) : "";
    if (strcmp(name, "drop") == 0)
        return code == SERVER_NAMESPACE_NOT_FOUND;
    if (strcmp(name, "create") == 0)
        return code == SERVER_NAMESPACE_EXISTS && has_same_options(target, db, command, refusal);
    if (strcmp(name, "createIndexes") == 0)
        return (code == SERVER_INDEX_ALREADY_EXISTS || code == SERVER_INDEX_OPTIONS_CONFLICT) &&
               has_all_indexes(target, db, command, refusal);
    return false;
}
