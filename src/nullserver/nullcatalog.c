/* SPDX-License-Identifier: Apache-2.0 */
#include "nullserver/nullcatalog.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"

/* An index entry of MongoDB 4.0 stays below this, BSON included. */
enum { INDEX_KEY_MAX = 1024 };

struct catalog_index {
    char *name;
    uint8_t *spec; /* a document: what createIndexes was given */
};

struct collection {
    char *db, *name;
    uint8_t uuid[NULLWIRE_UUID_SIZE];
    bool is_view;
    struct buffer options; /* a document */
    struct catalog_index *indexes;
    size_t index_count;
    char **long_fields; /* have held a text that is too long for an index */
    size_t long_field_count;
};

struct nullcatalog {
    enum nullserver_era era;
    uint64_t made; /* collections so far: their uuids */
    struct collection *items;
    size_t count;
};

/* One command that is being answered. */
struct asked {
    struct nullcatalog *catalog;
    const struct nullwire_request *request;
    const char *db, *name;
    struct collection *collection; /* NULL: it is not there */
    struct buffer *out;
};

struct nullcatalog *nullcatalog_new(enum nullserver_era era)
{
    struct nullcatalog *catalog = memory_zeroed(1, sizeof *catalog);
    catalog->era = era;
    return catalog;
}

static void release(struct collection *collection)
{
    for (size_t i = 0; i < collection->index_count; i++) {
        free(collection->indexes[i].name);
        free(collection->indexes[i].spec);
    }
    for (size_t i = 0; i < collection->long_field_count; i++)
        free(collection->long_fields[i]);
    free(collection->indexes);
    free(collection->long_fields);
    free(collection->db);
    free(collection->name);
    buffer_release(&collection->options);
}

void nullcatalog_free(struct nullcatalog *catalog)
{
    for (size_t i = 0; catalog && i < catalog->count; i++)
        release(&catalog->items[i]);
    if (catalog)
        free(catalog->items);
    free(catalog);
}

static struct collection *find(const struct nullcatalog *catalog, const char *db, const char *name)
{
    for (size_t i = 0; i < catalog->count; i++)
        if (strcmp(catalog->items[i].db, db) == 0 && strcmp(catalog->items[i].name, name) == 0)
            return &catalog->items[i];
    return NULL;
}

static void add_index(struct collection *collection, const char *name, const uint8_t *spec)
{
    collection->indexes = memory_resize(collection->indexes, collection->index_count + 1, sizeof(struct catalog_index));
    collection->indexes[collection->index_count++] =
        (struct catalog_index){memory_strdup(name), memory_copy(spec, (size_t)nullwire_int32(spec))};
}

static void add_id_index(struct collection *collection)
{
    struct buffer spec = {0};
    size_t document = nullwire_document_begin(&spec);
    nullwire_append_int32(&spec, "v", 2);
    size_t key = nullwire_nested_begin(&spec, "key", false);
    nullwire_append_int32(&spec, "_id", 1);
    nullwire_document_end(&spec, key);
    nullwire_append_string(&spec, "name", "_id_");
    nullwire_document_end(&spec, document);
    add_index(collection, "_id_", spec.data);
    buffer_release(&spec);
}

/* Not options: how the command is sent. */
static bool is_envelope(const char *key)
{
    return key[0] == '$' || strcmp(key, "lsid") == 0 || strcmp(key, "writeConcern") == 0;
}

/* All members of a create command but the first and the envelope. */
static void copy_options(const struct nullwire_request *request, struct buffer *options)
{
    struct nullwire_element element;
    size_t document = nullwire_document_begin(options);
    for (size_t at = 4; nullwire_next(request->body, &at, &element);)
        if (element.key != request->command && !is_envelope(element.key))
            nullwire_append_copy(options, element.key, &element);
    nullwire_document_end(options, document);
}

/* Takes `options` over. */
static struct collection *make(struct nullcatalog *catalog, const char *db, const char *name, struct buffer options)
{
    struct nullwire_element ignored;
    catalog->items = memory_resize(catalog->items, catalog->count + 1, sizeof *catalog->items);
    struct collection *collection = &catalog->items[catalog->count++];
    *collection = (struct collection){.db = memory_strdup(db), .name = memory_strdup(name), .options = options};
    uint64_t number = ++catalog->made;
    memcpy(collection->uuid, &number, sizeof number);
    collection->is_view = nullwire_find(options.data, "viewOn", &ignored);
    add_id_index(collection);
    return collection;
}

static struct collection *make_plain(struct nullcatalog *catalog, const char *db, const char *name)
{
    struct buffer options = {0};
    nullwire_document_end(&options, nullwire_document_begin(&options));
    return make(catalog, db, name, options);
}

static void remove_collection(struct nullcatalog *catalog, struct collection *collection)
{
    release(collection);
    *collection = catalog->items[--catalog->count];
}

