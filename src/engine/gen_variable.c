/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/gen_variable.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/compile.h"
#include "engine/gen_text.h"
#include "engine/plan_parts.h"
#include "model/real.h"
#include "model/testcase.h"

/* #VARIABLE: what the last `let` of this name before it gave. Which types and sizes that can be is known from that let.
 */
struct variable {
    struct gen gen;
    size_t place;
};

static size_t put_variable(const struct gen *gen, struct gen_state *state, uint8_t *out, uint8_t *type)
{
    const struct gen_variable_value *value = &state->variables[((const struct variable *)gen)->place];
    memcpy(out, value->bytes, value->size);
    *type = value->type;
    return value->size;
}

size_t gen_variable_place(struct compiler *compiler, const char *name)
{
    struct plan *plan = compiler->plan;
    for (size_t i = 0; i < plan->variable_count; i++) {
        if (strcmp(plan->variables[i].name, name) == 0)
            return i;
    }
    plan->variables = memory_resize(plan->variables, plan->variable_count + 1, sizeof *plan->variables);
    plan->variables[plan->variable_count] =
        (struct plan_variable){.name = arena_copy(&plan->arena, name, strlen(name))};
    return plan->variable_count++;
}

static void add_double_text(struct plan *plan, int64_t bits, double number)
{
    for (size_t i = 0; i < plan->double_text_count; i++) {
        if (plan->double_texts[i].bits == bits)
            return;
    }
    char text[REAL_SIZE];
    real_format_shell(number, text);
    plan->double_texts = memory_resize(plan->double_texts, plan->double_text_count + 1, sizeof *plan->double_texts);
    plan->double_texts[plan->double_text_count++] =
        (struct gen_double_text){.bits = bits, .text = arena_copy(&plan->arena, text, strlen(text))};
}

const struct gen *gen_variable_compile_text(struct compiler *compiler, const json_t *value)
{
    const struct gen *gen = compile_value(compiler, value);
    if (gen && gen->types == 1u << WIRE_DOUBLE && !ejson_operator(value, NULL)) {
        uint8_t bytes[8], type;
        gen->put(gen, NULL, bytes, &type);
        add_double_text(compiler->plan, wire_get_i64(bytes), wire_get_double(bytes));
    }
    return gen;
}

/* The widest of both: names in texts differ from collection to collection, and so may sizes. */
static void widen(struct gen *all, const struct gen *one)
{
    if (all->types == 0) {
        *all = *one;
        return;
    }
    all->types |= one->types;
    if (one->size_min < all->size_min)
        all->size_min = one->size_min;
    if (one->size_max > all->size_max)
        all->size_max = one->size_max;
    if (one->low < all->low)
        all->low = one->low;
    if (one->high > all->high)
        all->high = one->high;
}

const struct gen *gen_variable_compile_let(struct compiler *compiler, const json_t *value)
{
    const struct gen *gen = gen_variable_compile_text(compiler, value);
    if (gen)
        widen(&compiler->lets[compiler->op_index], gen);
    return gen;
}

static bool is_let_of(const json_t *definition, const char *name)
{
    const char *op = json_string_value(json_object_get(definition, "op"));
    const char *target = json_string_value(json_object_get(definition, "target"));
    return strcmp(op, "let") == 0 && strcmp(target, name) == 0;
}

/* The last let before this operation: the loader has seen to it that there is one. */
static size_t find_let(const struct compiler *compiler, const char *name)
{
    size_t index = compiler->op_index;
    while (index > 0 && !is_let_of(json_array_get(compiler->test->ops, index - 1), name))
        index--;
    assert(index > 0);
    return index - 1;
}

const struct gen *gen_make_variable(struct compiler *compiler, const json_t *argument)
{
    const char *name = json_string_value(argument);
    struct variable *variable = arena_alloc(&compiler->plan->arena, sizeof *variable);
    variable->gen = compiler->lets[find_let(compiler, name)];
    variable->gen.put = put_variable;
    variable->place = gen_variable_place(compiler, name);
    return &variable->gen;
}
