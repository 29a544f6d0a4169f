/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_STEP_H
#define ENGINE_STEP_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/namespace.h"
#include "engine/target.h"
#include "model/ejson.h"

/* What the steps of one collection's pre or post need to know. */
struct step_context {
    struct target *target;
    struct namespace_set *set;
    struct ejson_names own; /* the collection that the steps are for */
    unsigned threads;
    uint64_t seed;
    int32_t code; /* the server's, when a step failed; 0: none */
};

/* Runs a list of validated steps in order, up to the first that fails. The error begins with "/NAME/NUMBER/KIND", NAME
 * being pre or post. */
bool step_run_all(struct step_context *context, const char *name, const json_t *steps, struct error *err);
/* Creates the collection, as a server would by itself, when no step has. */
bool step_ensure_collection(struct step_context *context, struct namespace_item *item, struct error *err);

#endif
