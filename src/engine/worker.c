/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/worker.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"

/* Every wait ends after this time at the latest, so that an interrupt and the end of the trial are seen. */
enum { WAIT_MAX_MS = 100, EVENTS_MAX = 256 };
#define PUBLISH_EVERY_NS (50 * CLOCK_NS_PER_MS)

static void publish(struct worker *worker, int64_t now_ns)
{
    if (now_ns < worker->next_publish_ns)
        return;
    uint64_t succeeded = 0, failed = 0, broken = 0;
    for (unsigned i = 0; i < worker->count; i++) {
        const struct tally *tally = session_tally(worker->slots[i].session);
        succeeded += tally->succeeded;
        failed += tally->failed;
        broken += tally->broken;
    }
    atomic_store_explicit(&worker->progress.succeeded, succeeded, memory_order_relaxed);
    atomic_store_explicit(&worker->progress.failed, failed, memory_order_relaxed);
    atomic_store_explicit(&worker->progress.broken, broken, memory_order_relaxed);
    worker->next_publish_ns = now_ns + PUBLISH_EVERY_NS;
}

/* Puts a slot where its new state belongs. Called once after every step of a slot. */
static void settle(struct worker *worker, struct slot *slot)
{
    switch (slot->state) {
    case SLOT_READY:
        worker->ready[worker->ready_count++] = slot;
        break;
    case SLOT_PAUSED:
    case SLOT_BACKING_OFF:
        if (slot->until_ns < worker->timer_ns)
            worker->timer_ns = slot->until_ns;
        break;
    case SLOT_ENDED:
        worker->live--;
        break;
    case SLOT_SENDING:
    case SLOT_RECEIVING:
    case SLOT_REOPENING:
        break;
    }
}

/* While the kernel works for one slot, the memory of the next is on its way. */
static void prefetch(const struct slot *slot)
{
    session_prefetch(slot->session);
    if (slot->transport)
        transport_prefetch(slot->transport);
}

/* Slots that are ready now; those that are ready again afterwards have their next turn after the others. */
static void advance_ready(struct worker *worker)
{
    unsigned count = worker->ready_count;
    worker->ready_count = 0;
    for (unsigned i = 0; i < count; i++) {
        if (i + 1 < count)
            prefetch(worker->ready[i + 1]);
        slot_advance(worker->ready[i], &worker->context, slot_clock(&worker->context));
        settle(worker, worker->ready[i]);
    }
}

static void collect_reopened(struct worker *worker, struct clock_now now)
{
    eventfd_t ignored;
    eventfd_read(worker->context.wake_fd, &ignored);
    for (unsigned i = 0; i < worker->count; i++) {
        struct slot *slot = &worker->slots[i];
        if (slot->state != SLOT_REOPENING)
            continue;
        slot_collect(slot, &worker->context, now);
        settle(worker, slot);
    }
}

static bool is_listening(const struct slot *slot)
{
    return slot->state == SLOT_RECEIVING || slot->state == SLOT_PAUSED;
}

/* Edge-triggered: a state that does not look at an event finds out by its own next call. A request that has gone in the
 * meantime may have its reply waiting; and behind the last bytes of a connection that was closed comes its end, for
 * which there is no event of its own. */
static void handle_event(struct worker *worker, struct slot *slot, uint32_t events, struct clock_now *now)
{
    bool was_sending = slot->state == SLOT_SENDING;
    bool is_closed = events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR);
    if (was_sending)
        slot_resume_send(slot, &worker->context);
    else if (!is_listening(slot))
        return;
    if (is_listening(slot) && (was_sending || events & EPOLLIN || is_closed))
        slot_receive(slot, &worker->context, now);
    if (is_listening(slot) && is_closed)
        slot_receive(slot, &worker->context, now);
    settle(worker, slot);
}

