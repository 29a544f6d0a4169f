/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_TRIAL_H
#define ENGINE_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/connector.h"
#include "engine/plan.h"
#include "engine/target.h"
#include "model/result.h"

/* What a running trial looks like from outside, at most a few times a second, on the calling thread. */
struct trial_progress {
    int64_t elapsed_ns;                 /* since the gate */
    uint64_t succeeded, failed, broken; /* so far */
};
typedef void trial_progress_fn(const struct trial_progress *progress, void *context);

struct trial_config {
    struct target *target;
    struct connector_pool *pool;
    const struct plan *plan;
    unsigned sessions;
    enum run_client client;
    unsigned workers; /* 0: as many as usable CPUs, or sessions if fewer; with the driver always one a session */
    unsigned trial;   /* number, for the random streams */
    uint64_t seed;
    int64_t trial_time_ns, grace_ns;
    /* How long no answer may come from operations that were abandoned; the grace, if it is longer. */
    int64_t patience_ns;
    trial_progress_fn *on_progress;                /* may be NULL */
    void (*on_wait)(unsigned owed, void *context); /* abandoned operations are waited for; may be NULL */
    void *context;
};

/*
 * One timed run on a prepared test case:
 *   transports ready -> sessions meet at the gate, the last one starts the clock -> until trial_time_ns operations
 * start -> those in flight may end within grace_ns and count -> the rest is abandoned, and has ended in the server
 * before the call returns, or is given up (settle.h). Fills elapsed_ns, client_cpu_ns, session_ops_min and _max,
 * reconnects, abandoned_*, settle_ns, tally and state of `out` (MEASURED; UNPREPARED when the transports could not be
 * had; INTERRUPTED).
 * False: a thread has not come back long after the end (TRIAL_LATE_S). The trial is UNPREPARED, and the pool and the
 * plan are the thread's from now on.
 */
#define TRIAL_LATE_S 60
bool trial_execute(const struct trial_config *config, struct trial_result *out);

#endif
