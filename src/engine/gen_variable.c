/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/gen_variable.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/compile.h"
#include "engine/gen_text.h"
#include "engine/plan_parts.h"
#include "model/real.h"
#include "model/testcase.h"

/* #VARIABLE: what the last `let` of this name gave. Which types and sizes that can be is known from all its lets. */
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
    const struct gen *gen = compile_value(compiler, "", value);
    if (gen && gen->types == 1u << WIRE_DOUBLE && !ejson_operator(value, NULL)) {
        uint8_t bytes[8], type;
        gen->put(gen, NULL, bytes, &type);
        add_double_text(compiler->plan, wire_get_i64(bytes), wire_get_double(bytes));
    }
    return gen;
}

/* The widest of both. */
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

const struct gen *gen_variable_compile_let(struct compiler *compiler, const json_t *definition)
{
    const json_t *value = json_object_get(definition, "value");
    if (!value)
        error_set(compiler->err, "expected a value");
    const struct gen *gen = value ? gen_variable_compile_text(compiler, value) : NULL;
    if (!gen)
        compile_at(compiler, "value");
    return gen;
}

static bool is_let_of(const json_t *definition, const char *name)
{
    const char *op = json_string_value(json_object_get(definition, "op"));
    const char *target = json_string_value(json_object_get(definition, "target"));
    return op && target && strcmp(op, "let") == 0 && strcmp(target, name) == 0;
}

/* The `let` at this index on every collection: the names in its texts differ, so may the sizes. */
static bool widen_by_let(struct compiler *compiler, size_t index, const json_t *definition, struct gen *all)
{
    struct compiler inner = *compiler;
    inner.op_index = index;
    bool ok = true;
    for (unsigned i = 0; ok && i < plan_collection_count(compiler->config); i++) {
        struct plan_names names;
        plan_names_init(&names, compiler->test, compiler->config, i);
        inner.names = (struct ejson_names){.db = names.db, .coll = names.coll};
        const struct gen *one = gen_variable_compile_let(&inner, definition);
        if (one)
            widen(all, one);
        ok = one != NULL;
        plan_names_release(&names);
    }
    return ok;
}

/* Fills plan.variables[place].gen. */
static bool resolve(struct compiler *compiler, size_t place, const char *name)
{
    struct plan *plan = compiler->plan;
    if (plan->variables[place].resolving) {
        error_set(compiler->err, "\"%s\" depends on itself", name);
        return false;
    }
    plan->variables[place].resolving = true;
    struct gen *all = arena_alloc(&plan->arena, sizeof *all);
    size_t index;
    json_t *definition;
    json_array_foreach(compiler->test->ops, index, definition)
    {
        if (is_let_of(definition, name) && !widen_by_let(compiler, index, definition, all)) {
            error_prefix(compiler->err, "the let in /ops/%zu", index);
            return false;
        }
    }
    plan->variables[place].resolving = false;
    plan->variables[place].gen = all;
    return true;
}

/* A round begins with no variable set, so a `let` has to come before. */
static bool check_is_set_before(struct compiler *compiler, const char *name)
{
    bool later = false;
    size_t index;
    json_t *definition;
    json_array_foreach(compiler->test->ops, index, definition)
    {
        if (!is_let_of(definition, name))
            continue;
        if (index < compiler->op_index)
            return true;
        later = true;
    }
    error_set(compiler->err,
              later ? "\"%s\" is set by a later operation only; expected a let before this one"
                    : "\"%s\" is set nowhere; expected a let before this operation",
              name);
    return false;
}

static const struct gen *compile_variable(struct compiler *compiler, const char *key, const json_t *argument)
{
    (void)key;
    const char *name = json_string_value(argument);
    if (!name) {
        error_set(compiler->err, "expected the name of a variable");
        return NULL;
    }
    if (!check_is_set_before(compiler, name))
        return NULL;
    size_t place = gen_variable_place(compiler, name);
    if (!compiler->plan->variables[place].gen && !resolve(compiler, place, name))
        return NULL;
    struct variable *variable = arena_alloc(&compiler->plan->arena, sizeof *variable);
    variable->gen = *compiler->plan->variables[place].gen;
    variable->gen.put = put_variable;
    variable->place = place;
    return &variable->gen;
}

const struct gen_kind gen_variable = {.name = "#VARIABLE", .compile = compile_variable};