static void handle_timers(struct worker *worker, int64_t now_ns)
{
    if (now_ns < worker->timer_ns)
        return;
    worker->timer_ns = INT64_MAX;
    for (unsigned i = 0; i < worker->count; i++) {
        struct slot *slot = &worker->slots[i];
        if (slot->state != SLOT_PAUSED && slot->state != SLOT_BACKING_OFF)
            continue;
        if (slot->until_ns <= now_ns)
            slot_wake(slot, &worker->context);
        settle(worker, slot);
    }
}

static void stop_slots(struct worker *worker, int64_t now_ns)
{
    if (worker->is_stopped || now_ns < worker->context.stop_ns)
        return;
    worker->is_stopped = true;
    for (unsigned i = 0; i < worker->count; i++) {
        struct slot *slot = &worker->slots[i];
        if (slot->state != SLOT_REOPENING && slot->state != SLOT_BACKING_OFF && slot->state != SLOT_PAUSED)
            continue;
        slot_stop(slot, &worker->context, now_ns);
        settle(worker, slot);
    }
}

static bool must_leave(struct worker *worker, int64_t now_ns)
{
    worker->was_interrupted = interrupt_signal() != 0;
    return worker->was_interrupted || now_ns >= worker->context.grace_end_ns;
}

/* Rounded up: a pause never ends early. Where the last session has just ended there is nothing to wait for. */
static int wait_ms(const struct worker *worker, int64_t now_ns)
{
    if (worker->ready_count > 0 || worker->live == 0 || worker->timer_ns <= now_ns)
        return 0;
    int64_t left_ns = worker->timer_ns == INT64_MAX ? WAIT_MAX_MS * CLOCK_NS_PER_MS : worker->timer_ns - now_ns;
    int64_t left_ms = (left_ns + CLOCK_NS_PER_MS - 1) / CLOCK_NS_PER_MS;
    return left_ms < WAIT_MAX_MS ? (int)left_ms : WAIT_MAX_MS;
}

/* All that came is read first, then all that is due is written: the server has work for a while, and is not woken for
 * each. */
static void drive_many(struct worker *worker)
{
    struct epoll_event events[EVENTS_MAX];
    struct clock_now now = slot_clock(&worker->context);
    while (worker->live > 0 && !must_leave(worker, now.mono_ns)) {
        advance_ready(worker);
        int n = epoll_wait(worker->context.epoll_fd, events, EVENTS_MAX, wait_ms(worker, now.mono_ns));
        now = slot_clock(&worker->context);
        for (int i = 0; i < n; i++) {
            if (i + 1 < n && events[i + 1].data.ptr)
                prefetch(events[i + 1].data.ptr);
            if (events[i].data.ptr)
                handle_event(worker, events[i].data.ptr, events[i].events, &now);
            else
                collect_reopened(worker, now);
        }
        handle_timers(worker, now.mono_ns);
        stop_slots(worker, now.mono_ns);
        publish(worker, now.mono_ns);
    }
}

static void wait_descriptor(int fd, short events)
{
    struct pollfd item = {.fd = fd, .events = events};
    poll(&item, 1, WAIT_MAX_MS);
}

static void sleep_towards(int64_t until_ns, int64_t now_ns)
{
    int64_t left_ns = until_ns - now_ns;
    clock_sleep_ns(left_ns < WAIT_MAX_MS * CLOCK_NS_PER_MS ? left_ns : WAIT_MAX_MS * CLOCK_NS_PER_MS);
}

/* One step of the only slot, waiting for what it needs. `now` is used once for a reply and the next request. */
static void step_one(struct worker *worker, struct slot *slot, struct clock_now *now)
{
    const struct slot_context *context = &worker->context;
    enum slot_state before = slot->state;
    switch (before) {
    case SLOT_READY:
        slot_advance(slot, context, *now);
        if (slot->state == SLOT_RECEIVING && !context->through_driver)
            return;
        break;
    case SLOT_RECEIVING:
        slot_receive(slot, context, now);
        if (slot->state == SLOT_READY)
            return;
        break;
    case SLOT_SENDING:
        wait_descriptor(transport_fd(slot->transport), POLLOUT);
        slot_resume_send(slot, context);
        break;
    case SLOT_PAUSED:
    case SLOT_BACKING_OFF:
        if (slot->until_ns <= now->mono_ns)
            slot_wake(slot, context);
        else
            sleep_towards(slot->until_ns, now->mono_ns);
        break;
    case SLOT_REOPENING:
        wait_descriptor(context->wake_fd, POLLIN);
        collect_reopened(worker, slot_clock(context));
        break;
    case SLOT_ENDED:
        break;
    }
    *now = slot_clock(context);
}

