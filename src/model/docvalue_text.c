/* SPDX-License-Identifier: Apache-2.0 */
/* #RAND_STRING, #CONCAT and @pad. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "model/docvalue_kinds.h"
#include "model/real.h"

static const char default_letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static bool append_text(bson_t *doc, const char *key, struct buffer *text, struct error *err)
{
    bool ok = text->size <= DOCVALUE_DOCUMENT_MAX && bson_append_utf8(doc, key, -1, buffer_text(text), (int)text->size);
    buffer_release(text);
    return ok || docvalue_too_large(err);
}

/* jansson gives valid UTF-8: a letter goes on while bytes are 10xxxxxx. */
static void split_letters(struct docvalue *value, const char *letters)
{
    size_t size = strlen(letters), count = 0;
    uint32_t *starts = memory_zeroed(size + 1, sizeof *starts);
    for (size_t i = 0; i < size; i++)
        if ((letters[i] & 0xc0) != 0x80)
            starts[count++] = (uint32_t)i;
    starts[count] = (uint32_t)size;
    value->as.string.letters = memory_strdup(letters);
    value->as.string.starts = starts;
    value->as.string.letter_count = (uint32_t)count;
}

static bool compile_rand_string(struct docvalue *value, const json_t *argument, struct docvalue_scope *scope,
                                struct error *err)
{
    (void)scope;
    size_t count = json_array_size(argument);
    const char *letters = count == 2 ? json_string_value(json_array_get(argument, 1)) : default_letters;
    int64_t length;
    if (count < 1 || count > 2 || !docvalue_whole(json_array_get(argument, 0), &length) || !letters || !*letters) {
        error_set(err, "expected [length] or [length, \"characters\"]");
        return false;
    }
    if (length < 1 || length > DOCVALUE_DOCUMENT_MAX) {
        error_set(err, "expected a length from 1 to %d", DOCVALUE_DOCUMENT_MAX);
        return false;
    }
    split_letters(value, letters);
    value->as.string.length = (uint32_t)length;
    return true;
}

static bool append_rand_string(const struct docvalue *value, bson_t *doc, const char *key, struct docvalue_now *now,
                               struct error *err)
{
    const uint32_t *starts = value->as.string.starts;
    struct buffer text = {0};
    buffer_reserve(&text, value->as.string.length + 1);
    for (uint32_t i = 0; i < value->as.string.length; i++) {
        uint32_t letter = rng_below(&now->rng, value->as.string.letter_count);
        buffer_append(&text, value->as.string.letters + starts[letter], starts[letter + 1] - starts[letter]);
    }
    return append_text(doc, key, &text, err);
}

static void release_rand_string(struct docvalue *value)
{
    free(value->as.string.letters);
    free(value->as.string.starts);
}

const struct docvalue_kind docvalue_kind_rand_string = {"#RAND_STRING", compile_rand_string, append_rand_string,
                                                        release_rand_string};

static bool compile_concat(struct docvalue *value, const json_t *argument, struct docvalue_scope *scope,
                           struct error *err)
{
    if (json_array_size(argument) < 2) {
        error_set(err, "expected a list of two or more values");
        return false;
    }
    return docvalue_compile_children(value, argument, scope, err);
}

/* As the mongo shell writes a value; strings verbatim. */
static bool write_value(struct buffer *text, const bson_iter_t *iter)
{
    uint32_t size;
    const char *string;
    char real[REAL_SIZE];
    switch (bson_iter_type(iter)) {
    case BSON_TYPE_UTF8:
        string = bson_iter_utf8(iter, &size);
        buffer_append(text, string, size);
        return true;
    case BSON_TYPE_INT32:
        buffer_append_printf(text, "%d", bson_iter_int32(iter));
        return true;
    case BSON_TYPE_INT64:
        buffer_append_printf(text, "%lld", (long long)bson_iter_int64(iter));
        return true;
    case BSON_TYPE_DOUBLE:
        real_format_shell(bson_iter_double(iter), real);
        buffer_append(text, real, strlen(real));
        return true;
    case BSON_TYPE_BOOL:
        buffer_append_printf(text, "%s", bson_iter_bool(iter) ? "true" : "false");
        return true;
    case BSON_TYPE_DATE_TIME:
        buffer_append_printf(text, "new Date(%lld)", (long long)bson_iter_date_time(iter));
        return true;
    default:
        return false;
    }
}

static bool write_part(struct buffer *text, const struct docvalue *part, struct docvalue_now *now, struct error *err)
{
    bson_t scratch = BSON_INITIALIZER;
    bson_iter_t iter;
    bool ok = docvalue_append(part, &scratch, "", now, err);
    if (ok) {
        ok = bson_iter_init(&iter, &scratch) && bson_iter_next(&iter) && write_value(text, &iter);
        if (!ok)
            error_set(err, "#CONCAT: expected strings, numbers, booleans and dates only");
    }
    bson_destroy(&scratch);
    return ok;
}

static bool append_concat(const struct docvalue *value, bson_t *doc, const char *key, struct docvalue_now *now,
                          struct error *err)
{
    struct buffer text = {0};
    for (size_t i = 0; i < value->child_count && text.size <= DOCVALUE_DOCUMENT_MAX; i++)
        if (!write_part(&text, &value->children[i], now, err)) {
            buffer_release(&text);
            return false;
        }
    return append_text(doc, key, &text, err);
}

const struct docvalue_kind docvalue_kind_concat = {"#CONCAT", compile_concat, append_concat, NULL};

static bool compile_pad(struct docvalue *value, const json_t *argument, struct docvalue_scope *scope, struct error *err)
{
    (void)scope;
    int64_t to;
    const char *letter = json_string_value(json_object_get(argument, "char"));
    if (json_object_size(argument) != 2 || !docvalue_whole(json_object_get(argument, "to"), &to) || to < 1 ||
        to > DOCVALUE_DOCUMENT_MAX || !letter || strlen(letter) != 1 || (letter[0] & 0x80)) {
        error_set(err, "expected {\"to\": bytes (at most %d), \"char\": one ASCII character}", DOCVALUE_DOCUMENT_MAX);
        return false;
    }
    value->as.pad.to = (size_t)to;
    value->as.pad.letter = letter[0];
    return true;
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

const struct docvalue_kind docvalue_kind_pad = {"@pad", compile_pad, append_pad, NULL};
