/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_WORKER_H
#define ENGINE_WORKER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/crew.h"
#include "engine/gate.h"
#include "engine/slot.h"

#define WORKER_CACHE_LINE 64

/* Counters of a running worker for those who look on; written now and then by it alone. */
struct worker_progress {
    _Alignas(WORKER_CACHE_LINE) _Atomic uint64_t succeeded;
    _Atomic uint64_t failed;
    _Atomic uint64_t broken;
};

/*
 * A thread that drives sessions on transports for a whole trial: it waits for all of them at once (epoll), or in the
 * transport itself when it has only one. Between the first and the last operation on a plain connection it takes no
 * lock, allocates nothing and calls nothing of libmongoc; TLS goes through libmongoc's streams, and the driver's calls
 * are libmongoc's. A transport that breaks is handed to the connector under its lock.
 */
struct worker {
    struct worker_progress progress;
    struct slot *slots; /* the trial's; `count` of them are this worker's */
    unsigned count;
    struct slot_context context;
    struct gate *gate;
    int64_t trial_time_ns, grace_ns;
    int64_t cpu_ns;       /* used from the gate to the end */
    bool was_interrupted; /* left before its sessions had come to their end, because of a signal */

    struct slot **ready; /* `count` places */
    unsigned ready_count;
    unsigned live;           /* not ENDED */
    int64_t timer_ns;        /* the earliest pause that ends; INT64_MAX: none */
    int64_t next_publish_ns; /* of the progress */
    bool is_stopped;         /* the trial time is over, and slots were told */
};

/* Makes what the worker needs; `slots` hold a session and a transport each. */
bool worker_init(struct worker *worker, struct slot *slots, unsigned count, struct connector_pool *pool,
                 struct error *err);
/* Starts its thread, which waits at the gate first. */
bool worker_start(struct worker *worker, struct crew *crew, struct error *err);
/* After the thread has come back. */
void worker_release(struct worker *worker);

#endif
