/* SPDX-License-Identifier: Apache-2.0 */
/* #OID and #CUR_DATE. */
#include <string.h>

#include <xxhash.h>

#include "model/docvalue_kinds.h"

/*
 * An ObjectId of set-up has the usual parts: 4 bytes of time, 5 of machine and process, 3 of a counter. Equal seeds
 * shall give equal documents, so the time begins at a fixed second (2017-01-01) and moves on when the counter, which is
 * the document's number, runs over. They ascend with the documents as real ones do.
 */
#define OID_EPOCH UINT32_C(1483228800)

static void compile_oid(struct docvalue *value, const json_t *argument, struct docvalue_scope *scope)
{
    (void)argument;
    uint64_t hash = XXH3_64bits_withSeed(&scope->sites, sizeof scope->sites, scope->seed);
    memcpy(value->as.oid.middle, &hash, sizeof value->as.oid.middle);
    value->as.oid.is_item = scope->inside_array;
    scope->sites++;
}

static bool append_oid(const struct docvalue *value, bson_t *doc, const char *key, struct docvalue_now *now,
                       struct error *err)
{
    uint32_t time = OID_EPOCH + (uint32_t)(now->doc >> 24), counter = (uint32_t)now->doc & 0xffffff;
    uint64_t middle = value->as.oid.is_item ? rng_u64(&now->rng) : 0;
    bson_oid_t oid;
    for (int i = 0; i < 4; i++)
        oid.bytes[i] = (uint8_t)(time >> 8 * (3 - i));
    /* Elements of an array share the document's number. */
    for (int i = 0; i < 5; i++)
        oid.bytes[4 + i] = value->as.oid.middle[i] ^ (uint8_t)(middle >> 8 * i);
    for (int i = 0; i < 3; i++)
        oid.bytes[9 + i] = (uint8_t)(counter >> 8 * (2 - i));
    return bson_append_oid(doc, key, -1, &oid) || docvalue_too_large(err);
}

const struct docvalue_kind docvalue_kind_oid = {compile_oid, append_oid, NULL};

static void compile_cur_date(struct docvalue *value, const json_t *argument, struct docvalue_scope *scope)
{
    if (!ejson_is_whole(argument, &value->as.offset_ms))
        docvalue_compile(docvalue_add_child(value), argument, scope);
}

static bool append_cur_date(const struct docvalue *value, bson_t *doc, const char *key, struct docvalue_now *now,
                            struct error *err)
{
    int64_t offset_ms = value->as.offset_ms;
    if (value->child_count > 0 && !docvalue_number(&value->children[0], now, &offset_ms, err))
        return false;
    return bson_append_date_time(doc, key, -1, now->wall_ms + offset_ms) || docvalue_too_large(err);
}

const struct docvalue_kind docvalue_kind_cur_date = {compile_cur_date, append_cur_date, NULL};
