/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/op.h"

/* {update: coll, updates: [{q, u, multi, upsert}], writeConcern, $db}: one statement a command. */
static bool add_query(struct compiler *compiler, struct template *template, const json_t *query)
{
    const uint8_t type = WIRE_DOCUMENT;
    template_add_bytes(template, &type, 1);
    template_add_bytes(template, "q", sizeof "q");
    if (query)
        return compile_top_document(compiler, template, query) || compile_at(compiler, "query");
    json_t *all = json_object();
    bool ok = compile_top_document(compiler, template, all);
    json_decref(all);
    return ok;
}

static bool add_update(struct compiler *compiler, struct template *template, const json_t *update)
{
    const uint8_t type = WIRE_DOCUMENT;
    template_add_bytes(template, &type, 1);
    template_add_bytes(template, "u", sizeof "u");
    return compile_top_document(compiler, template, update) || compile_at(compiler, "update");
}

static void add_flag(struct template *template, const char *key, bool value)
{
    const uint8_t type = WIRE_BOOL, byte = value;
    template_add_bytes(template, &type, 1);
    template_add_bytes(template, key, strlen(key) + 1);
    template_add_bytes(template, &byte, 1);
}

static bool add_statements(struct compiler *compiler, struct op *op, const json_t *definition)
{
    struct template *template = &op->message;
    const uint8_t type = WIRE_ARRAY;
    template_add_bytes(template, &type, 1);
    template_add_bytes(template, "updates", sizeof "updates");
    size_t list = template_open(template);
    template_add_index(template, WIRE_DOCUMENT, 0);
    size_t statement = template_open(template);
    if (!add_query(compiler, template, json_object_get(definition, "query")) ||
        !add_update(compiler, template, json_object_get(definition, "update")))
        return false;
    bool multi = json_is_true(json_object_get(definition, "multi"));
    bool upsert = json_is_true(json_object_get(definition, "upsert"));
    add_flag(template, "multi", multi);
    add_flag(template, "upsert", upsert);
    op->n_min = op->upserted_max = upsert;
    op->n_max = multi ? INT64_MAX : 1;
    template_add_bytes(template, "", 1);
    template_close(template, statement);
    template_add_bytes(template, "", 1);
    template_close(template, list);
    return true;
}

static bool compile_update(struct compiler *compiler, const json_t *definition, struct op *op)
{
    struct op_message message;
    op_message_begin(compiler, definition, op, "update", &message);
    bool ok = add_statements(compiler, op, definition) && op_message_end(compiler, &message);
    op_message_release(&message);
    return ok;
}

/* A server's n counts matched and upserted documents together. */
static void count_update(struct tally *tally, const struct reply *reply)
{
    int64_t matched = reply->n > reply->upserted ? reply->n - reply->upserted : 0;
    tally->matched += (uint64_t)matched;
    tally->modified += (uint64_t)reply->n_modified;
    tally->upserted += (uint64_t)reply->upserted;
}

const struct op_kind op_update = {.compile = compile_update, .count = count_update};
