/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/gate.h"

#include "base/clock.h"

void gate_init(struct gate *gate, unsigned workers)
{
    *gate = (struct gate){.missing = workers};
    pthread_mutex_init(&gate->lock, NULL);
    pthread_cond_init(&gate->opened, NULL);
}

void gate_release(struct gate *gate)
{
    pthread_mutex_destroy(&gate->lock);
    pthread_cond_destroy(&gate->opened);
}

bool gate_pass(struct gate *gate, int64_t *start_ns)
{
    pthread_mutex_lock(&gate->lock);
    if (--gate->missing == 0 && !gate->is_cancelled) {
        gate->start_ns = clock_mono_ns();
        pthread_cond_broadcast(&gate->opened);
    }
    while (gate->start_ns == 0 && !gate->is_cancelled)
        pthread_cond_wait(&gate->opened, &gate->lock);
    *start_ns = gate->start_ns;
    bool is_open = !gate->is_cancelled;
    pthread_mutex_unlock(&gate->lock);
    return is_open;
}

void gate_cancel(struct gate *gate)
{
    pthread_mutex_lock(&gate->lock);
    gate->is_cancelled = true;
    pthread_cond_broadcast(&gate->opened);
    pthread_mutex_unlock(&gate->lock);
}
