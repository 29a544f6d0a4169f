/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_PLAN_FIXTURE_H
#define TESTS_PLAN_FIXTURE_H

#include <bson/bson.h>
#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "engine/plan.h"
#include "engine/session.h"
#include "testcase_check.h"

/* One plan and one of its sessions, made from a text of ops. */
struct fixture {
    struct loaded loaded; /* owns what `test` points to */
    struct testcase test;
    json_t *write_concern;
    struct plan_config config;
    struct plan *plan;
    struct session *session;
    struct buffer sent; /* the last message, whole */
};

/* Ops in JSON; a single quote stands for a double one. Test name "T.x", collection test0.T_x0, {j: false}, one session;
 * a test may change these before fixture_compile(). */
void fixture_init(struct fixture *fixture, const char *ops);
/* Fails the test when the plan is refused. Session `id` is started for 1000 to 2000 ns. */
void fixture_compile(struct fixture *fixture, unsigned id);
void fixture_release(struct fixture *fixture);

/* session_next() at this time; what it sends is gathered in `sent`. */
struct session_step fixture_next(struct fixture *fixture, int64_t mono_ns);
/* Answers the operation in flight with this reply (JSON, single quotes). */
struct session_step fixture_answer(struct fixture *fixture, const char *reply, int64_t mono_ns);
/* fixture_next() and {'ok': 1, 'n': 1}. */
void fixture_exchange(struct fixture *fixture);
/* The body of `sent` as libbson reads it; the caller destroys it. Fails the test when header or body is wrong. (No
 * return value: a bson_t points into itself and must not be copied.) */
void fixture_body(struct fixture *fixture, bson_t *body);
/* The value at a dotted path of the body. */
void fixture_find(const bson_t *body, const char *path, bson_iter_t *found);
/* A whole reply message to `request_id`; the buffer is the caller's. */
void fixture_make_reply(struct buffer *message, uint32_t request_id, const char *json);
/* The error of a plan that must be refused. */
const char *fixture_refusal(const char *ops, struct error *err);

#endif
