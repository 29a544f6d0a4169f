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
#define INTERRUPTED_NS (2 * CLOCK_NS_PER_SEC)
#define POLL_MS 100

static unsigned count_lost(const struct slot *slots, unsigned count)
{
    unsigned lost = 0;
    for (unsigned i = 0; i < count; i++)
        lost += slots[i].is_lost;
    return lost;
}

static unsigned count_owed(const struct slot *slots, unsigned count)
{
    unsigned owed = 0;
    for (unsigned i = 0; i < count; i++)
        owed += slots[i].is_owed;
    return owed;
}

/* What the socket had no room for, and then the ping that ends a trial without confirmations. */
static enum transport_status send_rest(struct slot *slot)
{
    enum transport_status status = transport_send(slot->broken, NULL, 0);
    if (status != TRANSPORT_DONE)
        return status;
    struct session_step step = session_next(slot->session, (struct clock_now){.mono_ns = INT64_MAX});
    return step.action == SESSION_SEND ? transport_send(slot->broken, step.iov, step.iov_count) : TRANSPORT_DONE;
}

/* Reads until the last answer, or until nothing more is there. Before it there may be answers to requests that asked
 * for none (w: 0): a connection that still holds some would answer the next cell with them. */
static enum transport_status receive_last(struct slot *slot, bool is_all_sent, bool *heard)
{
    const uint8_t *message;
    size_t size;
    enum transport_status status;
    while ((status = transport_receive(slot->broken, &message, &size)) == TRANSPORT_DONE) {
        *heard = true;
        if (is_all_sent && session_is_last_answer(slot->session, message, size))
            break;
    }
    return status;
}

/* A late answer is read and forgotten; then the connection is as good as any. */
static void collect(struct slot *slot, bool *heard)
{
    transport_set_waiting(slot->broken, false);
    enum transport_status status = send_rest(slot);
    if (status != TRANSPORT_CLOSED)
        status = receive_last(slot, status == TRANSPORT_DONE, heard);
    switch (status) {
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

/* *heard becomes true when any of them has said something, or is gone. */
static unsigned wait_and_collect(struct slot *slots, unsigned count, unsigned owed, bool *heard)
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
            collect(&slots[i], heard);
    unsigned still = count_owed(slots, count);
    *heard = *heard || still < owed;
    return still;
}

void settle_abandoned(struct target *target, struct slot *slots, unsigned count, int64_t patience_ns,
                      void (*on_wait)(unsigned owed, void *context), void *context, struct settle_outcome *outcome)
{
    *outcome = (struct settle_outcome){0};
    unsigned owed = count_owed(slots, count), lost = count_lost(slots, count);
    if (owed + lost == 0)
        return;
    int64_t begin_ns = clock_mono_ns(), now_ns = begin_ns;
    if (kill_operations(target, KILL_LIMIT_NS, &outcome->killed, NULL) && kill_is_complete(target))
        lost = 0;
    int64_t heard_ns = clock_mono_ns(), ping_ns = heard_ns + PING_EVERY_NS;
    bool is_told = on_wait == NULL;
    while (owed > 0) {
        bool heard = false;
        owed = wait_and_collect(slots, count, owed, &heard);
        now_ns = clock_mono_ns();
        if (heard)
            heard_ns = now_ns;
        int64_t limit_ns = interrupt_signal() ? INTERRUPTED_NS : TOTAL_LIMIT_NS;
        if (owed == 0 || now_ns - heard_ns > patience_ns || now_ns - begin_ns > limit_ns)
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
    outcome->left = owed + lost;
    outcome->waited_ns = now_ns - begin_ns;
}
