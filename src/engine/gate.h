/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_GATE_H
#define ENGINE_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/condition.h"

/* Where the workers of a trial meet: the last one through starts the clock for all. */
struct gate {
    struct condition opened; /* its lock is for all that follows */
    unsigned missing;
    bool is_cancelled;
    int64_t start_ns; /* monotonic; 0 until it opens */
};

void gate_init(struct gate *gate, unsigned workers);
void gate_release(struct gate *gate);
/* Waits for the others; who looks after the workers looks after the limit. False: cancelled, nothing starts. */
bool gate_pass(struct gate *gate, int64_t *start_ns);
/* Sends home those who wait and those who will come: a worker could not be made. */
void gate_cancel(struct gate *gate);

#endif
