/* SPDX-License-Identifier: Apache-2.0 */
/* #RAND_STRING, #CONCAT and @pad. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "model/docvalue_kinds.h"
#include "model/real.h"

static bool append_text(bson_t *doc, const char *key, struct buffer *text, struct error *err)
{
    bool ok = text->size <= DOCUMENT_BYTES_MAX && bson_append_utf8(doc, key, -1, buffer_text(text), (int)text->size);
    buffer_release(text);
    return ok || docvalue_too_large(err);
}

static void compile_rand_string(struct docvalue *value, const json_t *argument, struct docvalue_scope *scope)
{
    const char *letters = json_string_value(json_array_get(argument, 1));
    int64_t length = 0;
    (void)scope;
    ejson_is_whole(json_array_get(argument, 0), &length);
    assert(length >= 1 && length <= DOCUMENT_BYTES_MAX);
    value->as.string.letters = memory_strdup(letters ? letters : OPERATOR_LETTERS);
    value->as.string.letter_count = (uint32_t)strlen(value->as.string.letters);
    value->as.string.length = (uint32_t)length;
}

static bool append_rand_string(const struct docvalue *value, bson_t *doc, const char *key, struct docvalue_now *now,
                               struct error *err)
{
    struct buffer text = {0};
    buffer_reserve(&text, value->as.string.length + 1);
    for (uint32_t i = 0; i < value->as.string.length; i++)
        text.data[i] = (uint8_t)value->as.string.letters[rng_below(&now->rng, value->as.string.letter_count)];
    text.size = value->as.string.length;
    return append_text(doc, key, &text, err);
}

static void release_rand_string(struct docvalue *value)
{
    free(value->as.string.letters);
}

const struct docvalue_kind docvalue_kind_rand_string = {compile_rand_string, append_rand_string, release_rand_string};

/* As the mongo shell writes a value; strings verbatim. The check of #CONCAT lets no other type come. */
static void write_value(struct buffer *text, const bson_iter_t *iter)
{
    uint32_t size;
    const char *string;
    char real[REAL_SIZE];
    switch (bson_iter_type(iter)) {
    case BSON_TYPE_UTF8:
        string = bson_iter_utf8(iter, &size);
        buffer_append(text, string, size);
        break;
    case BSON_TYPE_INT32:
        buffer_append_printf(text, "%d", bson_iter_int32(iter));
        break;
    case BSON_TYPE_INT64:
        buffer_append_printf(text, "%lld", (long long)bson_iter_int64(iter));
        break;
    case BSON_TYPE_DOUBLE:
        real_format_shell(bson_iter_double(iter), real);
        buffer_append(text, real, strlen(real));
        break;
    case BSON_TYPE_BOOL:
        buffer_append_printf(text, "%s", bson_iter_bool(iter) ? "true" : "false");
        break;
    case BSON_TYPE_DATE_TIME:
        buffer_append_printf(text, "new Date(%lld)", (long long)bson_iter_date_time(iter));
        break;
    default:
        assert(false);
    }
}

static bool write_part(struct buffer *text, const struct docvalue *part, struct docvalue_now *now, struct error *err)
{
    bson_t scratch = BSON_INITIALIZER;
    bson_iter_t iter;
    bool ok = docvalue_append(part, &scratch, "", now, err);
    if (ok && bson_iter_init(&iter, &scratch) && bson_iter_next(&iter))
        write_value(text, &iter);
    bson_destroy(&scratch);
    return ok;
}

static bool append_concat(const struct docvalue *value, bson_t *doc, const char *key, struct docvalue_now *now,
                          struct error *err)
{
    struct buffer text = {0};
    for (size_t i = 0; i < value->child_count && text.size <= DOCUMENT_BYTES_MAX; i++)
        if (!write_part(&text, &value->children[i], now, err)) {
            buffer_release(&text);
            return false;
        }
    return append_text(doc, key, &text, err);
}

const struct docvalue_kind docvalue_kind_concat = {docvalue_compile_children, append_concat, NULL};

static void compile_pad(struct docvalue *value, const json_t *argument, struct docvalue_scope *scope)
{
    (void)scope;
    value->as.pad.to = (size_t)json_integer_value(json_object_get(argument, "to"));
    value->as.pad.letter = json_string_value(json_object_get(argument, "char"))[0];
}

static bool append_pad(const struct docvalue *value, bson_t *doc, const char *key, struct docvalue_now *now,
                       struct error *err)
{
    struct buffer text = {0};
    buffer_reserve(&text, now->pad_bytes + 1);
    memset(text.data, value->as.pad.letter, now->pad_bytes);
    text.size = now->pad_bytes;
    now->pad_to = value->as.pad.to;
    now->pads++;
    return append_text(doc, key, &text, err);
}

const struct docvalue_kind docvalue_kind_pad = {compile_pad, append_pad, NULL};
