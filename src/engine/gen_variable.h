/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_GEN_VARIABLE_H
#define ENGINE_GEN_VARIABLE_H

#include "engine/gen.h"

/* The place of the variable in plan.variables, added when it is new. */
size_t gen_variable_place(struct compiler *compiler, const char *name);
/* The value of the `let` at hand, which #VARIABLE behind it then knows. */
const struct gen *gen_variable_compile_let(struct compiler *compiler, const json_t *value);
/* A value that may come into a text: a double is made ready for #CONCAT. */
const struct gen *gen_variable_compile_text(struct compiler *compiler, const json_t *value);

#endif
