/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/session.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/op.h"
#include "engine/plan_parts.h"
#include "engine/server_codes.h"

enum { CACHE_LINE = 64 };

/* What is sent for one op. */
struct message {
    uint8_t *private; /* begins with the header */
    struct iovec *iov;
    int iov_count;
    size_t size;
};

/* {ping: 1, $db: "admin"} in an OP_MSG. */
static const uint8_t ping_body[] = "\x1e\0\0\0\x10ping\0\x01\0\0\0\x02$db\0\x06\0\0\0admin\0";
enum { FENCE_SIZE = WIRE_BODY_AT + sizeof ping_body };

struct session {
    const struct plan *plan;
    struct gen_state state;
    int64_t stop_ns;
    int64_t pause_until_ns; /* an op's delay */
    size_t position;        /* of the next op in the round */

    const struct op *in_flight; /* NULL: none */
    int64_t sent_ns;
    uint32_t request_id;

    struct message *messages; /* of each op that is patched */
    struct message scratch;   /* of all others */
    uint8_t *private_bytes;
    struct iovec *iovs;

    /* The ping behind the last request without an answer. */
    enum { FENCE_NOT_NEEDED, FENCE_DUE, FENCE_SENT } fence;
    uint8_t fence_bytes[FENCE_SIZE];
    struct iovec fence_iov;

    struct tally tally; /* last: most of it is texts that are seldom touched */
};

/* Templates of one size render to the same layout every time: what is made here is only patched later. */
static void prepare_messages(struct session *session)
{
    const struct plan *plan = session->plan;
    session->private_bytes = memory_zeroed(1, plan->private_size);
    session->iovs = memory_zeroed(plan->iov_count, sizeof *session->iovs);
    session->messages = memory_zeroed(plan->op_count, sizeof *session->messages);
    uint8_t *private = session->private_bytes;
    struct iovec *iov = session->iovs;
    for (size_t i = 0; i < plan->op_count; i++) {
        const struct op *op = &plan->ops[i];
        if (!op->patched)
            continue;
        struct message *message = &session->messages[i];
        struct template_output output = {.out = private, .iov = iov};
        *message = (struct message){.private = private, .iov = iov};
        message->size = template_copy(&op->message, &output);
        message->iov_count = output.iov_count;
        size_t runs, shared;
        template_measure_shared(&op->message, &runs, &shared);
        private += message->size - shared;
        iov += 2 * runs + 1;
    }
    session->scratch.private = memory_resize(NULL, plan->scratch_size, 1);
    session->scratch.iov = memory_zeroed(plan->scratch_iov_count, sizeof *session->scratch.iov);
}

static void prepare_state(struct session *session, unsigned id, uint64_t seed, unsigned trial)
{
    const struct plan *plan = session->plan;
    struct gen_state *state = &session->state;
    state->id = id;
    rng_init(&state->rng, seed, (uint64_t)(trial + 1) << 32 | id);
    state->sequences = memory_zeroed(plan->sequence_count, sizeof *state->sequences);
    state->variables = memory_zeroed(plan->variable_count, sizeof *state->variables);
    for (size_t i = 0; i < plan->variable_count; i++)
        state->variables[i].bytes = memory_resize(NULL, plan->variables[i].size_max, 1);
    state->double_texts = plan->double_texts;
    state->double_text_count = plan->double_text_count;
    state->oid_middle = (plan->oid_middle + id) & ((UINT64_C(1) << 40) - 1);
}

struct session *session_new(const struct plan *plan, unsigned id, uint64_t seed, unsigned trial)
{
    /* The types and sizes of slots were settled for these sessions. */
    assert(id < plan->sessions);
    struct session *session = memory_zeroed(1, sizeof *session);
    session->plan = plan;
    session->stop_ns = INT64_MIN;
    session->pause_until_ns = INT64_MIN;
    tally_init(&session->tally);
    prepare_state(session, id, seed, trial);
    prepare_messages(session);
    return session;
}

void session_free(struct session *session)
{
    if (!session)
        return;
    for (size_t i = 0; i < session->plan->variable_count; i++)
        free(session->state.variables[i].bytes);
    free(session->state.variables);
    free(session->state.sequences);
    free(session->scratch.private);
    free(session->scratch.iov);
    free(session->messages);
    free(session->private_bytes);
    free(session->iovs);
    free(session);
}

void session_start(struct session *session, int64_t stop_ns)
{
    session->stop_ns = stop_ns;
}