static bool refuse(const struct asked *asked, int32_t code, const char *code_name, const char *message)
{
    nullwire_append_double(asked->out, "ok", 0);
    nullwire_append_string(asked->out, "errmsg", message);
    nullwire_append_int32(asked->out, "code", code);
    nullwire_append_string(asked->out, "codeName", code_name);
    return false;
}

static bool not_found(const struct asked *asked)
{
    return refuse(asked, 26, "NamespaceNotFound", "ns not found");
}

/* Since 7.0 a create of what is there with the same options is good. */
static bool answer_create(const struct asked *asked)
{
    struct buffer options = {0};
    copy_options(asked->request, &options);
    if (!asked->collection) {
        make(asked->catalog, asked->db, asked->name, options);
        return true;
    }
    const struct buffer *there = &asked->collection->options;
    bool is_same = there->size == options.size && memcmp(there->data, options.data, options.size) == 0;
    buffer_release(&options);
    if (asked->catalog->era == NULLSERVER_8_0 && is_same)
        return true;
    return refuse(asked, 48, "NamespaceExists", "a collection of that name already exists");
}

/* Since 7.0 a drop of what is absent is good. */
static bool answer_drop(const struct asked *asked)
{
    if (!asked->collection)
        return asked->catalog->era == NULLSERVER_8_0 || not_found(asked);
    remove_collection(asked->catalog, asked->collection);
    return true;
}

/* Both have the member, and the same, or neither has it. */
static bool is_same_in(const uint8_t *a, const uint8_t *b, const char *key)
{
    struct nullwire_element one, other;
    bool has_one = nullwire_find(a, key, &one), has_other = nullwire_find(b, key, &other);
    if (!has_one || !has_other)
        return has_one == has_other;
    return one.type == other.type && one.value_size == other.value_size &&
           memcmp(one.value, other.value, one.value_size) == 0;
}

static bool has_same_options(const uint8_t *a, const uint8_t *b)
{
    return is_same_in(a, b, "unique") && is_same_in(a, b, "sparse") && is_same_in(a, b, "expireAfterSeconds");
}

static bool has_long_field(const struct collection *collection, const uint8_t *spec)
{
    struct nullwire_element key, element;
    if (!nullwire_find(spec, "key", &key) || !nullwire_as_document(&key))
        return false;
    for (size_t i = 0; i < collection->long_field_count; i++)
        if (nullwire_find(key.value, collection->long_fields[i], &element))
            return true;
    return false;
}

/* False: refused. *is_there: nothing is to be made. */
static bool check_index(const struct asked *asked, const uint8_t *spec, const char *name, bool *is_there)
{
    const struct collection *collection = asked->collection;
    *is_there = false;
    for (size_t i = 0; i < collection->index_count; i++) {
        bool same_name = strcmp(collection->indexes[i].name, name) == 0;
        bool same_key = is_same_in(collection->indexes[i].spec, spec, "key");
        if (same_key && !same_name)
            return refuse(asked, 85, "IndexOptionsConflict", "Index already exists with a different name");
        if (same_name && !same_key)
            return refuse(asked, 86, "IndexKeySpecsConflict", "An existing index has the same name");
        if (same_name && !has_same_options(collection->indexes[i].spec, spec))
            return refuse(asked, 85, "IndexOptionsConflict", "Index already exists with different options");
        *is_there = *is_there || same_name;
    }
    if (asked->catalog->era == NULLSERVER_4_0 && !*is_there && has_long_field(collection, spec))
        return refuse(asked, 17280, "KeyTooLong", "WiredTigerIndex::insert: key too large to index, failing");
    return true;
}

static bool answer_create_indexes(struct asked *asked)
{
    struct nullwire_element list, element;
    if (!asked->collection)
        asked->collection = make_plain(asked->catalog, asked->db, asked->name);
    int32_t before = (int32_t)asked->collection->index_count;
    if (!nullwire_find(asked->request->body, "indexes", &list) || !nullwire_as_document(&list))
        return refuse(asked, 9, "FailedToParse", "indexes?");
    for (size_t at = 4; nullwire_next(list.value, &at, &element);) {
        const uint8_t *spec = nullwire_as_document(&element);
        const char *name = spec ? nullwire_find_string(spec, "name") : NULL;
        bool is_there;
        if (!name)
            return refuse(asked, 9, "FailedToParse", "an index needs a name");
        if (!check_index(asked, spec, name, &is_there))
            return false;
        if (!is_there)
            add_index(asked->collection, name, spec);
    }
    nullwire_append_int32(asked->out, "numIndexesBefore", before);
    nullwire_append_int32(asked->out, "numIndexesAfter", (int32_t)asked->collection->index_count);
    return true;
}

