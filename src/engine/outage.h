/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_OUTAGE_H
#define ENGINE_OUTAGE_H

#include <stdbool.h>
#include <stdint.h>

/* A time without a server that takes writes: it restarts, or its set elects another. It is waited out, with a limit. */

/* Hears of it from the second on, about twice a second, on the waiting thread. */
typedef void outage_fn(const char *reason, int64_t waited_ns, int64_t limit_ns, void *context);

struct outage {
    int64_t limit_ns;
    outage_fn *on_wait; /* may be NULL */
    void *context;
    int64_t begin_ns; /* monotonic; 0: there has been none */
    int64_t pause_ns; /* grows, so that a short one costs little time */
};

/* Before the first question to a server: for how long, and who hears of it. */
void outage_init(struct outage *outage, int64_t limit_ns, outage_fn *on_wait, void *context);
/* After a question that began at `asked_ns` and had no good answer, because of `reason`: waits until it is time to ask
 * again. False: the limit is over, or an interrupt has come. */
bool outage_goes_on(struct outage *outage, int64_t asked_ns, const char *reason);
/* Until now; 0: there has been none. */
int64_t outage_length_ns(const struct outage *outage);

#endif
