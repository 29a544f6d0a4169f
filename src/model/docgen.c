/* SPDX-License-Identifier: Apache-2.0 */
#include "model/docgen.h"

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "base/clock.h"
#include "base/memory.h"
#include "model/docvalue.h"

/* Documents have the upper half of the streams of a seed; sessions draw from the lower. */
#define DOCUMENT_STREAMS (UINT64_C(1) << 63)

struct docgen {
    struct docvalue *documents; /* taken in turn */
    size_t document_count;
    uint64_t seed;
    int64_t wall_ms;
    size_t pad_bytes; /* of the document before: mostly right for the next one, too */
};

/* The template takes part, so that two steps of one test do not get the same random numbers. */
static uint64_t step_seed(const json_t *template, uint64_t seed)
{
    char *text = json_dumps(template, JSON_COMPACT | JSON_ENCODE_ANY);
    uint64_t mixed = text ? XXH3_64bits_withSeed(text, strlen(text), seed) : seed;
    free(text);
    return mixed;
}

struct docgen *docgen_new(const json_t *template, const struct ejson_names *names, uint64_t seed)
{
    struct docgen *docgen = memory_zeroed(1, sizeof *docgen);
    docgen->seed = step_seed(template, seed);
    docgen->wall_ms = clock_wall_ms();
    docgen->document_count = json_is_array(template) ? json_array_size(template) : 1;
    docgen->documents = memory_zeroed(docgen->document_count, sizeof *docgen->documents);
    struct docvalue_scope scope = {.names = names, .seed = docgen->seed};
    for (size_t i = 0; i < docgen->document_count; i++)
        docvalue_compile_document(&docgen->documents[i],
                                  json_is_array(template) ? json_array_get(template, i) : template, &scope);
    return docgen;
}

void docgen_free(struct docgen *docgen)
{
    if (!docgen)
        return;
    for (size_t i = 0; i < docgen->document_count; i++)
        docvalue_release(&docgen->documents[i]);
    free(docgen->documents);
    free(docgen);
}

bool docgen_step_count(const json_t *step, unsigned threads, uint64_t *count, struct error *err)
{
    const json_t *given = json_object_get(step, "count"), *template = json_object_get(step, "insert");
    const json_t *per_thread = json_object_get(given, "perThread");
    int64_t whole = 1;
    ejson_is_whole(per_thread ? per_thread : given, &whole);
    if (!__builtin_mul_overflow((uint64_t)whole, per_thread ? threads : 1, count) &&
        !__builtin_mul_overflow(*count, json_is_array(template) ? json_array_size(template) : 1, count))
        return true;
    error_set(err, "/count: more than 2^64 documents");
    return false;
}

static bool make_once(const struct docgen *docgen, struct docvalue_now *now, bson_t *out, struct error *err)
{
    rng_init(&now->rng, docgen->seed, DOCUMENT_STREAMS | now->doc);
    now->pads = 0;
    return docvalue_append_fields(&docgen->documents[now->doc % docgen->document_count], out, now, err);
}

/* The second attempt has the right length of the pad: all else is the same again. */
static bool make_padded(struct docgen *docgen, struct docvalue_now *now, bson_t *out, struct error *err)
{
    now->pad_bytes = docgen->pad_bytes;
    if (!make_once(docgen, now, out, err))
        return false;
    if (now->pads == 0 || out->len == now->pad_to)
        return true;
    size_t others = out->len - now->pad_bytes;
    if (others > now->pad_to) {
        error_set(err, "@pad: the document has %zu bytes already, more than the %zu it is to have", others,
                  now->pad_to);
        return false;
    }
    docgen->pad_bytes = now->pad_bytes = now->pad_to - others;
    bson_reinit(out);
    return make_once(docgen, now, out, err);
}

bool docgen_make(struct docgen *docgen, uint64_t index, bson_t *out, struct error *err)
{
    struct docvalue_now now = {.doc = index, .wall_ms = docgen->wall_ms};
    bool ok = make_padded(docgen, &now, out, err);
    if (ok && out->len > DOCUMENT_BYTES_MAX) {
        error_set(err, "it has %u bytes, more than the %d (16 MiB) that a server takes", out->len, DOCUMENT_BYTES_MAX);
        ok = false;
    }
    if (!ok)
        error_prefix(err, "document %llu", (unsigned long long)index);
    return ok;
}
