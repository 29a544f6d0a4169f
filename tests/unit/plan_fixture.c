/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_fixture.h"

#include <stdlib.h>

#include "base/memory.h"
#include "engine/wire.h"
#include "model/ejson.h"

#include "unit.h"

static json_t *parse(const char *text)
{
    char *json = memory_strdup(text);
    for (char *c = json; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    json_error_t error;
    json_t *value = json_loads(json, JSON_DECODE_ANY, &error);
    if (!value)
        fail_msg("%s: %s", error.text, json);
    free(json);
    return value;
}

/* As benchrun reads them: what the loader refuses no plan ever sees. */
void fixture_init(struct fixture *fixture, const char *ops)
{
    char *text = memory_printf("{'tests': [{'name': 'T.x', 'tags': ['t'], 'ops': %s}]}", ops);
    for (char *c = text; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    *fixture = (struct fixture){.loaded = load_good(text), .write_concern = parse("{'j': false}")};
    fixture->test = fixture->loaded.set.items[0];
    fixture->config =
        (struct plan_config){.multidb = 1, .multicoll = 1, .sessions = 1, .write_concern = fixture->write_concern};
    free(text);
}

void fixture_compile(struct fixture *fixture, unsigned id)
{
    struct error err;
    error_init(&err);
    fixture->plan = plan_new(&fixture->test, &fixture->config, &err);
    if (!fixture->plan)
        fail_msg("%s", err.message);
    fixture->session = session_new(fixture->plan, id, 1, 0);
    session_start(fixture->session, 2000);
}

void fixture_release(struct fixture *fixture)
{
    session_free(fixture->session);
    plan_free(fixture->plan);
    release_loaded(&fixture->loaded);
    json_decref(fixture->write_concern);
    buffer_release(&fixture->sent);
}

struct session_step fixture_next(struct fixture *fixture, int64_t mono_ns)
{
    struct clock_now now = {.mono_ns = mono_ns, .wall_ms = 1500000000123};
    struct session_step step = session_next(fixture->session, now);
    buffer_clear(&fixture->sent);
    for (int i = 0; i < step.iov_count; i++)
        buffer_append(&fixture->sent, step.iov[i].iov_base, step.iov[i].iov_len);
    assert_int_equal(fixture->sent.size, step.size);
    return step;
}

void fixture_make_reply(struct buffer *message, uint32_t request_id, const char *json)
{
    json_t *value = parse(json);
    bson_t body;
    bson_init(&body);
    assert_true(ejson_append_all(&body, value, NULL, NULL));
    json_decref(value);
    uint8_t header[WIRE_BODY_AT] = {0};
    wire_put_u32(header, (uint32_t)(sizeof header + body.len));
    wire_put_u32(header + WIRE_REQUEST_ID_AT, 77);
    wire_put_u32(header + WIRE_RESPONSE_TO_AT, request_id);
    wire_put_u32(header + WIRE_OPCODE_AT, WIRE_OP_MSG);
    buffer_clear(message);
    buffer_append(message, header, sizeof header);
    buffer_append(message, bson_get_data(&body), body.len);
    bson_destroy(&body);
}

struct session_step fixture_answer(struct fixture *fixture, const char *reply, int64_t mono_ns)
{
    struct buffer message = {0};
    fixture_make_reply(&message, wire_get_u32(fixture->sent.data + WIRE_REQUEST_ID_AT), reply);
    /* In memory of exactly its size, so that a sanitizer sees every byte read too much. */
    uint8_t *exact = memory_copy(message.data, message.size);
    struct clock_now now = {.mono_ns = mono_ns, .wall_ms = 1500000000123};
    struct session_step step = session_reply(fixture->session, exact, message.size, now);
    free(exact);
    buffer_release(&message);
    return step;
}

/* Confirms as many documents as were sent. */
void fixture_exchange(struct fixture *fixture)
{
    bson_t body;
    bson_iter_t iter, list;
    unsigned sent = 0;
    assert_int_equal(fixture_next(fixture, 1000).action, SESSION_SEND);
    fixture_body(fixture, &body);
    bool is_insert = bson_iter_init_find(&iter, &body, "documents") && bson_iter_recurse(&iter, &list);
    while (is_insert && bson_iter_next(&list))
        sent++;
    char *reply = memory_printf("{'n': %u, 'ok': 1.0}", is_insert ? sent : 1);
    assert_int_equal(fixture_answer(fixture, reply, 1000).action, SESSION_DONE);
    free(reply);
}

void fixture_body(struct fixture *fixture, bson_t *body)
{
    const uint8_t *data = fixture->sent.data;
    size_t size = fixture->sent.size;
    assert_true(size > WIRE_BODY_AT);
    assert_int_equal(wire_get_u32(data), size);
    assert_int_equal(wire_get_u32(data + WIRE_RESPONSE_TO_AT), 0);
    assert_int_equal(wire_get_u32(data + WIRE_OPCODE_AT), WIRE_OP_MSG);
    assert_int_equal(data[WIRE_KIND_AT], 0);
    assert_true(bson_init_static(body, data + WIRE_BODY_AT, size - WIRE_BODY_AT));
    size_t offset = 0;
    assert_true(bson_validate(body, BSON_VALIDATE_NONE, &offset));
}

void fixture_find(const bson_t *body, const char *path, bson_iter_t *found)
{
    bson_iter_t iter;
    assert_true(bson_iter_init(&iter, body));
    if (!bson_iter_find_descendant(&iter, path, found))
        fail_msg("no %s in the message", path);
}

const char *fixture_refusal(const char *ops, struct error *err)
{
    struct fixture fixture;
    fixture_init(&fixture, ops);
    error_init(err);
    fixture.plan = plan_new(&fixture.test, &fixture.config, err);
    assert_null(fixture.plan);
    fixture_release(&fixture);
    return err->message;
}
