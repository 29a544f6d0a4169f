/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_fixture.h"

#include "engine/wire.h"

#include "unit.h"

static void expect_body(struct fixture *fixture, const char *json)
{
    bson_t body = fixture_body(fixture);
    char *text = bson_as_relaxed_extended_json(&body, NULL);
    assert_string_equal(text, json);
    bson_free(text);
    bson_destroy(&body);
}

/* Every byte of Insert.Empty, written down by hand. */
static void empty_insert_byte_by_byte(void **state)
{
    (void)state;
    static const uint8_t expected[] = {0x69, 0,    0,   0,   1,   0,   0,   0,   0,   0,   0,   0,
                                       0xDD, 0x07, 0,   0,      /* length, requestID, responseTo, 2013 */
                                       0,    0,    0,   0,   0, /* flags, kind 0 */
                                       0x54, 0,    0,   0,      /* body */
                                       2,    'i',  'n', 's', 'e', 'r', 't', 0,   5,   0,   0,   0,
                                       'T',  '_',  'x', '0', 0, /* insert: "T_x0" */
                                       4,    'd',  'o', 'c', 'u', 'm', 'e', 'n', 't', 's', 0,   13,
                                       0,    0,    0,   3,   '0', 0,   5,   0,   0,   0,   0,   0, /* documents: [{}] */
                                       3,    'w',  'r', 'i', 't', 'e', 'C', 'o', 'n', 'c', 'e', 'r',
                                       'n',  0,    9,   0,   0,   0,   8,   'j', 0,   0,   0, /* {j: false} */
                                       2,    '$',  'd', 'b', 0,   6,   0,   0,   0,   't', 'e', 's',
                                       't',  '0',  0,   0};
    struct fixture fixture;
    fixture_init(&fixture, "[{'op': 'insert', 'doc': {}}]");
    fixture_compile(&fixture, 0);
    struct session_step step = fixture_next(&fixture, 1000);
    assert_int_equal(step.action, SESSION_SEND);
    assert_int_equal(step.size, fixture.sent.size);
    assert_int_equal(fixture.sent.size, sizeof expected);
    assert_memory_equal(fixture.sent.data, expected, sizeof expected);
    fixture_release(&fixture);
}

static void update_has_the_fields_in_order(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, "[{'op': 'update', 'query': {'_id': 0}, 'update': {'$inc': {'a': 1.0}}, 'upsert': true}]");
    fixture_compile(&fixture, 0);
    fixture_next(&fixture, 1000);
    expect_body(&fixture,
                "{ \"update\" : \"T_x0\", \"updates\" : [ { \"q\" : { \"_id\" : 0 }, \"u\" : { \"$inc\" : { \"a\" : "
                "1.0 } }, \"multi\" : false, \"upsert\" : true } ], \"writeConcern\" : { \"j\" : false }, \"$db\" : "
                "\"test0\" }");
    fixture_release(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(empty_insert_byte_by_byte, "an empty insert is these bytes"),
        NAMED_TEST(update_has_the_fields_in_order, "an update has q, u, multi, upsert, the write concern and $db"),
    };
    return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
