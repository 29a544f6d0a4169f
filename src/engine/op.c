/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/op.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/plan_parts.h"

static const struct op_kind *const kinds[OPERATION_COUNT] = {
    [OPERATION_INSERT] = &op_insert,
    [OPERATION_UPDATE] = &op_update,
    [OPERATION_LET] = &op_let,
};

const struct op_kind *op_kind(enum operation_id id)
{
    return kinds[id];
}

/* The op's own namespace, or the collection that it is compiled for. Both names are the caller's to free. */
static void read_namespace(const struct compiler *compiler, const json_t *definition, char **db, char **coll)
{
    testcase_resolve_namespace(json_string_value(json_object_get(definition, "ns")), compiler->names.db,
                               compiler->names.coll, db, coll);
    assert(**db && **coll);
}

/* The session writes its request id into the header. Flags and the section's kind follow. */
static void add_header(struct op *op, struct op_message *message)
{
    uint8_t rest[WIRE_BODY_AT - WIRE_REQUEST_ID_AT] = {0};
    wire_put_u32(rest + WIRE_OPCODE_AT - WIRE_REQUEST_ID_AT, WIRE_OP_MSG);
    if (op->no_reply)
        wire_put_u32(rest + WIRE_FLAGS_AT - WIRE_REQUEST_ID_AT, WIRE_MORE_TO_COME);
    message->message = template_open(&op->message);
    template_add_private(&op->message, rest, sizeof rest);
}

void op_message_begin(struct compiler *compiler, const json_t *definition, struct op *op, const char *command,
                      struct op_message *message)
{
    char *coll = NULL;
    *message = (struct op_message){.op = op};
    read_namespace(compiler, definition, &message->db, &coll);
    op->db = arena_copy(&compiler->plan->arena, message->db, strlen(message->db));
    const json_t *w = json_object_get(compiler->config->write_concern, "w");
    op->no_reply = json_is_number(w) && json_number_value(w) == 0;
    add_header(op, message);
    message->body = template_open(&op->message);
    op_add_text(&op->message, command, coll);
    free(coll);
}

void op_add_text(struct template *template, const char *key, const char *text)
{
    uint8_t length[4];
    wire_put_u32(length, (uint32_t)strlen(text) + 1);
    template_add_bytes(template, "\x02", 1);
    template_add_bytes(template, key, strlen(key) + 1);
    template_add_bytes(template, length, sizeof length);
    template_add_bytes(template, text, strlen(text) + 1);
}

static bool check_command_size(struct compiler *compiler, const struct op *op)
{
    size_t size = op->message.image.size - WIRE_BODY_AT;
    if (size <= WIRE_COMMAND_MAX)
        return true;
    error_set(compiler->err, "the command has %zu bytes; a server accepts %u (16 MiB + 16 KiB)", size,
              WIRE_COMMAND_MAX);
    return false;
}

/* The write concern is never a template: its "#" would be the user's own. */
bool op_message_end(struct compiler *compiler, struct op_message *message)
{
    struct template *template = &message->op->message;
    bson_t concern;
    bson_init(&concern);
    bool ok = ejson_append_all(&concern, compiler->config->write_concern, NULL, compiler->err);
    if (ok) {
        template_add_bytes(template, "\x03writeConcern", sizeof "\x03writeConcern");
        template_add_bytes(template, bson_get_data(&concern), concern.len);
        op_add_text(template, "$db", message->db);
        template_add_bytes(template, "", 1);
        template_close(template, message->body);
        template_close(template, message->message);
        template_finish(template);
    }
    bson_destroy(&concern);
    return ok && check_command_size(compiler, message->op);
}

void op_message_release(struct op_message *message)
{
    free(message->db);
}
