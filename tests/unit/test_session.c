/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_fixture.h"

#include "base/memory.h"
#include "base/rng.h"
#include "engine/wire.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

static const char one_insert[] = "[{'op': 'insert', 'doc': {}}]";

static void begin(struct fixture *fixture, const char *ops)
{
    fixture_init(fixture, ops);
    fixture_compile(fixture, 0);
}

/* Ends a test: the books must balance whatever happened. */
static void end(struct fixture *fixture)
{
    assert_false(session_in_flight(fixture->session));
    assert_true(tally_is_balanced(session_tally(fixture->session)));
    fixture_release(fixture);
}

static void nothing_starts_outside_the_trial(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, one_insert);
    assert_int_equal(fixture_next(&fixture, 1999).action, SESSION_SEND);
    assert_int_equal(fixture_answer(&fixture, "{'ok': 1, 'n': 1}", 2500).action, SESSION_DONE);
    assert_int_equal(fixture_next(&fixture, 2000).action, SESSION_END);
    assert_int_equal(session_tally(fixture.session)->started, 1);
    assert_int_equal(session_tally(fixture.session)->within_trial_time, 0);
    end(&fixture);
    begin(&fixture, one_insert);
    session_free(fixture.session);
    fixture.session = session_new(fixture.plan, 0, 1, 0);
    assert_int_equal(fixture_next(&fixture, 1000).action, SESSION_END);
    end(&fixture);
}

static void successes_are_counted(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, one_insert);
    fixture_next(&fixture, 1000);
    assert_true(session_in_flight(fixture.session));
    assert_int_equal(fixture_answer(&fixture, "{'ok': 1, 'n': 1}", 1030).action, SESSION_DONE);
    fixture_next(&fixture, 1900);
    assert_int_equal(fixture_answer(&fixture, "{'ok': 1, 'n': 1}", 2000).action, SESSION_DONE);
    fixture_next(&fixture, 1950);
    assert_int_equal(fixture_answer(&fixture, "{'ok': 1, 'n': 1}", 2001).action, SESSION_DONE);
    const struct tally *tally = session_tally(fixture.session);
    assert_int_equal(tally->succeeded, 3);
    assert_int_equal(tally->within_trial_time, 2);
    assert_int_equal(tally->inserted, 3);
    assert_int_equal(tally->latency_count, 3);
    assert_int_equal(tally->latency_sum_ns, 30 + 100 + 51);
    assert_int_equal(tally->latency_min_ns, 30);
    assert_int_equal(tally->latency_max_ns, 100);
    assert_int_equal(tally->last_counted_ns, 2001);
    end(&fixture);
}

static void update_counts_are_told_apart(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, "[{'op': 'update', 'query': {}, 'update': {'$inc': {'x': 1.0}}, 'multi': true},"
                    " {'op': 'update', 'query': {}, 'update': {'$inc': {'x': 1.0}}, 'upsert': true}]");
    fixture_next(&fixture, 1000);
    fixture_answer(&fixture, "{'n': 4, 'nModified': 3, 'ok': 1}", 1001);
    fixture_next(&fixture, 1002);
    fixture_answer(&fixture, "{'n': 1, 'nModified': 0, 'upserted': [{'index': 0, '_id': 5}], 'ok': 1}", 1003);
    fixture_next(&fixture, 1004);
    fixture_answer(&fixture, "{'n': 0, 'nModified': 0, 'ok': 1}", 1005);
    const struct tally *tally = session_tally(fixture.session);
    assert_int_equal(tally->succeeded, 3);
    assert_int_equal(tally->matched, 4);
    assert_int_equal(tally->modified, 3);
    assert_int_equal(tally->upserted, 1);
    assert_int_equal(tally->inserted, 0);
    end(&fixture);
}

