/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_TALLY_H
#define MODEL_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The accounting, stated here and nowhere else.
 *
 * Every operation that was started ends in exactly one class:
 *
 *   succeeded     the server confirmed it whole (or it needed no server: `local`)
 *   failed        the server answered no: ok 0, a write error, a write concern error; by code (0: it said ok, and
 *                 confirmed fewer documents than it was sent, or more)
 *   broken        the connection was lost before the answer, or the answer was no answer; by cause
 *   abandoned     still in flight when the grace after the trial was over
 *   unconfirmed   sent without asking for an answer (w: 0)
 *
 * started = succeeded + failed + broken + abandoned + unconfirmed. Only succeeded ones make ops_per_sec.
 */
#define TALLY_FAILURES_MAX 16
#define TALLY_TEXT_MAX 200

/* Why operations ended badly: the server's code, or for broken ones the cause's errno-like small number. */
struct tally_reason {
    int32_t code;
    uint64_t count;
    char text[TALLY_TEXT_MAX]; /* the first message with this code */
};

/* The last place collects whatever does not find one (code as first met there). */
struct tally_reasons {
    struct tally_reason items[TALLY_FAILURES_MAX];
    size_t count;
};

struct tally {
    uint64_t started, succeeded, failed, broken, abandoned, unconfirmed;
    uint64_t local;                                 /* of succeeded: needed no server (let) */
    uint64_t within_trial_time;                     /* of succeeded: ended no later than the trial time */
    uint64_t inserted, matched, modified, upserted; /* documents that replies confirmed, failed operations included */
    /* Latency of succeeded operations that were sent: from the send of the first request to the last byte of the last
     * reply. */
    uint64_t latency_count;
    uint64_t latency_sum_ns;
    uint64_t latency_min_ns; /* UINT64_MAX while latency_count is 0 */
    uint64_t latency_max_ns;
    uint64_t no_service_ns;        /* session time without a transport, summed over sessions, inside the trial */
    int64_t last_counted_ns;       /* monotonic time of the last succeeded completion, 0: none */
    struct tally_reasons failures; /* of failed, by server code */
    struct tally_reasons breaks;   /* of broken, by cause */
};

void tally_init(struct tally *tally);
void tally_add(struct tally *into, const struct tally *from);
bool tally_is_balanced(const struct tally *tally);
/* Operations that did not end well: failed, broken and abandoned ones. */
uint64_t tally_lost(const struct tally *tally);
/* Whether all that was asked of a server went out without asking for an answer (w: 0): no rate, and nothing wrong. */
bool tally_is_unconfirmed(const struct tally *tally);
void tally_latency(struct tally *tally, uint64_t latency_ns);
/* Adds up by code. */
void tally_reasons_add(struct tally_reasons *into, const struct tally_reasons *from);
/* Counts `count` under `code`; `text` (need not end with NUL, non-UTF-8 is replaced, cut at a character) is kept when
 * it is the first. */
void tally_reason_add(struct tally_reasons *reasons, int32_t code, const char *text, size_t length, uint64_t count);

#endif
