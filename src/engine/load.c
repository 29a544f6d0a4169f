/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/load.h"

#include <inttypes.h>
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

/* Where the documents go, and what has become of that. */
struct loading {
    struct batch batch;
    mongoc_collection_t *collection;
    int32_t *code;
    bool *is_unanswered;
};

static bool is_confirmed(const bson_t *reply, size_t sent, struct error *err)
{
    bson_iter_t iter;
    int64_t confirmed = bson_iter_init_find(&iter, reply, "insertedCount") ? bson_iter_as_int64(&iter) : 0;
    if (confirmed != (int64_t)sent)
        error_set(err, "the server confirmed %" PRId64 " of %zu documents", confirmed, sent);
    return confirmed == (int64_t)sent;
}

/* libmongoc itself puts the ObjectId first that it adds. */
static bool send_batch(struct loading *load, struct error *err)
{
    bson_t options = BSON_INITIALIZER, reply;
    bson_error_t reason = {0};
    BSON_APPEND_BOOL(&options, "validate", false);
    bool ok = mongoc_collection_insert_many(load->collection, load->batch.pointers, load->batch.count, &options, &reply,
                                            &reason);
    bool has_code = !ok && (reason.domain == MONGOC_ERROR_SERVER || reason.domain == MONGOC_ERROR_WRITE_CONCERN);
    *load->code = has_code ? (int32_t)reason.code : 0;
    if (!ok)
        error_set(err, has_code ? "%s (code %d)" : "%s", reason.message, *load->code);
    *load->is_unanswered = *load->is_unanswered || (!ok && !has_code);
    ok = ok && is_confirmed(&reply, load->batch.count, err);
    if (!ok)
        error_prefix(err, "insert into %s", mongoc_collection_get_name(load->collection));
    bson_destroy(&reply);
    bson_destroy(&options);
    batch_clear(&load->batch);
    return ok;
}

static bool load_range(struct loading *load, struct docgen *docgen, uint64_t count, struct error *err)
{
    struct batch *batch = &load->batch;
    for (uint64_t i = 0; i < count; i++) {
        bson_t *document = &batch->documents[batch->count];
        bson_init(document);
        batch->pointers[batch->count++] = document;
        if (!docgen_make(docgen, i, document, err))
            return false;
        batch->bytes += document->len;
        bool is_full = batch->count == BATCH_DOCUMENTS || batch->bytes >= BATCH_BYTES;
        if ((is_full || i + 1 == count) && !send_batch(load, err))
            return false;
        if (is_full && interrupt_signal()) {
            error_set(err, "interrupted");
            return false;
        }
    }
    return true;
}

bool load_documents(struct target *target, const struct load_config *config, int32_t *code, bool *is_unanswered,
                    struct error *err)
{
    uint64_t count;
    if (!docgen_step_count(config->step, config->threads, &count, err))
        return false;
    struct docgen *docgen = docgen_new(json_object_get(config->step, "insert"), config->names, config->seed);
    struct loading *load = memory_zeroed(1, sizeof *load);
    load->collection = mongoc_client_get_collection(target->peer->client, config->db, config->coll);
    load->code = code;
    load->is_unanswered = is_unanswered;
    bool ok = load_range(load, docgen, count, err);
    mongoc_collection_destroy(load->collection);
    batch_clear(&load->batch);
    free(load);
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
