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
#include "model/tally.h"

/* What the steps of one collection's pre or post need to know. */
struct step_context {
    struct target *target;
    struct namespace_set *set;
    struct ejson_names own; /* the collection that the steps are for */
    unsigned threads;
    uint64_t seed;
    int32_t code;                        /* the server's, when a step failed; 0: none came */
    bool is_unanswered;                  /* a command was sent and has got no answer: it may still be carried out */
    struct tally_reasons setup_failures; /* refusals that steps may get ("mayFail") */
};

/* Runs a list of validated steps in order, up to the first that fails. The error begins with "/NAME/NUMBER/KIND", NAME
 * being pre or post. A refusal that asks for what is so already (already.h) is none. */
bool step_run_all(struct step_context *context, const char *name, const json_t *steps, struct error *err);
/* Creates the collection, as a server would by itself, when it is not there. */
bool step_ensure_collection(struct step_context *context, struct namespace_item *item, struct error *err);
/* `ok` is the outcome of a command, context->code its server's code. What fails without one may have got there all the
 * same, and be carried out later: that is noted. Returns `ok`. */
bool step_answered(struct step_context *context, bool ok);

#endif