/* The server says ok all the same. */
static void replies_are_compared_with_what_was_sent(void **state)
{
    (void)state;
    static const struct {
        const char *op, *reply;
        bool good;
    } cases[] = {
        {"'op': 'insert', 'doc': [{}, {}]", "{'n': 2, 'ok': 1}", true},
        {"'op': 'insert', 'doc': [{}, {}]", "{'n': 1, 'ok': 1}", false},
        {"'op': 'insert', 'doc': {}", "{'n': 0, 'ok': 1}", false},
        {"'op': 'insert', 'doc': {}", "{'ok': 1}", false},
        {"'op': 'insert', 'doc': {}", "{'n': 2, 'ok': 1}", false},
        {"'op': 'update', 'update': {}", "{'n': 0, 'nModified': 0, 'ok': 1}", true},
        {"'op': 'update', 'update': {}", "{'n': 1, 'nModified': 0, 'ok': 1}", true},
        {"'op': 'update', 'update': {}", "{'n': 2, 'nModified': 2, 'ok': 1}", false},
        {"'op': 'update', 'update': {}", "{'n': 0, 'nModified': 1, 'ok': 1}", false},
        {"'op': 'update', 'update': {}", "{'n': 1, 'nModified': 0, 'upserted': [{}], 'ok': 1}", false},
        {"'op': 'update', 'update': {}, 'multi': true", "{'n': 5, 'nModified': 5, 'ok': 1}", true},
        {"'op': 'update', 'update': {}, 'upsert': true", "{'n': 1, 'nModified': 0, 'upserted': [{}], 'ok': 1}", true},
        {"'op': 'update', 'update': {}, 'upsert': true", "{'n': 1, 'nModified': 1, 'ok': 1}", true},
        {"'op': 'update', 'update': {}, 'upsert': true", "{'n': 0, 'nModified': 0, 'ok': 1}", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture fixture;
        char *ops = memory_printf("[{%s}]", cases[i].op);
        begin(&fixture, ops);
        fixture_next(&fixture, 1000);
        enum session_action action = fixture_answer(&fixture, cases[i].reply, 1001).action;
        const struct tally *tally = session_tally(fixture.session);
        if (action != (cases[i].good ? SESSION_DONE : SESSION_FAILED))
            fail_msg("%s: %s", cases[i].op, cases[i].reply);
        assert_int_equal(tally->succeeded, cases[i].good);
        assert_int_equal(tally->failed, !cases[i].good);
        if (!cases[i].good) {
            assert_int_equal(tally->failures.items[0].code, 0);
            assert_non_null(strstr(tally->failures.items[0].text, "the server says ok, but "));
        }
        end(&fixture);
        free(ops);
    }
}

/* A failure keeps the documents that it confirms, and no latency. */
static void failures_are_counted_by_code(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, "[{'op': 'insert', 'doc': [{}, {}, {}]}]");
    fixture_next(&fixture, 1000);
    assert_int_equal(
        fixture_answer(&fixture, "{'n': 2, 'writeErrors': [{'code': 11000, 'errmsg': 'dup'}], 'ok': 1}", 1001).action,
        SESSION_FAILED);
    fixture_next(&fixture, 1002);
    assert_int_equal(fixture_answer(&fixture, "{'ok': 0, 'code': 10107, 'errmsg': 'not primary'}", 1003).action,
                     SESSION_NOT_PRIMARY);
    fixture_next(&fixture, 1004);
    assert_int_equal(
        fixture_answer(&fixture, "{'n': 3, 'ok': 1, 'writeConcernError': {'code': 91, 'errmsg': 'down'}}", 1005).action,
        SESSION_NOT_PRIMARY);
    const struct tally *tally = session_tally(fixture.session);
    assert_int_equal(tally->started, 3);
    assert_int_equal(tally->failed, 3);
    assert_int_equal(tally->succeeded, 0);
    assert_int_equal(tally->inserted, 5);
    assert_int_equal(tally->latency_count, 0);
    assert_int_equal(tally->last_counted_ns, 0);
    assert_int_equal(tally->failures.count, 3);
    assert_int_equal(tally->failures.items[0].code, 11000);
    assert_string_equal(tally->failures.items[0].text, "dup");
    end(&fixture);
}

static void malformed_replies_break(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, one_insert);
    fixture_next(&fixture, 1000);
    struct clock_now now = {.mono_ns = 1001};
    assert_int_equal(session_reply(fixture.session, (const uint8_t *)"", 0, now).action, SESSION_BROKEN);
    fixture_next(&fixture, 1002);
    wire_put_u32(fixture.sent.data + WIRE_REQUEST_ID_AT, 99);
    assert_int_equal(fixture_answer(&fixture, "{'ok': 1, 'n': 1}", 1003).action, SESSION_BROKEN);
    const struct tally *tally = session_tally(fixture.session);
    assert_int_equal(tally->broken, 2);
    assert_int_equal(tally->inserted, 0);
    assert_int_equal(tally->breaks.items[0].code, EPROTO);
    end(&fixture);
}

static void a_reply_to_nothing_is_not_counted(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, one_insert);
    fixture_next(&fixture, 1000);
    fixture_answer(&fixture, "{'ok': 1, 'n': 1}", 1001);
    assert_int_equal(fixture_answer(&fixture, "{'ok': 1, 'n': 1}", 1002).action, SESSION_BROKEN);
    assert_int_equal(session_tally(fixture.session)->succeeded, 1);
    assert_int_equal(session_tally(fixture.session)->broken, 0);
    end(&fixture);
}

