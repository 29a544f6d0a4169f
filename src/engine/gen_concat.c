/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <string.h>

#include "engine/compile.h"
#include "engine/gen.h"
#include "engine/gen_text.h"
#include "engine/gen_variable.h"
#include "engine/plan_parts.h"

/* #CONCAT: the texts of its arguments in one string. */
struct concat {
    struct gen gen;
    size_t count;
    const struct gen *parts[];
};

/*
 * Appends the text of the part's next value at `at`. The value is put 4 bytes before that, so that a string's text
 * lies where it belongs; what it covers there (the whole string's length or text) is put back.
 */
static size_t put_part(const struct gen *part, struct gen_state *state, uint8_t *at)
{
    uint8_t covered[4], number[8], type;
    memcpy(covered, at - 4, 4);
    size_t size = part->put(part, state, at - 4, &type);
    if (type != WIRE_STRING)
        memcpy(number, at - 4, size);
    memcpy(at - 4, covered, 4);
    return type == WIRE_STRING ? size - 5 : gen_text_put(state, type, number, at);
}

static size_t put_concat(const struct gen *gen, struct gen_state *state, uint8_t *out, uint8_t *type)
{
    const struct concat *concat = (const struct concat *)gen;
    uint8_t *at = out + 4;
    for (size_t i = 0; i < concat->count; i++)
        at += put_part(concat->parts[i], state, at);
    *at++ = 0;
    wire_put_u32(out, (uint32_t)(at - out - 4));
    *type = WIRE_STRING;
    return (size_t)(at - out);
}

const struct gen *gen_make_concat(struct compiler *compiler, const json_t *argument)
{
    size_t count = json_array_size(argument);
    struct concat *concat = arena_alloc(&compiler->plan->arena, sizeof *concat + count * sizeof *concat->parts);
    concat->count = count;
    size_t size_max = 4 + 1;
    for (size_t i = 0; i < count; i++) {
        concat->parts[i] = gen_variable_compile_text(compiler, json_array_get(argument, i));
        if (!concat->parts[i])
            return compile_at_index(compiler, i), NULL;
        assert((concat->parts[i]->types & ~GEN_TEXT_TYPES) == 0);
        size_max += gen_text_size_max(concat->parts[i]);
    }
    if (size_max > DOCUMENT_BYTES_MAX) {
        error_set(compiler->err, "the text can have %zu bytes; expected at most %d (16 MiB)", size_max,
                  DOCUMENT_BYTES_MAX);
        return NULL;
    }
    concat->gen.put = put_concat;
    concat->gen.types = 1u << WIRE_STRING;
    concat->gen.size_min = 4 + 1;
    concat->gen.size_max = size_max;
    return &concat->gen;
}
