/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_OP_H
#define ENGINE_OP_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/compile.h"
#include "engine/reply.h"
#include "engine/template.h"
#include "model/operation.h"
#include "model/tally.h"

/* A slot of a message whose size is always the same: its place among the session's private bytes. */
struct op_patch {
    uint32_t place;
    const struct gen *gen;
};

/* One operation on one collection, compiled. */
struct op {
    const struct op_kind *kind;
    int64_t delay_ns; /* nothing starts for so long after its end */

    /* Operations that go to the server. */
    struct template message; /* the whole OP_MSG; $db is the last element of its document */
    const char *db;          /* in the plan's arena */
    bool no_reply;           /* w: 0 */
    int64_t n_min, n_max;    /* documents that a reply confirms when all was done */
    int64_t upserted_max;    /* how many of these may be new ones */
    bool patched;            /* kept ready in each session, only its slots are renewed; else rendered each time */
    struct op_patch *patches;
    size_t patch_count;

    /* Operations that need no server. */
    const struct gen *value;
    size_t variable; /* place in plan.variables */
};

/* What the engine does for one kind of operation (model/operation.h). One with `run` needs no server. Adding one:
 * docs/adding-an-operation.md. */
struct op_kind {
    /* Fills `op` from its definition, which has been checked, for the collection of the compiler's names. */
    bool (*compile)(struct compiler *compiler, const json_t *definition, struct op *op);
    void (*run)(const struct op *op, struct gen_state *state);
    /* Adds the documents that the reply confirms. */
    void (*count)(struct tally *tally, const struct reply *reply);
};

extern const struct op_kind op_insert, op_update, op_let;

/* Every kind of model/operation.h has one. */
const struct op_kind *op_kind(enum operation_id id);

/* Helpers of kinds that send a write command. The body is {<command>: <collection>, <what the kind adds>,
 * writeConcern, $db}. */
struct op_message {
    struct op *op;
    size_t message, body; /* openings */
    char *db;
};
void op_message_begin(struct compiler *compiler, const json_t *definition, struct op *op, const char *command,
                      struct op_message *message);
bool op_message_end(struct compiler *compiler, struct op_message *message);
/* However it went on. */
void op_message_release(struct op_message *message);
/* A string element. */
void op_add_text(struct template *template, const char *key, const char *text);

#endif
