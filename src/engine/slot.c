/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/slot.h"

#include <sys/epoll.h>

#define BACKOFF_MIN_NS (10 * CLOCK_NS_PER_MS)
#define BACKOFF_MAX_NS CLOCK_NS_PER_SEC

struct clock_now slot_clock(const struct slot_context *context)
{
    int64_t mono_ns = clock_mono_ns();
    return (struct clock_now){.mono_ns = mono_ns, .wall_ms = context->wall_offset_ms + mono_ns / CLOCK_NS_PER_MS};
}

/* Edge-triggered and for both directions at once: no further call is needed when a request goes in parts. */
static void attach(struct slot *slot, const struct slot_context *context)
{
    transport_set_waiting(slot->transport, context->epoll_fd < 0);
    transport_lend(slot->transport, context->input);
    if (context->epoll_fd < 0)
        return;
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.ptr = slot};
    epoll_ctl(context->epoll_fd, EPOLL_CTL_ADD, transport_fd(slot->transport), &event);
}

static void detach(struct slot *slot, const struct slot_context *context)
{
    if (context->epoll_fd >= 0)
        epoll_ctl(context->epoll_fd, EPOLL_CTL_DEL, transport_fd(slot->transport), NULL);
}

void slot_begin(struct slot *slot, const struct slot_context *context)
{
    slot->state = SLOT_READY;
    attach(slot, context);
}

static void ask_connector(struct slot *slot, const struct slot_context *context)
{
    struct transport *broken = slot->broken;
    slot->broken = NULL;
    slot->state = SLOT_REOPENING;
    slot->backoff_ns = slot->backoff_ns ? slot->backoff_ns * 2 : BACKOFF_MIN_NS;
    if (slot->backoff_ns > BACKOFF_MAX_NS)
        slot->backoff_ns = BACKOFF_MAX_NS;
    connector_reopen(context->pool, slot->index, broken, context->wake_fd);
}

static void back_off(struct slot *slot, int64_t now_ns)
{
    slot->state = SLOT_BACKING_OFF;
    slot->until_ns = now_ns + slot->backoff_ns;
}

/* At once after a connection that worked; one that broke before it did anything is no reason to hurry. */
static void lose_transport(struct slot *slot, const struct slot_context *context)
{
    int64_t now_ns = clock_mono_ns();
    detach(slot, context);
    slot->broken = slot->transport;
    slot->transport = NULL;
    slot->lost_ns = now_ns;
    if (now_ns >= context->stop_ns)
        slot->state = SLOT_ENDED;
    else if (slot->backoff_ns)
        back_off(slot, now_ns);
    else
        ask_connector(slot, context);
}

static void break_session(struct slot *slot, const struct slot_context *context)
{
    session_broken(slot->session, transport_errno(slot->transport), transport_error(slot->transport));
    lose_transport(slot, context);
}

static void count_no_service(struct slot *slot, const struct slot_context *context, int64_t now_ns)
{
    int64_t end_ns = now_ns < context->stop_ns ? now_ns : context->stop_ns;
    if (end_ns > slot->lost_ns)
        session_tally(slot->session)->no_service_ns += (uint64_t)(end_ns - slot->lost_ns);
}

/* A server that answers what asked for no answer takes no more requests while its answers are not read. */
static void drop_answers(struct slot *slot, const struct slot_context *context)
{
    const uint8_t *message;
    size_t size;
    enum transport_status status = TRANSPORT_DONE;
    while (status == TRANSPORT_DONE && session_expects_nothing(slot->session))
        status = transport_receive(slot->transport, &message, &size);
    if (status == TRANSPORT_CLOSED)
        break_session(slot, context);
}

static void after_send(struct slot *slot, const struct slot_context *context, enum transport_status status)
{
    bool wants_reply = slot->step.action == SESSION_SEND;
    switch (status) {
    case TRANSPORT_DONE:
        slot->state = wants_reply ? SLOT_RECEIVING : SLOT_READY;
        break;
    case TRANSPORT_WANT_READ:
    case TRANSPORT_WANT_WRITE:
        slot->state = SLOT_SENDING;
        drop_answers(slot, context);
        break;
    case TRANSPORT_CLOSED:
        break_session(slot, context);
        break;
    }
}

/* Bytes that came before they were asked for: no event will tell of them. */
static void receive_early(struct slot *slot, const struct slot_context *context)
{
    struct clock_now now;
    if (slot->state == SLOT_RECEIVING && transport_has_buffered(slot->transport))
        slot_receive(slot, context, &now);
}

static void pause_until(struct slot *slot, int64_t until_ns)
{
    slot->state = SLOT_PAUSED;
    slot->until_ns = slot->pause_ns = until_ns;
}

static void handle_reply(struct slot *slot, const struct slot_context *context, struct session_step step)
{
    switch (step.action) {
    case SESSION_SEND:
        slot->step = step;
        slot->has_step = true;
        slot->state = SLOT_READY;
        slot->backoff_ns = 0;
        break;
    case SESSION_RECEIVE:
        slot->state = SLOT_RECEIVING;
        break;
    case SESSION_DONE:
    case SESSION_FAILED:
        slot->state = SLOT_READY;
        slot->backoff_ns = 0;
        break;
    case SESSION_BROKEN:
    case SESSION_NOT_PRIMARY:
    case SESSION_SEND_NO_REPLY:
    case SESSION_WAIT_UNTIL:
    case SESSION_END:
        lose_transport(slot, context);
        break;
    }
}

