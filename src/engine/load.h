/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_LOAD_H
#define ENGINE_LOAD_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/target.h"
#include "model/ejson.h"

/* Fills a collection with the documents of an {"insert": ..} step, in batches: many documents an OP_MSG. */
struct load_config {
    const json_t *step;
    const struct ejson_names *names; /* what #B_ names stand for in the documents */
    const char *db, *coll;           /* where they go */
    unsigned threads;                /* {"perThread": n} */
    uint64_t seed;
};

/* A document without _id gets an ObjectId as its first field, as the shell that mongo-perf's pre runs in gives it.
 * Ends early on an interrupt. Fails when the server confirms fewer documents than it was sent. *code is the server's,
 * 0: none; *is_unanswered becomes true when a batch got no answer and may still be carried out. */
bool load_documents(struct target *target, const struct load_config *config, int32_t *code, bool *is_unanswered,
                    struct error *err);
/* Adds the step's documents (exact) and bytes (from the first of them) to the sums. No server is needed. */
bool load_estimate(const struct load_config *config, uint64_t *documents, uint64_t *bytes, struct error *err);

#endif
