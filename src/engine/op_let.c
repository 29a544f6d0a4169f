/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/gen_variable.h"
#include "engine/op.h"
#include "engine/plan_parts.h"

/* Sets a variable of the session; #VARIABLE reads it. Nothing goes to the server. */
static bool compile_let(struct compiler *compiler, const json_t *definition, struct op *op)
{
    op->value = gen_variable_compile_let(compiler, json_object_get(definition, "value"));
    if (!op->value)
        return compile_at(compiler, "value");
    op->variable = gen_variable_place(compiler, json_string_value(json_object_get(definition, "target")));
    struct plan_variable *variable = &compiler->plan->variables[op->variable];
    if (op->value->size_max > variable->size_max)
        variable->size_max = op->value->size_max;
    return true;
}

static void run_let(const struct op *op, struct gen_state *state)
{
    struct gen_variable_value *variable = &state->variables[op->variable];
    variable->size = op->value->put(op->value, state, variable->bytes, &variable->type);
}

const struct op_kind op_let = {.compile = compile_let, .run = run_let};
