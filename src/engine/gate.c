/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/gate.h"

#include "base/clock.h"

void gate_init(struct gate *gate, unsigned workers)
{
    *gate = (struct gate){.missing = workers};
    condition_init(&gate->opened);
}

void gate_release(struct gate *gate)
{
    condition_release(&gate->opened);
}

bool gate_pass(struct gate *gate, int64_t *start_ns)
{
    pthread_mutex_lock(&gate->opened.lock);
    if (--gate->missing == 0 && !gate->is_cancelled) {
        gate->start_ns = clock_mono_ns();
        pthread_cond_broadcast(&gate->opened.changed);
    }
    while (gate->start_ns == 0 && !gate->is_cancelled)
        condition_wait(&gate->opened, clock_mono_ns() + CLOCK_NS_PER_SEC);
    *start_ns = gate->start_ns;
    bool is_open = !gate->is_cancelled;
    pthread_mutex_unlock(&gate->opened.lock);
    return is_open;
}

void gate_cancel(struct gate *gate)
{
    pthread_mutex_lock(&gate->opened.lock);
    gate->is_cancelled = true;
    pthread_cond_broadcast(&gate->opened.changed);
    pthread_mutex_unlock(&gate->opened.lock);
}
