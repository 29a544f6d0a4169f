/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_COMPILE_H
#define ENGINE_COMPILE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "engine/plan.h"
#include "engine/template.h"
#include "model/ejson.h"

/*
 * What is needed while one op is compiled for one collection: the names that #B_ words stand for, where in the round we
 * are, and the plan that receives the parts. The definition has been checked when it was loaded, so what can still be
 * wrong depends on the run: sizes, in which the names of collections take part, and numbers that grow with the
 * sessions. Functions return false (NULL) after they have set the error; the caller adds its step of the JSON path with
 * compile_at().
 */
struct compiler {
    struct plan *plan;
    const struct plan_config *config;
    const struct testcase *test;
    size_t op_index;  /* in test->ops */
    struct gen *lets; /* one per operation of test->ops: for each let so far, what it may give on all collections */
    struct ejson_names names;
    struct error *err;
};

/* For `return f(..) || compile_at(compiler, "step");`: prefixes the error, always false. */
bool compile_at(struct compiler *compiler, const char *step);
bool compile_at_index(struct compiler *compiler, size_t index);

/* A document that is stored or asked for as a whole: at most 16 MiB. */
bool compile_top_document(struct compiler *compiler, struct template *template, const json_t *object);
/* `key` with any value. A key is final: nothing in it is resolved. */
bool compile_element(struct compiler *compiler, struct template *template, const char *key, const json_t *value);
/* The elements of an object (keys resolved) or array, without the length before and the NUL behind. */
bool compile_elements(struct compiler *compiler, struct template *template, const json_t *container);
/* An object or array with its length and final NUL. */
bool compile_nested(struct compiler *compiler, struct template *template, const json_t *container);
/* A value apart from any template: for arguments of operators and for `let`. */
const struct gen *compile_value(struct compiler *compiler, const json_t *value);

#endif