static void drive_one(struct worker *worker)
{
    struct slot *slot = &worker->slots[0];
    struct clock_now now = slot_clock(&worker->context);
    while (slot->state != SLOT_ENDED && !must_leave(worker, now.mono_ns)) {
        step_one(worker, slot, &now);
        worker->ready_count = 0;
        if (now.mono_ns >= worker->context.stop_ns)
            slot_stop(slot, &worker->context, now.mono_ns);
        publish(worker, now.mono_ns);
    }
}

static void drive(struct worker *worker, int64_t start_ns)
{
    struct slot_context *context = &worker->context;
    int64_t cpu_ns = clock_thread_cpu_ns();
    context->stop_ns = start_ns + worker->trial_time_ns;
    context->wall_offset_ms = clock_wall_ms() - clock_mono_ns() / CLOCK_NS_PER_MS;
    context->grace_end_ns = context->stop_ns + worker->grace_ns;
    worker->live = worker->count;
    for (unsigned i = 0; i < worker->count; i++) {
        session_start(worker->slots[i].session, context->stop_ns);
        worker->ready[worker->ready_count++] = &worker->slots[i];
    }
    if (context->epoll_fd >= 0)
        drive_many(worker);
    else
        drive_one(worker);
    worker->cpu_ns = clock_thread_cpu_ns() - cpu_ns;
    worker->next_publish_ns = 0;
    publish(worker, clock_mono_ns());
    for (unsigned i = 0; i < worker->count; i++)
        slot_leave(&worker->slots[i], context, clock_mono_ns());
}

static void run(void *argument)
{
    struct worker *worker = argument;
    int64_t start_ns;
    for (unsigned i = 0; i < worker->count; i++)
        slot_begin(&worker->slots[i], &worker->context);
    if (gate_pass(worker->gate, &start_ns))
        drive(worker, start_ns);
}

static bool watch_wake_fd(struct worker *worker)
{
    struct epoll_event event = {.events = EPOLLIN};
    return epoll_ctl(worker->context.epoll_fd, EPOLL_CTL_ADD, worker->context.wake_fd, &event) == 0;
}

bool worker_init(struct worker *worker, struct slot *slots, unsigned count, struct connector_pool *pool,
                 struct error *err)
{
    *worker = (struct worker){.slots = slots, .count = count, .timer_ns = INT64_MAX};
    worker->context = (struct slot_context){.pool = pool, .epoll_fd = -1};
    worker->context.input = memory_zeroed(1, TRANSPORT_INPUT_SIZE);
    worker->ready = memory_zeroed(count, sizeof(struct slot *));
    worker->context.wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    bool ok = worker->context.wake_fd >= 0;
    if (ok && count > 1) {
        worker->context.epoll_fd = epoll_create1(EPOLL_CLOEXEC);
        ok = worker->context.epoll_fd >= 0 && watch_wake_fd(worker);
    }
    if (!ok)
        error_set(err, "a worker cannot be set up: %s", strerror(errno));
    return ok;
}

bool worker_start(struct worker *worker, struct crew *crew, struct error *err)
{
    if (crew_start(crew, run, worker))
        return true;
    error_set(err, "a worker cannot be started: %s", strerror(errno));
    return false;
}

void worker_release(struct worker *worker)
{
    if (worker->context.wake_fd >= 0)
        close(worker->context.wake_fd);
    if (worker->context.epoll_fd >= 0)
        close(worker->context.epoll_fd);
    free(worker->context.input);
    free(worker->ready);
}
