/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_PREPARE_H
#define ENGINE_PREPARE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
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

/* How a set-up ended: TRIAL_MEASURED means ready. */
struct prepare_outcome {
    enum trial_state state;
    int32_t code; /* the server's */
    struct error error;
};

/*
 * For every database and collection: drop ours, run `pre`, create the collection if pre has not. Then waits until no
 * collection is pending drop, and flushes (fsync) where the server allows it. A step that the server does not know or
 * support is TRIAL_UNSUPPORTED with its message; any other refusal TRIAL_UNPREPARED. prepare_clean_up() is to follow
 * whatever the outcome.
 */
void prepare_test(struct target *target, const struct testcase *test, const struct prepare_config *config,
                  struct prepare_outcome *outcome);
/* Runs `post`, drops what we made of this test and strikes the marks out. */
bool prepare_clean_up(struct target *target, const struct testcase *test, const struct prepare_config *config,
                      struct error *err);

/* Documents (exact) and bytes (estimated from the first documents) that one set-up of the test loads, all collections
 * together. */
bool prepare_estimate(const struct testcase *test, const struct prepare_config *config, uint64_t *documents,
                      uint64_t *bytes, struct error *err);

#endif
