/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_SLOT_H
#define ENGINE_SLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "engine/connector.h"
#include "engine/session.h"
#include "engine/transport.h"

/*
 * A session and the transport that carries it, as its worker sees them: a state and the steps from one to the next. No
 * call here waits (but for a transport that was told to), so a worker is free to wait for many at once or for one.
 */
enum slot_state {
    SLOT_READY,       /* slot_advance() is due */
    SLOT_SENDING,     /* the socket takes no more: slot_resume_send() when it is writable */
    SLOT_RECEIVING,   /* slot_receive() when it is readable */
    SLOT_PAUSED,      /* slot_wake() at until_ns */
    SLOT_BACKING_OFF, /* without a transport: slot_wake() at until_ns */
    SLOT_REOPENING,   /* without a transport: slot_collect() when the connector has written to wake_fd */
    SLOT_ENDED,
};

/* What the slots of a worker have in common. */
struct slot_context {
    struct connector_pool *pool;
    int epoll_fd; /* transports are watched there; -1: the worker waits in the transport */
    int wake_fd;
    uint8_t *input;                /* lent to the transports */
    bool through_driver;           /* libmongoc carries the operations; the worker has one slot */
    int64_t stop_ns, grace_end_ns; /* of the trial, monotonic */
    int64_t wall_offset_ms;        /* wall time less monotonic time at the gate */
};

struct slot {
    struct session *session;
    struct transport *transport; /* NULL while there is none */
    struct transport *broken;    /* to be handed to the connector, or closed after the trial */
    bool is_owed;                /* after the trial: `broken` still awaits the answer to what was abandoned, or to the
                                    ping after requests that asked for none */
    bool is_lost;                /* after the trial: what was abandoned has no answer that could be read */
    unsigned index;              /* of the transport in the pool */
    enum slot_state state;
    struct session_step step; /* what is being sent */
    bool has_step;            /* READY: `step` goes first, the operation has begun */
    int64_t until_ns;         /* PAUSED, BACKING_OFF */
    int64_t pause_ns;         /* the session's pause goes on until then, transport or not; 0: none */
    int64_t lost_ns;          /* since when without a transport */
    int64_t backoff_ns;       /* before the next reopening; 0: the last one has proved good */
    unsigned reconnects;
    bool is_asked; /* the connector still has a request for it */
};

/* One reading of the clock; wall time is derived from it. */
struct clock_now slot_clock(const struct slot_context *context);

/* The transport is taken from the pool; slots are READY at the gate. */
void slot_begin(struct slot *slot, const struct slot_context *context);
void slot_advance(struct slot *slot, const struct slot_context *context, struct clock_now now);
void slot_resume_send(struct slot *slot, const struct slot_context *context);
/* *now is read anew when a message has come. */
void slot_receive(struct slot *slot, const struct slot_context *context, struct clock_now *now);
void slot_wake(struct slot *slot, const struct slot_context *context);
void slot_collect(struct slot *slot, const struct slot_context *context, struct clock_now now);
/* The trial time is over: a slot that waits for something else than its operation in flight goes on to its end. */
void slot_stop(struct slot *slot, const struct slot_context *context, int64_t now_ns);
/* The worker is leaving: what is in flight is abandoned. */
void slot_leave(struct slot *slot, const struct slot_context *context, int64_t now_ns);
/* After the worker, on any thread: the transport goes back to the pool, or is closed where an answer could still come.
 */
void slot_give_back(struct slot *slot, struct connector_pool *pool);

#endif
