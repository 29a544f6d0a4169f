/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_PREPARE_H
#define ENGINE_PREPARE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/namespace.h"
#include "engine/target.h"
#include "model/result.h"
#include "model/testcase.h"

/*
 * Set-up and tear-down of a test case's collections, through libmongoc's ordinary calls, before and after a trial. What
 * benchrun makes is marked (marks.h); what it did not make is never written or dropped without `force`.
 */
struct prepare_config {
    unsigned multidb, multicoll;
    unsigned threads; /* {"perThread": n} */
    uint64_t seed;
    bool force;
};

struct prepare_config prepare_config_for(const struct run_options *options, size_t rung);

/* How a set-up ended. */
enum prepare_state {
    PREPARE_READY,
    PREPARE_REFUSED,     /* or it could not be asked for */
    PREPARE_UNSUPPORTED, /* the server does not know or support what a step asks for */
    PREPARE_INTERRUPTED,
};

struct prepare_outcome {
    enum prepare_state state;
    int32_t code; /* the server's */
    struct error error;
    struct tally_reasons setup_failures; /* refusals that steps may get ("mayFail") */
};

/* What one set-up has made, until it is cleaned up. */
struct preparation;

/*
 * For every database and collection: drop ours, run `pre`, create the collection if pre has not, and what operations
 * write to. Then waits until no collection is pending drop, and flushes (fsync) where the server allows it. A step that
 * the server does not know or support is PREPARE_UNSUPPORTED with its message; any other refusal PREPARE_REFUSED.
 * Returns what there is to clean up whatever the outcome; NULL: nothing was touched. `test` must live as long.
 */
struct preparation *prepare_test(struct target *target, const struct testcase *test,
                                 const struct prepare_config *config, struct prepare_outcome *outcome);
/* Runs `post` (once), drops what we made and strikes the marks out. When it fails it may be tried again, unless nothing
 * of ours is left: then `post` has failed, or a collection is not the one that was made. */
bool prepare_clean_up(struct target *target, struct preparation *preparation, struct error *err);
bool preparation_is_clean(const struct preparation *preparation);
/* A command of its set-up or clean-up has got no answer: the server may still carry it out. */
bool preparation_is_unanswered(const struct preparation *preparation);
/* Its collections. */
const struct namespace_set *preparation_collections(const struct preparation *preparation);
/* Safe with NULL. */
void preparation_free(struct preparation *preparation);

/* Documents (exact) and bytes (estimated from the first documents) that one set-up of the test loads, all collections
 * together. */
bool prepare_estimate(const struct testcase *test, const struct prepare_config *config, uint64_t *documents,
                      uint64_t *bytes, struct error *err);

#endif