static void lost_and_abandoned(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, one_insert);
    session_broken(fixture.session, 0, "closed");
    session_abandon(fixture.session);
    fixture_next(&fixture, 1000);
    session_broken(fixture.session, ECONNRESET, "connection reset");
    session_broken(fixture.session, ECONNRESET, "connection reset");
    fixture_next(&fixture, 1001);
    session_abandon(fixture.session);
    session_abandon(fixture.session);
    const struct tally *tally = session_tally(fixture.session);
    assert_int_equal(tally->started, 2);
    assert_int_equal(tally->broken, 1);
    assert_int_equal(tally->abandoned, 1);
    assert_int_equal(tally->breaks.items[0].code, ECONNRESET);
    assert_string_equal(tally->breaks.items[0].text, "connection reset");
    end(&fixture);
}

static void request_ids_differ(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, one_insert);
    uint32_t last = 0;
    for (int i = 0; i < 5; i++) {
        fixture_exchange(&fixture);
        uint32_t id = wire_get_u32(fixture.sent.data + WIRE_REQUEST_ID_AT);
        assert_int_equal(id, last + 1);
        last = id;
    }
    end(&fixture);
}

static void lets_are_local_operations(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, "[{'op': 'let', 'target': 'x', 'value': 1}, {'op': 'insert', 'doc': {'v': {'#VARIABLE': 'x'}}}]");
    fixture_exchange(&fixture);
    const struct tally *tally = session_tally(fixture.session);
    assert_int_equal(tally->started, 2);
    assert_int_equal(tally->succeeded, 2);
    assert_int_equal(tally->local, 1);
    assert_int_equal(tally->within_trial_time, 2);
    assert_int_equal(tally->latency_count, 1);
    end(&fixture);
}

static void only_lets_do_not_hang(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, "[{'op': 'let', 'target': 'x', 'value': 1}, {'op': 'let', 'target': 'y', 'value': 2}]");
    struct session_step step = fixture_next(&fixture, 1100);
    assert_int_equal(step.action, SESSION_WAIT_UNTIL);
    assert_int_equal(step.until_ns, 1100);
    assert_int_equal(session_tally(fixture.session)->local, 2);
    assert_int_equal(fixture_next(&fixture, 2000).action, SESSION_END);
    assert_int_equal(plan_op_count(fixture.plan), 2);
    assert_int_equal(plan_server_op_count(fixture.plan), 0);
    end(&fixture);
}

static void delays_wait_after_the_operation(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, "[{'op': 'insert', 'doc': {}, 'delay': 2}, {'op': 'let', 'target': 'x', 'value': 1, "
                           "'delay': 1}]");
    fixture_compile(&fixture, 0);
    session_start(fixture.session, 5000000);
    fixture_next(&fixture, 100);
    fixture_answer(&fixture, "{'ok': 1, 'n': 1}", 1000);
    struct session_step step = fixture_next(&fixture, 1001);
    assert_int_equal(step.action, SESSION_WAIT_UNTIL);
    assert_int_equal(step.until_ns, 2001000);
    step = fixture_next(&fixture, 2001000);
    assert_int_equal(step.action, SESSION_WAIT_UNTIL);
    assert_int_equal(step.until_ns, 3001000);
    assert_int_equal(session_tally(fixture.session)->local, 1);
    assert_int_equal(fixture_next(&fixture, 3001000).action, SESSION_SEND);
    fixture_answer(&fixture, "{'ok': 0, 'code': 1}", 4000000);
    /* No later than the end of the trial. */
    assert_int_equal(fixture_next(&fixture, 4000001).until_ns, 5000000);
    end(&fixture);
}

static void unacknowledged_writes_are_unconfirmed(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, one_insert);
    json_object_set_new(fixture.write_concern, "w", json_integer(0));
    fixture_compile(&fixture, 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fixture_next(&fixture, 1000).action, SESSION_SEND_NO_REPLY);
        assert_int_equal(wire_get_u32(fixture.sent.data + WIRE_FLAGS_AT), WIRE_MORE_TO_COME);
        assert_false(session_in_flight(fixture.session));
    }
    assert_int_equal(session_tally(fixture.session)->unconfirmed, 2);
    assert_int_equal(session_tally(fixture.session)->succeeded, 0);
    end(&fixture);
}

