/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/gen_document.h"
#include "engine/plan_parts.h"
#include "model/defexpand.h"
#include "model/testcase.h"

/* A message is laid out around what the definition holds: section, command, list, statement. */
_Static_assert(DEFEXPAND_DEPTH_MAX + 8 <= TEMPLATE_DEPTH_MAX, "a definition may be nested deeper than a template");

bool compile_at(struct compiler *compiler, const char *step)
{
    error_prefix_path(compiler->err, step);
    return false;
}

bool compile_at_index(struct compiler *compiler, size_t index)
{
    char step[24];
    snprintf(step, sizeof step, "%zu", index);
    return compile_at(compiler, step);
}

/* The value alone, as libbson made it: the document is length, type, "v" NUL, value, NUL. */
static bool encode_literal(struct compiler *compiler, const json_t *value, bson_t *holder, uint8_t *type,
                           const uint8_t **bytes, size_t *size)
{
    enum { VALUE_AT = 4 + 1 + 2 };
    if (!ejson_append(holder, "v", value, &compiler->names, compiler->err))
        return false;
    const uint8_t *data = bson_get_data(holder);
    *type = data[4];
    *bytes = data + VALUE_AT;
    *size = holder->len - VALUE_AT - 1;
    return true;
}

static bool add_literal(struct compiler *compiler, struct template *template, const char *key, const json_t *value)
{
    bson_t holder;
    bson_init(&holder);
    uint8_t type;
    const uint8_t *bytes;
    size_t size;
    bool ok = encode_literal(compiler, value, &holder, &type, &bytes, &size);
    if (ok) {
        template_add_bytes(template, &type, 1);
        template_add_bytes(template, key, strlen(key) + 1);
        template_add_bytes(template, bytes, size);
    }
    bson_destroy(&holder);
    return ok;
}

static bool is_nested(const json_t *value)
{
    return json_is_array(value) || (json_is_object(value) && !ejson_is_wrapper(value));
}

bool compile_nested(struct compiler *compiler, struct template *template, const json_t *container)
{
    size_t opening = template_open(template);
    bool ok = compile_elements(compiler, template, container);
    template_add_bytes(template, "", 1);
    template_close(template, opening);
    return ok;
}

/* A short definition can mean gigabytes: stop before they are laid out. The exact limits are checked at the ends of
 * documents and commands. */
static bool check_growth(struct compiler *compiler, const struct template *template)
{
    if (template->image.size <= 2 * WIRE_COMMAND_MAX)
        return true;
    error_set(compiler->err, "the command has more than %zu bytes; a server accepts %u (16 MiB + 16 KiB)",
              template->image.size, WIRE_COMMAND_MAX);
    return false;
}

bool compile_element(struct compiler *compiler, struct template *template, const char *key, const json_t *value)
{
    if (!check_growth(compiler, template))
        return false;
    if (ejson_operator(value, NULL)) {
        const struct gen *gen = compile_value(compiler, value);
        if (gen)
            template_add_element(template, key, gen);
        return gen != NULL;
    }
    if (!is_nested(value))
        return add_literal(compiler, template, key, value);
    uint8_t type = json_is_array(value) ? WIRE_ARRAY : WIRE_DOCUMENT;
    template_add_bytes(template, &type, 1);
    template_add_bytes(template, key, strlen(key) + 1);
    return compile_nested(compiler, template, value);
}

static bool compile_members(struct compiler *compiler, struct template *template, const json_t *object)
{
    const char *key;
    json_t *value;
    /* json_object_foreach() takes a mutable object but changes nothing. */
    json_object_foreach((json_t *)(uintptr_t)object, key, value) {
        char *name = testcase_resolve_string(key, compiler->names.db, compiler->names.coll);
        bool ok = compile_element(compiler, template, name, value);
        if (!ok)
            compile_at(compiler, key);
        free(name);
        if (!ok)
            return false;
    }
    return true;
}

bool compile_elements(struct compiler *compiler, struct template *template, const json_t *container)
{
    if (json_is_object(container))
        return compile_members(compiler, template, container);
    for (size_t i = 0; i < json_array_size(container); i++) {
        char key[24];
        snprintf(key, sizeof key, "%zu", i);
        if (!compile_element(compiler, template, key, json_array_get(container, i)))
            return compile_at(compiler, key);
    }
    return true;
}

bool compile_top_document(struct compiler *compiler, struct template *template, const json_t *object)
{
    size_t start = template->image.size;
    if (!compile_nested(compiler, template, object))
        return false;
    size_t size = template->image.size - start;
    if (size > DOCUMENT_BYTES_MAX) {
        error_set(compiler->err, "the document has %zu bytes; expected at most %d (16 MiB)", size, DOCUMENT_BYTES_MAX);
        return false;
    }
    return true;
}

static const struct gen *compile_literal(struct compiler *compiler, const json_t *value)
{
    bson_t holder;
    bson_init(&holder);
    uint8_t type;
    const uint8_t *bytes;
    size_t size;
    const struct gen *gen = NULL;
    if (encode_literal(compiler, value, &holder, &type, &bytes, &size))
        gen = gen_constant(compiler, type, bytes, size);
    bson_destroy(&holder);
    return gen;
}

const struct gen *compile_value(struct compiler *compiler, const json_t *value)
{
    const json_t *argument;
    enum operator_id id = operator_of(value, &argument);
    if (id == OPERATOR_COUNT)
        return is_nested(value) ? gen_document(compiler, value) : compile_literal(compiler, value);
    const struct gen *gen = gen_find_maker(id)(compiler, argument);
    if (!gen)
        compile_at(compiler, operator_rows[id].name);
    return gen;
}
