/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/op.h"

/* {insert: coll, documents: [doc, ..], writeConcern, $db}. A `doc` that is a list is one operation of many documents.
 * No _id is added: the server makes it. */
static bool add_documents(struct compiler *compiler, struct op *op, const json_t *doc)
{
    struct template *template = &op->message;
    const uint8_t type = WIRE_ARRAY;
    template_add_bytes(template, &type, 1);
    template_add_bytes(template, "documents", sizeof "documents");
    size_t opening = template_open(template);
    size_t count = json_is_array(doc) ? json_array_size(doc) : 1;
    op->n_min = op->n_max = (int64_t)count;
    for (size_t i = 0; i < count; i++) {
        const json_t *one = json_is_array(doc) ? json_array_get(doc, i) : doc;
        template_add_index(template, WIRE_DOCUMENT, i);
        if (!compile_top_document(compiler, template, one))
            return json_is_array(doc) ? compile_at_index(compiler, i) : false;
    }
    template_add_bytes(template, "", 1);
    template_close(template, opening);
    return true;
}

static bool compile_insert(struct compiler *compiler, const json_t *definition, struct op *op)
{
    struct op_message message;
    op_message_begin(compiler, definition, op, "insert", &message);
    bool ok = add_documents(compiler, op, json_object_get(definition, "doc")) || compile_at(compiler, "doc");
    ok = ok && op_message_end(compiler, &message);
    op_message_release(&message);
    return ok;
}

static void count_insert(struct tally *tally, const struct reply *reply)
{
    tally->inserted += (uint64_t)reply->n;
}

const struct op_kind op_insert = {.compile = compile_insert, .count = count_insert};