/* On one connection requests are done in order: the answer to the last one says that all are done. */
static void a_ping_ends_unacknowledged_writes(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, one_insert);
    json_object_set_new(fixture.write_concern, "w", json_integer(0));
    fixture_compile(&fixture, 0);
    assert_int_equal(fixture_next(&fixture, 1000).action, SESSION_SEND_NO_REPLY);
    assert_true(session_expects_nothing(fixture.session));
    struct buffer unasked = {0};
    fixture_make_reply(&unasked, wire_get_u32(fixture.sent.data + WIRE_REQUEST_ID_AT), "{'ok': 1, 'n': 1}");
    assert_int_equal(fixture_next(&fixture, 2000).action, SESSION_SEND);
    bson_t body;
    fixture_body(&fixture, &body);
    char *json = bson_as_relaxed_extended_json(&body, NULL);
    assert_string_equal(json, "{ \"ping\" : 1, \"$db\" : \"admin\" }");
    bson_free(json);
    bson_destroy(&body);
    assert_true(session_in_flight(fixture.session));
    struct clock_now now = {.mono_ns = 2001};
    assert_int_equal(session_reply(fixture.session, unasked.data, unasked.size, now).action, SESSION_RECEIVE);
    assert_false(session_is_last_answer(fixture.session, unasked.data, unasked.size));
    wire_put_u32(unasked.data + WIRE_RESPONSE_TO_AT, wire_get_u32(fixture.sent.data + WIRE_REQUEST_ID_AT));
    assert_true(session_is_last_answer(fixture.session, unasked.data, unasked.size));
    assert_int_equal(fixture_answer(&fixture, "{'ok': 1}", 2002).action, SESSION_DONE);
    assert_int_equal(fixture_next(&fixture, 2003).action, SESSION_END);
    assert_int_equal(session_tally(fixture.session)->started, 1);
    assert_int_equal(session_tally(fixture.session)->succeeded, 0);
    buffer_release(&unasked);
    end(&fixture);
}

static void a_lost_ping_is_no_operation(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++) {
        struct fixture fixture;
        fixture_init(&fixture, one_insert);
        json_object_set_new(fixture.write_concern, "w", json_integer(0));
        fixture_compile(&fixture, 0);
        fixture_next(&fixture, 1000);
        fixture_next(&fixture, 2000);
        if (way == 0)
            session_broken(fixture.session, 0, "closed");
        else
            session_abandon(fixture.session);
        assert_int_equal(session_tally(fixture.session)->started, 1);
        end(&fixture);
    }
}

/* All ways in one session, in an order that a fixed seed draws. */
static void the_books_balance(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, "[{'op': 'let', 'target': 'x', 'value': {'#CONCAT': ['x', {'#RAND_INT': [0, 100000]}]}}, "
                    "{'op': 'insert', 'doc': {'a': {'#VARIABLE': 'x'}}}, {'op': 'update', 'update': {}}]");
    struct rng rng;
    rng_init(&rng, 7, 7);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(fixture_next(&fixture, 1000 + i / 2).action, SESSION_SEND);
        struct clock_now now = {.mono_ns = 1500};
        switch (rng_below(&rng, 5)) {
        case 0:
            fixture_answer(&fixture, "{'ok': 1, 'n': 1}", 1500);
            break;
        case 1:
            fixture_answer(&fixture, "{'ok': 0, 'code': 2}", 1500);
            break;
        case 2:
            session_reply(fixture.session, (const uint8_t *)"xx", 2, now);
            break;
        case 3:
            session_broken(fixture.session, 0, "closed by the server");
            break;
        default:
            session_abandon(fixture.session);
            break;
        }
        assert_true(tally_is_balanced(session_tally(fixture.session)));
    }
    const struct tally *tally = session_tally(fixture.session);
    assert_true(tally->succeeded > 500 && tally->failed > 100 && tally->broken > 200 && tally->abandoned > 100);
    end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(nothing_starts_outside_the_trial, "nothing starts before the start or after the stop"),
        NAMED_TEST(successes_are_counted, "successes, latency and what ended in time are counted"),
        NAMED_TEST(update_counts_are_told_apart, "matched, modified and upserted are told apart"),
        NAMED_TEST(replies_are_compared_with_what_was_sent, "an ok for other documents than were sent is a failure"),
        NAMED_TEST(failures_are_counted_by_code, "failures are counted by code, with what they confirmed"),
        NAMED_TEST(malformed_replies_break, "a reply that is none breaks the operation"),
        NAMED_TEST(a_reply_to_nothing_is_not_counted, "a reply without a request is not counted"),
        NAMED_TEST(lost_and_abandoned, "lost and abandoned operations are counted once"),
        NAMED_TEST(request_ids_differ, "every request has its own id"),
        NAMED_TEST(lets_are_local_operations, "a let is a local success without latency"),
        NAMED_TEST(only_lets_do_not_hang, "a test of lets only comes back after each round"),
        NAMED_TEST(delays_wait_after_the_operation, "a delay waits after the operation, not beyond the trial"),
        NAMED_TEST(unacknowledged_writes_are_unconfirmed, "w 0 sends without reply and counts as unconfirmed"),
        NAMED_TEST(a_ping_ends_unacknowledged_writes, "a ping after the last of them tells that all are done"),
        NAMED_TEST(a_lost_ping_is_no_operation, "that ping is no operation, whatever becomes of it"),
        NAMED_TEST(the_books_balance, "the books balance in every path"),
    };
    return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}