void session_prefetch(const struct session *session)
{
    const char *begin = (const char *)session, *end = (const char *)&session->tally.failures;
    for (const char *line = begin; line < end; line += CACHE_LINE)
        __builtin_prefetch(line, 1);
    __builtin_prefetch(session->private_bytes, 1);
}

static void count_success(struct session *session, int64_t now_ns)
{
    struct tally *tally = &session->tally;
    tally->succeeded++;
    tally->within_trial_time += now_ns <= session->stop_ns;
    tally->last_counted_ns = now_ns;
}

/* An operation has ended, however: its delay begins. */
static void end_op(struct session *session, const struct op *op, int64_t now_ns)
{
    session->in_flight = NULL;
    if (op->delay_ns > 0)
        session->pause_until_ns = now_ns + op->delay_ns;
}

static void run_local(struct session *session, const struct op *op, int64_t now_ns)
{
    session->tally.started++;
    session->tally.local++;
    op->kind->run(op, &session->state);
    count_success(session, now_ns);
    end_op(session, op, now_ns);
}

static struct message *make_message(struct session *session, const struct op *op)
{
    struct message *message;
    if (op->patched) {
        message = &session->messages[op - session->plan->ops];
        uint8_t type;
        for (size_t i = 0; i < op->patch_count; i++) {
            const struct op_patch *patch = &op->patches[i];
            patch->gen->put(patch->gen, &session->state, message->private + patch->place, &type);
        }
    } else {
        message = &session->scratch;
        struct template_output output = {.out = message->private, .iov = message->iov};
        message->size = template_render(&op->message, &session->state, &output);
        message->iov_count = output.iov_count;
    }
    wire_put_u32(message->private + WIRE_REQUEST_ID_AT, ++session->request_id);
    return message;
}

static struct session_step send_op(struct session *session, const struct op *op, int64_t now_ns)
{
    struct message *message = make_message(session, op);
    session->tally.started++;
    struct session_step step = {.action = SESSION_SEND,
                                .iov = message->iov,
                                .iov_count = message->iov_count,
                                .size = message->size,
                                .db = op->db};
    if (op->no_reply) {
        session->fence = FENCE_DUE;
        session->tally.unconfirmed++;
        end_op(session, op, now_ns);
        step.action = SESSION_SEND_NO_REPLY;
        return step;
    }
    session->in_flight = op;
    session->sent_ns = now_ns;
    return step;
}

static struct session_step wait_until(const struct session *session, int64_t until_ns)
{
    return (struct session_step){.action = SESSION_WAIT_UNTIL,
                                 .until_ns = until_ns < session->stop_ns ? until_ns : session->stop_ns};
}

static struct session_step send_fence(struct session *session)
{
    uint8_t *bytes = session->fence_bytes;
    wire_put_u32(bytes, FENCE_SIZE);
    wire_put_u32(bytes + WIRE_REQUEST_ID_AT, ++session->request_id);
    wire_put_u32(bytes + WIRE_OPCODE_AT, WIRE_OP_MSG);
    memcpy(bytes + WIRE_BODY_AT, ping_body, sizeof ping_body);
    session->fence = FENCE_SENT;
    session->fence_iov = (struct iovec){bytes, FENCE_SIZE};
    return (struct session_step){
        .action = SESSION_SEND, .iov = &session->fence_iov, .iov_count = 1, .size = FENCE_SIZE, .db = "admin"};
}

static struct session_step end(struct session *session)
{
    return session->fence == FENCE_DUE ? send_fence(session) : (struct session_step){.action = SESSION_END};
}

struct session_step session_next(struct session *session, struct clock_now now)
{
    const struct plan *plan = session->plan;
    assert(!session->in_flight);
    session->state.wall_ms = now.wall_ms;
    if (now.mono_ns >= session->stop_ns)
        return end(session);
    for (size_t locals = 0; locals < plan->op_count; locals++) {
        if (now.mono_ns < session->pause_until_ns)
            return wait_until(session, session->pause_until_ns);
        const struct op *op = &plan->ops[session->position];
        if (++session->position == plan->op_count)
            session->position = 0;
        if (!op->kind->run)
            return send_op(session, op, now.mono_ns);
        run_local(session, op, now.mono_ns);
    }
    return wait_until(session, now.mono_ns);
}

