/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/settle.h"

#include <poll.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/kill.h"

#define KILL_LIMIT_NS (3 * CLOCK_NS_PER_SEC)
#define TOTAL_LIMIT_NS (600 * CLOCK_NS_PER_SEC)
#define PING_EVERY_NS (5 * CLOCK_NS_PER_SEC)
#define SILENT_NS CLOCK_NS_PER_SEC
#define POLL_MS 100

static unsigned count_owed(const struct slot *slots, unsigned count)
{
    unsigned owed = 0;
    for (unsigned i = 0; i < count; i++)
        owed += slots[i].is_owed;
    return owed;
}

/* A late answer is read and forgotten; then the connection is as good as any. */
static void collect(struct slot *slot)
{
    const uint8_t *message;
    size_t size;
    switch (transport_receive(slot->broken, &message, &size)) {
    case TRANSPORT_DONE:
        slot->transport = slot->broken;
        slot->broken = NULL;
        slot->is_owed = false;
        break;
    case TRANSPORT_CLOSED:
        slot->is_owed = false;
        break;
    case TRANSPORT_WANT_READ:
    case TRANSPORT_WANT_WRITE:
        break;
    }
}

static unsigned wait_and_collect(struct slot *slots, unsigned count, unsigned owed)
{
    struct pollfd *fds = memory_zeroed(owed, sizeof *fds);
    unsigned k = 0;
    for (unsigned i = 0; i < count; i++)
        if (slots[i].is_owed)
            fds[k++] = (struct pollfd){.fd = transport_fd(slots[i].broken), .events = POLLIN};
    poll(fds, k, POLL_MS);
    free(fds);
    for (unsigned i = 0; i < count; i++)
        if (slots[i].is_owed)
            collect(&slots[i]);
    return count_owed(slots, count);
}

void settle_abandoned(struct target *target, struct slot *slots, unsigned count, int64_t patience_ns,
                      void (*on_wait)(unsigned owed, void *context), void *context, struct settle_outcome *outcome)
{
    *outcome = (struct settle_outcome){0};
    unsigned owed = count_owed(slots, count);
    if (owed == 0)
        return;
    int64_t begin_ns = clock_mono_ns(), now_ns;
    kill_operations(target, KILL_LIMIT_NS, &outcome->killed, NULL);
    int64_t heard_ns = clock_mono_ns(), ping_ns = heard_ns + PING_EVERY_NS;
    bool is_told = on_wait == NULL;
    for (;;) {
        unsigned still = wait_and_collect(slots, count, owed);
        now_ns = clock_mono_ns();
        if (still < owed)
            heard_ns = now_ns;
        owed = still;
        if (owed == 0 || interrupt_signal() || now_ns - heard_ns > patience_ns || now_ns - begin_ns > TOTAL_LIMIT_NS)
            break;
        if (!is_told && now_ns - begin_ns > SILENT_NS) {
            on_wait(owed, context);
            is_told = true;
        }
        if (now_ns >= ping_ns && !target_is_alive(target, NULL))
            break;
        if (now_ns >= ping_ns)
            ping_ns = clock_mono_ns() + PING_EVERY_NS;
    }
    outcome->left = owed;
    outcome->waited_ns = now_ns - begin_ns;
}
