/* SPDX-License-Identifier: Apache-2.0 */
#include "model/docvalue.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "model/docvalue_kinds.h"

#define NUMBER_MARK "{doc}"

bool docvalue_too_large(struct error *err)
{
    error_set(err, "the document is larger than %d bytes (16 MiB)", DOCUMENT_BYTES_MAX);
    return false;
}

static bool append_constant(const struct docvalue *value, bson_t *doc, const char *key, struct docvalue_now *now,
                            struct error *err)
{
    (void)now;
    bson_iter_t iter;
    bson_iter_init(&iter, value->as.constant);
    bson_iter_next(&iter);
    return bson_append_iter(doc, key, -1, &iter) || docvalue_too_large(err);
}

static bool append_document(const struct docvalue *value, bson_t *doc, const char *key, struct docvalue_now *now,
                            struct error *err)
{
    bson_t child;
    if (!bson_append_document_begin(doc, key, -1, &child))
        return docvalue_too_large(err);
    bool ok = docvalue_append_fields(value, &child, now, err);
    return bson_append_document_end(doc, &child) && ok;
}

static bool append_list(const struct docvalue *value, bson_t *doc, const char *key, struct docvalue_now *now,
                        struct error *err)
{
    bson_t child;
    if (!bson_append_array_begin(doc, key, -1, &child))
        return docvalue_too_large(err);
    bool ok = docvalue_append_fields(value, &child, now, err);
    return bson_append_array_end(doc, &child) && ok;
}

static void release_constant(struct docvalue *value)
{
    if (value->as.constant)
        bson_destroy(value->as.constant);
}

const struct docvalue_kind docvalue_kind_constant = {NULL, append_constant, release_constant};
const struct docvalue_kind docvalue_kind_document = {NULL, append_document, NULL};
const struct docvalue_kind docvalue_kind_list = {NULL, append_list, NULL};

void docvalue_release(struct docvalue *value)
{
    for (size_t i = 0; i < value->child_count; i++)
        docvalue_release(&value->children[i]);
    free(value->children);
    free(value->key);
    if (value->kind && value->kind->release)
        value->kind->release(value);
    *value = (struct docvalue){0};
}

bool docvalue_append(const struct docvalue *value, bson_t *doc, const char *key, struct docvalue_now *now,
                     struct error *err)
{
    return value->kind->append(value, doc, key, now, err);
}

/* The checks of arguments see to it that it is a number. */
bool docvalue_number(const struct docvalue *value, struct docvalue_now *now, int64_t *number, struct error *err)
{
    bson_t scratch = BSON_INITIALIZER;
    bson_iter_t iter;
    bool ok = docvalue_append(value, &scratch, "", now, err);
    if (ok) {
        bool is_number = bson_iter_init(&iter, &scratch) && bson_iter_next(&iter) && BSON_ITER_HOLDS_NUMBER(&iter);
        assert(is_number);
        *number = is_number ? bson_iter_as_int64(&iter) : 0;
    }
    bson_destroy(&scratch);
    return ok;
}

static bool append_numbered(const struct docvalue *field, bson_t *doc, struct docvalue_now *now, struct error *err)
{
    struct buffer key = {0};
    const char *rest = field->key;
    for (const char *mark; (mark = strstr(rest, NUMBER_MARK)); rest = mark + strlen(NUMBER_MARK)) {
        buffer_append(&key, rest, (size_t)(mark - rest));
        buffer_append_printf(&key, "%llu", (unsigned long long)now->doc);
    }
    buffer_append(&key, rest, strlen(rest));
    bool ok = docvalue_append(field, doc, buffer_text(&key), now, err);
    buffer_release(&key);
    return ok;
}

bool docvalue_append_fields(const struct docvalue *value, bson_t *doc, struct docvalue_now *now, struct error *err)
{
    if (value->kind == &docvalue_kind_cycle)
        return docvalue_append_fields(&value->children[now->doc % value->child_count], doc, now, err);
    for (size_t i = 0; i < value->child_count; i++) {
        const struct docvalue *field = &value->children[i];
        bool ok = !field->key               ? bson_concat(doc, field->as.constant) || docvalue_too_large(err)
                  : field->key_holds_number ? append_numbered(field, doc, now, err)
                                            : docvalue_append(field, doc, field->key, now, err);
        if (!ok)
            return false;
        if (doc->len > DOCUMENT_BYTES_MAX)
            break; /* refused with its size by docgen */
    }
    return true;
}