static struct session_step break_op(struct session *session, const char *text, size_t size, int cause, int64_t now_ns)
{
    const struct op *op = session->in_flight;
    session->tally.broken++;
    tally_reason_add(&session->tally.breaks, cause, text, size, 1);
    end_op(session, op, now_ns);
    return (struct session_step){.action = SESSION_BROKEN};
}

static struct session_step fail_op(struct session *session, const struct reply *reply, int64_t now_ns)
{
    session->tally.failed++;
    tally_reason_add(&session->tally.failures, reply->code, reply->text, reply->text_size, 1);
    end_op(session, session->in_flight, now_ns);
    bool not_primary = server_code_is_not_primary(reply->code);
    return (struct session_step){.action = not_primary ? SESSION_NOT_PRIMARY : SESSION_FAILED};
}

/* Why a reply that says ok does not confirm what was sent; NULL: it does. */
static const char *find_doubt(const struct op *op, const struct reply *reply)
{
    if (reply->n < op->n_min)
        return "the server says ok, but confirms fewer documents than it was sent";
    if (reply->n > op->n_max || reply->n_modified > reply->n || reply->upserted > op->upserted_max)
        return "the server says ok, but for more documents than the operation can touch";
    return NULL;
}

static void check_reply(const struct op *op, struct reply *reply)
{
    const char *doubt = reply->verdict == REPLY_SUCCEEDED ? find_doubt(op, reply) : NULL;
    if (doubt)
        *reply = (struct reply){.verdict = REPLY_FAILED, .text = doubt, .text_size = strlen(doubt)};
}

static struct session_step conclude(struct session *session, struct reply *reply, struct clock_now now)
{
    const struct op *op = session->in_flight;
    if (reply->verdict == REPLY_MALFORMED)
        return break_op(session, reply->text, reply->text_size, EPROTO, now.mono_ns);
    op->kind->count(&session->tally, reply);
    check_reply(op, reply);
    if (reply->verdict == REPLY_FAILED)
        return fail_op(session, reply, now.mono_ns);
    count_success(session, now.mono_ns);
    tally_latency(&session->tally, (uint64_t)(now.mono_ns - session->sent_ns));
    end_op(session, op, now.mono_ns);
    return (struct session_step){.action = SESSION_DONE};
}

/* Whatever it says: with it all requests before it are done. Anything else answers one that asked for no answer. */
static struct session_step answer_fence(struct session *session, const struct reply *reply)
{
    if (reply->verdict == REPLY_MALFORMED)
        return (struct session_step){.action = SESSION_RECEIVE};
    session->fence = FENCE_NOT_NEEDED;
    return (struct session_step){.action = SESSION_DONE};
}

struct session_step session_reply(struct session *session, const uint8_t *message, size_t size, struct clock_now now)
{
    struct reply reply;
    if (!session->in_flight && session->fence == FENCE_NOT_NEEDED)
        return (struct session_step){.action = SESSION_BROKEN};
    reply_parse(message, size, session->request_id, &reply);
    if (!session->in_flight)
        return answer_fence(session, &reply);
    return conclude(session, &reply, now);
}

struct session_step session_reply_document(struct session *session, const uint8_t *document, size_t size,
                                           struct clock_now now)
{
    struct reply reply = {.verdict = REPLY_SUCCEEDED};
    if (!session->in_flight)
        return answer_fence(session, &reply);
    reply_parse_document(document, size, &reply);
    return conclude(session, &reply, now);
}

/* The time of the loss is not known here: a delay counts from when the request was sent. */
void session_broken(struct session *session, int cause, const char *text)
{
    if (session->in_flight)
        break_op(session, text, strlen(text), cause, session->sent_ns);
    else if (session->fence == FENCE_SENT)
        session->fence = FENCE_NOT_NEEDED;
}

void session_abandon(struct session *session)
{
    session->tally.abandoned += session->in_flight != NULL;
    session->in_flight = NULL;
    if (session->fence == FENCE_SENT)
        session->fence = FENCE_NOT_NEEDED;
}

bool session_in_flight(const struct session *session)
{
    return session->in_flight || session->fence == FENCE_SENT;
}

bool session_expects_nothing(const struct session *session)
{
    return !session->in_flight && session->fence != FENCE_NOT_NEEDED;
}

bool session_is_last_answer(const struct session *session, const uint8_t *message, size_t size)
{
    return size >= WIRE_HEADER_SIZE && wire_get_u32(message + WIRE_RESPONSE_TO_AT) == session->request_id;
}

struct tally *session_tally(struct session *session)
{
    return &session->tally;
}