static size_t begin_batch(const struct asked *asked, size_t *cursor)
{
    char ns[300];
    *cursor = nullwire_nested_begin(asked->out, "cursor", false);
    snprintf(ns, sizeof ns, "%s.$cmd.%s", asked->db, asked->request->command);
    nullwire_append_int64(asked->out, "id", 0);
    nullwire_append_string(asked->out, "ns", ns);
    return nullwire_nested_begin(asked->out, "firstBatch", true);
}

static void append_collection(struct buffer *out, unsigned number, const struct collection *collection)
{
    char key[16];
    snprintf(key, sizeof key, "%u", number);
    size_t entry = nullwire_nested_begin(out, key, false);
    nullwire_append_string(out, "name", collection->name);
    nullwire_append_string(out, "type", collection->is_view ? "view" : "collection");
    nullwire_append_document(out, "options", collection->options.data);
    size_t info = nullwire_nested_begin(out, "info", false);
    nullwire_append_bool(out, "readOnly", collection->is_view);
    if (!collection->is_view)
        nullwire_append_uuid(out, "uuid", collection->uuid);
    nullwire_document_end(out, info);
    nullwire_document_end(out, entry);
}

/* All of the database, whatever the filter says: who asks must look for what he named. */
static bool answer_list_collections(const struct asked *asked)
{
    size_t cursor, batch = begin_batch(asked, &cursor);
    unsigned number = 0;
    for (size_t i = 0; i < asked->catalog->count; i++)
        if (strcmp(asked->catalog->items[i].db, asked->db) == 0)
            append_collection(asked->out, number++, &asked->catalog->items[i]);
    nullwire_document_end(asked->out, batch);
    nullwire_document_end(asked->out, cursor);
    return true;
}

static bool answer_list_indexes(const struct asked *asked)
{
    if (!asked->collection)
        return not_found(asked);
    size_t cursor, batch = begin_batch(asked, &cursor);
    for (size_t i = 0; i < asked->collection->index_count; i++) {
        char key[24];
        snprintf(key, sizeof key, "%zu", i);
        nullwire_append_document(asked->out, key, asked->collection->indexes[i].spec);
    }
    nullwire_document_end(asked->out, batch);
    nullwire_document_end(asked->out, cursor);
    return true;
}

static void note_long_field(struct collection *collection, const char *field)
{
    for (size_t i = 0; i < collection->long_field_count; i++)
        if (strcmp(collection->long_fields[i], field) == 0)
            return;
    collection->long_fields =
        memory_resize(collection->long_fields, collection->long_field_count + 1, sizeof *collection->long_fields);
    collection->long_fields[collection->long_field_count++] = memory_strdup(field);
}

static void note_documents(const struct asked *asked)
{
    const uint8_t *document;
    struct nullwire_element element;
    for (size_t at = 0; nullwire_next_inserted(asked->request, &at, &document);)
        for (size_t inner = 4; nullwire_next(document, &inner, &element);)
            if (nullwire_as_string(&element) && element.value_size >= INDEX_KEY_MAX)
                note_long_field(asked->collection, element.key);
}

/* The plain answer follows. */
static void take_write(struct asked *asked)
{
    if (!asked->collection)
        asked->collection = make_plain(asked->catalog, asked->db, asked->name);
    if (strcmp(asked->request->command, "insert") == 0)
        note_documents(asked);
}

static bool answer(struct asked *asked)
{
    const char *command = asked->request->command;
    if (strcmp(command, "create") == 0)
        return answer_create(asked);
    if (strcmp(command, "drop") == 0)
        return answer_drop(asked);
    if (strcmp(command, "createIndexes") == 0)
        return answer_create_indexes(asked);
    if (strcmp(command, "listCollections") == 0)
        return answer_list_collections(asked);
    if (strcmp(command, "listIndexes") == 0)
        return answer_list_indexes(asked);
    return asked->collection || not_found(asked);
}

static bool is_among(const char *command, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], command) == 0)
            return true;
    return false;
}

bool nullcatalog_answer(struct nullcatalog *catalog, struct buffer *out, const struct nullwire_request *request)
{
    static const char *const writes[] = {"insert", "update"};
    static const char *const commands[] = {"create",      "drop",    "createIndexes", "listCollections",
                                           "listIndexes", "collMod", "dropIndexes"};
    const char *db = nullwire_find_string(request->body, "$db");
    const char *name = nullwire_find_string(request->body, request->command);
    struct asked asked = {.catalog = catalog, .request = request, .db = db, .name = name ? name : "", .out = out};
    asked.collection = db ? find(catalog, db, asked.name) : NULL;
    if (db && name && is_among(request->command, writes, COUNT_OF(writes)))
        take_write(&asked);
    if (!db || !is_among(request->command, commands, COUNT_OF(commands)))
        return false;
    size_t message = nullwire_reply_begin(out, request), document = nullwire_document_begin(out);
    if (answer(&asked))
        nullwire_append_double(out, "ok", 1);
    nullwire_document_end(out, document);
    nullwire_reply_end(out, message);
    return true;
}
