/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_SESSION_H
#define ENGINE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/clock.h"
#include "engine/plan.h"
#include "model/tally.h"

/*
 * One simulated client. Where operations ask for no answer, its last request is a ping that does: connections answer in
 * order, so with its reply nothing of the trial is left to be done on the server. The ping is no operation.
 *
 * Pure: no I/O, no clock of its own, no locks; after session_new() nothing allocates except a
 * buffer that has to grow. One thread at a time. The worker's loop is
 *
 *   step = session_next(now)            SEND: write step's bytes, read one reply, step = session_reply(reply, now)
 *                                       WAIT_UNTIL: call session_next() again at that time; END: this session is over
 *
 * and session_reply() itself ends in DONE (call session_next), SEND (one more request of the same operation) or FAILED
 * (counted; call session_next()).
 */
struct session;

enum session_action {
    SESSION_SEND,          /* the bytes of step.iov; exactly one reply follows */
    SESSION_SEND_NO_REPLY, /* the bytes of step.iov; none follows (w: 0); counted as unconfirmed at once */
    SESSION_WAIT_UNTIL,    /* nothing before step.until_ns */
    SESSION_END,           /* the trial time is over for this session */
    SESSION_RECEIVE,       /* from session_reply(): that was an answer nobody asked for; another one is to be read */
    SESSION_DONE,          /* from session_reply(): operation succeeded */
    SESSION_FAILED,        /* from session_reply(): the server said no; counted */
    SESSION_BROKEN,        /* from session_reply(): the bytes are no reply to the request; counted as broken: close the
                              transport */
    SESSION_NOT_PRIMARY, /* from session_reply(): failed, and the transport leads to a server that is no primary: reopen
                            it */
};

struct session_step {
    enum session_action action;
    /* SEND: valid and unchanged until the reply has been handed in. The worker may not write through it. */
    const struct iovec *iov;
    int iov_count;
    size_t size;
    const char *db;   /* the command's $db, the last element of its document */
    int64_t until_ns; /* monotonic */
};

/* Session `id` (0 .. sessions-1) of a trial. (seed, id, trial) alone decide its random values. */
struct session *session_new(const struct plan *plan, unsigned id, uint64_t seed, unsigned trial);
void session_free(struct session *session);

/* Has what the next two calls look at fetched into the CPU's cache in the meantime. */
void session_prefetch(const struct session *session);
/* The clock has started: operations start before `stop_ns` only. */
void session_start(struct session *session, int64_t stop_ns);
struct session_step session_next(struct session *session, struct clock_now now);
/* One whole wire message, header included. Its responseTo is checked against the request. */
struct session_step session_reply(struct session *session, const uint8_t *message, size_t size, struct clock_now now);
/* The same for a document that a client has taken out of its message. */
struct session_step session_reply_document(struct session *session, const uint8_t *document, size_t size,
                                           struct clock_now now);
/* The connection was lost with an operation in flight (no effect without one). `cause` is an errno, 0: closed by the
 * server. */
void session_broken(struct session *session, int cause, const char *text);
/* The grace is over: an operation in flight is abandoned (no effect without one). What session_next() gives from then
 * on is the ping after the last request, if one is due that has not been given yet, and the end. */
void session_abandon(struct session *session);
/* An operation, or the ping after the last one, waits for its answer. */
bool session_in_flight(const struct session *session);
/* What arrives now answers nothing that was asked, and may be thrown away: some servers answer requests that want no
 * answer, and take no more of them while their answers are not read. */
bool session_expects_nothing(const struct session *session);
/* Whether a whole message answers the session's last request; also after session_abandon(). */
bool session_is_last_answer(const struct session *session, const uint8_t *message, size_t size);
/* `no_service_ns` is the slot's to add. */
struct tally *session_tally(struct session *session);

#endif
