/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_CONNECTOR_H
#define ENGINE_CONNECTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/target.h"
#include "engine/transport.h"

/*
 * The transports of a run and the threads that open them. The pool lives across cells and grows with the ladder. During
 * a trial its threads are the only code that calls libmongoc.
 */
struct connector_pool;

struct connector_pool *connector_pool_new(const struct target *target, unsigned threads);
/* How long the threads need at the most to come back: each of them may be looking for the primary. */
#define CONNECTOR_END_MS (2 * ROUTE_LOOK_MS)
/* Ends the threads. False: one has not come back from libmongoc within `limit_ms`; it keeps the pool, see
 * target_close(), until a later call. Safe with NULL. */
bool connector_pool_free(struct connector_pool *pool, int32_t limit_ms);

/* Between trials. Makes sure that `count` live transports are there, opening what is missing or broken, at most until
 * `deadline_ns` (monotonic) or an interrupt. The error is the first failure's. */
bool connector_pool_reserve(struct connector_pool *pool, unsigned count, int64_t deadline_ns, struct error *err);

/* Transport number `index` < count of a reserve; the worker that took it owns it until it gives it back. */
struct transport *connector_take(struct connector_pool *pool, unsigned index);
void connector_give_back(struct connector_pool *pool, unsigned index, struct transport *transport);

/*
 * Asks for transport `index` to be closed and opened anew; returns at once. When that is done (transport) or has failed
 * (NULL; the worker backs off and asks again), 1 is written to `wake_fd` (an eventfd), and connector_poll_reopened()
 * hands it out. `broken` may be NULL.
 */
void connector_reopen(struct connector_pool *pool, unsigned index, struct transport *broken, int wake_fd);
/* True when the request for `index` has been answered; then *transport is the new one, taken by the worker, or NULL. */
bool connector_poll_reopened(struct connector_pool *pool, unsigned index, struct transport **transport,
                             struct error *err);
/* Withdraws a request that is still open: what comes later goes back to the pool, wake_fd is not touched any more.
 * Nothing else is to be given back then. */
void connector_forget(struct connector_pool *pool, unsigned index);

#endif
