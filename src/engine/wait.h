/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_WAIT_H
#define ENGINE_WAIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Waiting for the network. Every wait has a limit and goes in slices of WAIT_SLICE_MS at most, so that an interrupt
 * (base/interrupt.h) ends it: within a slice, or for who is patient within WAIT_PATIENCE_MS, which leaves a server that
 * answers the time to let benchrun clean up.
 */
#define WAIT_SLICE_MS 100
#define WAIT_PATIENCE_MS 5000
/* Where no limit is given. */
#define WAIT_LONGEST_MS 600000

/* How long somebody lets the connections wait that are made for him, and what came of it. `{0}` is a good start. Used
 * by one thread at a time, but for what `cut` points to. */
struct wait_terms {
    bool is_patient;
    const atomic_bool *cut; /* true ends every wait within a slice; NULL: nobody does that */
    int64_t limit_ns;       /* monotonic: every wait ends then at the latest; 0: none */
    unsigned connections;   /* that were tried so far */
    unsigned timeouts;      /* waits so far that ended without what they waited for */
};

struct wait {
    const struct wait_terms *terms;
    int64_t until_ns;
    int64_t cut_ns; /* when the interrupt that has come ends it; 0: none has */
};

/* `timeout_ms` below 0: WAIT_LONGEST_MS. */
void wait_begin(struct wait *wait, const struct wait_terms *terms, int32_t timeout_ms);
/* False: it is over; errno is ETIMEDOUT, or EINTR for an interrupt or a cut. */
bool wait_goes_on(struct wait *wait);
/* How long the next slice may be. */
int wait_slice_ms(const struct wait *wait);
/* True: the descriptor is ready for these events of poll(2), or broken. False as above. */
bool wait_for_descriptor(struct wait *wait, int fd, short events);

#endif
