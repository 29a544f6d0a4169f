/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/load.h"

#include <stdlib.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "model/docgen.h"

#define BATCH_DOCUMENTS 1000
#define BATCH_BYTES (12 * 1024 * 1024)
/* Documents of one step differ little in size. */
#define ESTIMATE_SAMPLE 16
/* "_id", its type and twelve bytes, where the document brings none. */
#define OBJECT_ID_FIELD_BYTES 17

/* The documents of one request; `documents` keeps their memory from batch to batch. */
struct batch {
    bson_t documents[BATCH_DOCUMENTS];
    const bson_t *pointers[BATCH_DOCUMENTS];
    size_t count, bytes;
};

static void batch_clear(struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        bson_destroy(&batch->documents[i]);
    batch->count = batch->bytes = 0;
}

/* libmongoc itself puts the ObjectId first that it adds. */
static bool batch_send(struct batch *batch, mongoc_collection_t *collection, int32_t *code, struct error *err)
{
    bson_t options = BSON_INITIALIZER;
    bson_error_t reason = {0};
    BSON_APPEND_BOOL(&options, "validate", false);
    bool ok = mongoc_collection_insert_many(collection, batch->pointers, batch->count, &options, NULL, &reason);
    bson_destroy(&options);
    batch_clear(batch);
    if (ok)
        return true;
    *code =
        reason.domain == MONGOC_ERROR_SERVER || reason.domain == MONGOC_ERROR_WRITE_CONCERN ? (int32_t)reason.code : 0;
    error_set(err, *code ? "insert into %s: %s (code %d)" : "insert into %s: %s",
              mongoc_collection_get_name(collection), reason.message, *code);
    return false;
}

static bool load_range(struct docgen *docgen, uint64_t count, struct batch *batch, mongoc_collection_t *collection,
                       int32_t *code, struct error *err)
{
    for (uint64_t i = 0; i < count; i++) {
        bson_t *document = &batch->documents[batch->count];
        bson_init(document);
        batch->pointers[batch->count++] = document;
        if (!docgen_make(docgen, i, document, err))
            return false;
        batch->bytes += document->len;
        bool is_full = batch->count == BATCH_DOCUMENTS || batch->bytes >= BATCH_BYTES;
        if ((is_full || i + 1 == count) && !batch_send(batch, collection, code, err))
            return false;
        if (is_full && interrupt_signal()) {
            error_set(err, "interrupted");
            return false;
        }
    }
    return true;
}

bool load_documents(struct target *target, const struct load_config *config, int32_t *code, struct error *err)
{
    uint64_t count;
    if (!docgen_step_count(config->step, config->threads, &count, err))
        return false;
    struct docgen *docgen = docgen_new(json_object_get(config->step, "insert"), config->names, config->seed);
    struct batch *batch = memory_zeroed(1, sizeof *batch);
    mongoc_collection_t *collection = mongoc_client_get_collection(target->peer->client, config->db, config->coll);
    bool ok = load_range(docgen, count, batch, collection, code, err);
    mongoc_collection_destroy(collection);
    batch_clear(batch);
    free(batch);
    docgen_free(docgen);
    return ok;
}

static bool add_sample(struct docgen *docgen, uint64_t index, uint64_t *bytes, struct error *err)
{
    bson_t document = BSON_INITIALIZER;
    bool ok = docgen_make(docgen, index, &document, err);
    *bytes += document.len + (bson_has_field(&document, "_id") ? 0 : OBJECT_ID_FIELD_BYTES);
    bson_destroy(&document);
    return ok;
}

bool load_estimate(const struct load_config *config, uint64_t *documents, uint64_t *bytes, struct error *err)
{
    uint64_t count, sampled_bytes = 0;
    if (!docgen_step_count(config->step, config->threads, &count, err))
        return false;
    struct docgen *docgen = docgen_new(json_object_get(config->step, "insert"), config->names, config->seed);
    uint64_t sample = count < ESTIMATE_SAMPLE ? count : ESTIMATE_SAMPLE;
    bool ok = true;
    for (uint64_t i = 0; ok && i < sample; i++)
        ok = add_sample(docgen, i, &sampled_bytes, err);
    docgen_free(docgen);
    *documents += count;
    if (sample > 0)
        *bytes += (uint64_t)((double)sampled_bytes / (double)sample * (double)count);
    return ok;
}