/* The driver sends, waits and reads in one call. What the end of the grace has cut off is not broken but abandoned. */
static void call_driver(struct slot *slot, const struct slot_context *context)
{
    const struct session_step *step = &slot->step;
    const uint8_t *reply;
    size_t size;
    enum transport_status status =
        transport_command(slot->transport, context->grace_end_ns, step->db, step->iov, step->iov_count, &reply, &size);
    struct clock_now now = slot_clock(context);
    if (status == TRANSPORT_DONE)
        handle_reply(slot, context, session_reply_document(slot->session, reply, size, now));
    else if (now.mono_ns < context->grace_end_ns)
        break_session(slot, context);
    else
        slot->state = SLOT_RECEIVING;
}

static void exchange(struct slot *slot, const struct slot_context *context)
{
    if (context->through_driver) {
        call_driver(slot, context);
        return;
    }
    after_send(slot, context, transport_send(slot->transport, slot->step.iov, slot->step.iov_count));
    receive_early(slot, context);
}

void slot_advance(struct slot *slot, const struct slot_context *context, struct clock_now now)
{
    if (!slot->has_step)
        slot->step = session_next(slot->session, now);
    slot->has_step = false;
    switch (slot->step.action) {
    case SESSION_SEND:
    case SESSION_SEND_NO_REPLY:
        exchange(slot, context);
        break;
    case SESSION_WAIT_UNTIL:
        pause_until(slot, slot->step.until_ns);
        break;
    case SESSION_END:
        slot->state = SLOT_ENDED;
        break;
    case SESSION_RECEIVE:
    case SESSION_DONE:
    case SESSION_FAILED:
    case SESSION_BROKEN:
    case SESSION_NOT_PRIMARY:
        break;
    }
}

void slot_resume_send(struct slot *slot, const struct slot_context *context)
{
    after_send(slot, context, transport_send(slot->transport, NULL, 0));
}

/* A message that comes when none is expected breaks the connection too: the session says so. */
void slot_receive(struct slot *slot, const struct slot_context *context, struct clock_now *now)
{
    const uint8_t *message;
    size_t size;
    struct session_step step = {.action = SESSION_DONE};
    enum transport_status status;
    while ((status = transport_receive(slot->transport, &message, &size)) == TRANSPORT_DONE) {
        *now = slot_clock(context);
        step = session_reply(slot->session, message, size, *now);
        if (step.action != SESSION_RECEIVE)
            break;
    }
    switch (status) {
    case TRANSPORT_DONE:
        handle_reply(slot, context, step);
        break;
    case TRANSPORT_CLOSED:
        break_session(slot, context);
        break;
    case TRANSPORT_WANT_READ:
    case TRANSPORT_WANT_WRITE:
        break;
    }
}

void slot_wake(struct slot *slot, const struct slot_context *context)
{
    if (slot->state == SLOT_BACKING_OFF) {
        ask_connector(slot, context);
        return;
    }
    slot->state = SLOT_READY;
    slot->pause_ns = 0;
}

void slot_collect(struct slot *slot, const struct slot_context *context, struct clock_now now)
{
    if (!connector_poll_reopened(context->pool, slot->index, &slot->transport, NULL))
        return;
    if (!slot->transport) {
        back_off(slot, now.mono_ns);
        return;
    }
    slot->reconnects++;
    count_no_service(slot, context, now.mono_ns);
    attach(slot, context);
    if (slot->pause_ns > now.mono_ns)
        pause_until(slot, slot->pause_ns);
    else
        slot->state = SLOT_READY;
}

void slot_stop(struct slot *slot, const struct slot_context *context, int64_t now_ns)
{
    switch (slot->state) {
    case SLOT_REOPENING:
    case SLOT_BACKING_OFF:
        count_no_service(slot, context, now_ns);
        slot->is_asked = slot->state == SLOT_REOPENING;
        slot->state = SLOT_ENDED;
        break;
    case SLOT_PAUSED:
        slot_wake(slot, context);
        break;
    case SLOT_READY:
    case SLOT_SENDING:
    case SLOT_RECEIVING:
    case SLOT_ENDED:
        break;
    }
}

/* An operation that went in part will never be one. Unconfirmed ones are counted already, and as long as the ping
 * behind them has no answer the server may have them before it. libmongoc does not read an answer on that came too
 * late. */
void slot_leave(struct slot *slot, const struct slot_context *context, int64_t now_ns)
{
    slot_stop(slot, context, now_ns);
    bool is_unconfirmed = session_expects_nothing(slot->session);
    if (slot->transport && (is_unconfirmed || session_in_flight(slot->session) || slot->state == SLOT_SENDING)) {
        slot->broken = slot->transport;
        slot->transport = NULL;
        bool is_awaited = is_unconfirmed || slot->state == SLOT_RECEIVING;
        slot->is_owed = is_awaited && !context->through_driver;
        slot->is_lost = is_awaited && context->through_driver;
    }
    session_abandon(slot->session);
    slot->state = SLOT_ENDED;
}

void slot_give_back(struct slot *slot, struct connector_pool *pool)
{
    transport_close(slot->broken);
    slot->broken = NULL;
    if (slot->is_asked)
        connector_forget(pool, slot->index);
    else
        connector_give_back(pool, slot->index, slot->transport);
    slot->transport = NULL;
}
