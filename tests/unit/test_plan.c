/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_fixture.h"

#include "base/memory.h"
#include "engine/wire.h"

#include <stdlib.h>

#include "unit.h"

static void expect_body(struct fixture *fixture, const char *json)
{
    bson_t body;
    fixture_body(fixture, &body);
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

/* The text value at the path of the next message. */
static void expect_text(struct fixture *fixture, const char *path, const char *expected)
{
    bson_t body;
    fixture_body(fixture, &body);
    bson_iter_t found;
    fixture_find(&body, path, &found);
    assert_string_equal(bson_iter_utf8(&found, NULL), expected);
    bson_destroy(&body);
}

static void lists_become_many_documents(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, "[{'op': 'insert', 'doc': [{'a': 1}, {'a': {'#RAND_INT': [2, 3]}}, {'a': 3.0}]}]");
    fixture_compile(&fixture, 0);
    fixture_exchange(&fixture);
    expect_body(&fixture, "{ \"insert\" : \"T_x0\", \"documents\" : [ { \"a\" : 1 }, { \"a\" : 2 }, { \"a\" : 3.0 } ], "
                          "\"writeConcern\" : { \"j\" : false }, \"$db\" : \"test0\" }");
    assert_int_equal(session_tally(fixture.session)->succeeded, 1);
    fixture_release(&fixture);
}

static void write_concern_is_sent_as_given(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, "[{'op': 'insert', 'doc': {}}]");
    json_object_clear(fixture.write_concern);
    json_object_set_new(fixture.write_concern, "w", json_string("majority"));
    json_object_set_new(fixture.write_concern, "j", json_true());
    fixture_compile(&fixture, 0);
    assert_int_equal(fixture_next(&fixture, 1000).action, SESSION_SEND);
    expect_body(&fixture, "{ \"insert\" : \"T_x0\", \"documents\" : [ {  } ], \"writeConcern\" : { \"w\" : "
                          "\"majority\", \"j\" : true }, \"$db\" : \"test0\" }");
    fixture_release(&fixture);
}

/* op 1 on every collection, op 2 on every collection; let too; names stand for the collection at hand. */
static void ops_are_repeated_adjacently(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, "[{'op': 'let', 'target': 'x', 'value': '#B_NS'}, {'op': 'insert', 'doc': {'a': '#B_NS'}}, "
                           "{'op': 'insert', 'ns': '#B_NS_more', 'doc': {'#B_COLL': {'#VARIABLE': 'x'}}},"
                           "{'op': 'insert', 'ns': 'other.c.d', 'doc': {'##a': '@@b'}}]");
    fixture.config.multidb = 2;
    fixture.config.multicoll = 2;
    fixture_compile(&fixture, 0);
    assert_int_equal(plan_op_count(fixture.plan), 16);
    assert_int_equal(plan_server_op_count(fixture.plan), 12);
    static const char *const names[][2] = {{"test0", "T_x0"}, {"test0", "T_x1"}, {"test1", "T_x0"}, {"test1", "T_x1"}};
    for (int i = 0; i < 12; i++) {
        fixture_exchange(&fixture);
        const char *db = names[i % 4][0], *coll = names[i % 4][1];
        char text[64], path[64];
        expect_text(&fixture, "$db", i < 8 ? db : "other");
        snprintf(text, sizeof text, "%s%s", coll, i < 4 ? "" : "_more");
        expect_text(&fixture, "insert", i < 8 ? text : "c.d");
        snprintf(text, sizeof text, "%s.%s", db, coll);
        snprintf(path, sizeof path, "documents.0.%s", i < 4 ? "a" : coll);
        if (i < 4)
            expect_text(&fixture, path, text);
        else if (i < 8)
            expect_text(&fixture, path, "test1.T_x1");
        else
            expect_text(&fixture, "documents.0.#a", "@b");
    }
    fixture_release(&fixture);
}

/* {'op': 'insert', 'doc': {<before> 'big': 'xx..'<after>}}; the caller frees. */
static char *big_insert(const char *before, size_t size, const char *after)
{
    char *big = memory_zeroed(1, size + 1);
    memset(big, 'x', size);
    char *ops = memory_printf("[{'op': 'insert', 'doc': {%s'big': '%s'%s}}]", before, big, after);
    free(big);
    return ops;
}

static void long_runs_are_shared(void **state)
{
    (void)state;
    static const struct {
        const char *before, *after;
        size_t size;
        int iov_count;
    } rows[] = {
        {"", "", 16000, 1},
        {"", "", 20000, 2},
        {"'a': {'#RAND_INT': [1, 2]}, ", ", 'b': {'#RAND_INT': [1, 2]}", 16000, 1},
        {"'a': {'#RAND_INT': [1, 2]}, ", ", 'b': {'#RAND_INT': [1, 2]}", 100000, 3},
        {"'a': {'#CONCAT': ['1', 1]}, ", ", 'b': {'#CONCAT': ['1', 2]}", 16000, 1},
        {"'a': {'#CONCAT': ['1', 1]}, ", ", 'b': {'#CONCAT': ['1', 2]}", 100000, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fixture fixture;
        char *ops = big_insert(rows[i].before, rows[i].size, rows[i].after);
        fixture_init(&fixture, ops);
        free(ops);
        fixture.config.sessions = 2;
        fixture_compile(&fixture, 0);
        struct session *other = session_new(fixture.plan, 1, 1, 0);
        session_start(other, 10);
        for (int k = 0; k < 3; k++) {
            struct session_step step = fixture_next(&fixture, 1000);
            assert_int_equal(step.iov_count, rows[i].iov_count);
            bson_t body;
            fixture_body(&fixture, &body);
            bson_iter_t found;
            fixture_find(&body, "documents.0.big", &found);
            uint32_t size;
            bson_iter_utf8(&found, &size);
            assert_int_equal(size, rows[i].size);
            bson_destroy(&body);
            struct session_step others = session_next(other, (struct clock_now){0});
            assert_int_equal(others.size, step.size);
            assert_true(others.iov[0].iov_base != step.iov[0].iov_base);
            if (step.iov_count > 1)
                assert_ptr_equal(others.iov[1].iov_base, step.iov[1].iov_base);
            session_abandon(other);
            fixture_answer(&fixture, "{'ok': 1, 'n': 1}", 1000);
        }
        session_free(other);
        fixture_release(&fixture);
    }
}

/* 100 documents of 1 KiB without any slot are one run. */
static void constant_vectors_are_one_run(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, "[{'op': 'insert', 'doc': [{}]}]");
    json_t *list = json_object_get(json_array_get(fixture.test.ops, 0), "doc");
    json_array_clear(list);
    char text[1004] = {0};
    memset(text, 'x', 1003);
    for (int i = 0; i < 100; i++)
        json_array_append_new(list, json_pack("{s:s}", "fieldName", text));
    fixture_compile(&fixture, 0);
    assert_int_equal(fixture_next(&fixture, 1000).iov_count, 2);
    bson_t body;
    fixture_body(&fixture, &body);
    bson_iter_t found;
    fixture_find(&body, "documents.99.fieldName", &found);
    bson_destroy(&body);
    fixture_release(&fixture);
}

/* 4 (length) + 1 + 4 (key) + 4 + n + 1 + 1: a document {big: "x" * n} has n + 15 bytes. */
static void documents_over_16_mib_are_refused(void **state)
{
    (void)state;
    struct error err;
    char *ops = big_insert("", (16u << 20) - 15, "");
    struct fixture fixture;
    fixture_init(&fixture, ops);
    fixture_compile(&fixture, 0);
    assert_int_equal(fixture_next(&fixture, 1000).action, SESSION_SEND);
    fixture_release(&fixture);
    free(ops);
    ops = big_insert("", (16u << 20) - 14, "");
    const char *message = fixture_refusal(ops, &err);
    assert_string_equal(message, "/ops/0/doc: the document has 16777217 bytes; expected at most 16777216 (16 MiB)");
    free(ops);
    message = fixture_refusal("[{'op': 'update', 'query': {'a': {'#RAND_STRING': [16777216]}}, 'update': {}}]", &err);
    assert_non_null(strstr(message, "/ops/0/query: the document has 167772"));
    message = fixture_refusal("[{'op': 'insert', 'doc': [{'a': {'#RAND_STRING': [16000000]}}, {'a': "
                              "{'#RAND_STRING': [16000000]}}]}]",
                              &err);
    assert_non_null(strstr(message, "/ops/0: the command has 32000"));
    message = fixture_refusal("[{'op': 'let', 'target': 'x', 'value': {'#RAND_STRING': [16000000]}}, {'op': 'insert', "
                              "'doc': {'a': {'#CONCAT': [{'#VARIABLE': 'x'}, {'#VARIABLE': 'x'}]}}}]",
                              &err);
    assert_non_null(strstr(message, "/ops/1/doc/a/#CONCAT: the text can have 32000005 bytes"));
}

/* A thousand times 16 MB: refused long before that much memory is taken. */
static void gigabytes_are_refused_early(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, "[{'op': 'insert', 'doc': [{}]}]");
    json_t *list = json_object_get(json_array_get(fixture.test.ops, 0), "doc");
    json_array_clear(list);
    for (int i = 0; i < 1000; i++)
        json_array_append_new(list, json_pack("{s:{s:[i]}}", "a", "#RAND_STRING", 16000000));
    struct error err;
    error_init(&err);
    assert_null(plan_new(&fixture.test, &fixture.config, &err));
    assert_non_null(strstr(err.message, "/ops/0/doc/3/a: the command has more than 48000"));
    fixture_release(&fixture);
}

/* #RAND_INT_PLUS_THREAD grows with the number of sessions, which the definition does not know. */
static void numbers_that_grow_with_the_sessions_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *value, *message;
    } rows[] = {
        {"{'#RAND_INT': [0, {'#VARIABLE': 'x'}]}",
         "/ops/1/doc/v/#RAND_INT: with 1001 sessions a number can be out of the range of int32 (-2147483648 to "
         "2147483647)"},
        {"{'#CONCAT': ['a', {'#RAND_INT': [{'#VARIABLE': 'x'}, 20000000]}]}",
         "/ops/1/doc/v/#CONCAT/1/#RAND_INT: with 1001 sessions a number can be out of the range"},
        {"{'#RAND_INT': [{'#VARIABLE': 'y'}, 1000]}",
         "/ops/1/doc/v/#RAND_INT: with 1001 sessions min can be 2001 and max 1000; max has to be greater than min"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *let = strstr(rows[i].value, "'y'") ? "'y', 'value': {'#RAND_INT_PLUS_THREAD': [0, 2]}"
                                                       : "'x', 'value': {'#RAND_INT_PLUS_THREAD': [1000000, 10000000]}";
        char *ops =
            memory_printf("[{'op': 'let', 'target': %s}, {'op': 'insert', 'doc': {'v': %s}}]", let, rows[i].value);
        struct fixture fixture;
        struct error err;
        error_init(&err);
        fixture_init(&fixture, ops);
        fixture.config.sessions = 1001;
        assert_null(plan_new(&fixture.test, &fixture.config, &err));
        if (!strstr(err.message, rows[i].message))
            fail_msg("%s\n  said: %s\n  expected: %s", ops, err.message, rows[i].message);
        fixture_release(&fixture);
        free(ops);
    }
}

static void load(struct testcase_set *set, const char *name)
{
    const char *srcdir = getenv("srcdir");
    char *path = memory_printf("%s/testcases/%s.json", srcdir ? srcdir : ".", name);
    struct message_list errors, warnings;
    message_list_init(&errors);
    message_list_init(&warnings);
    if (!testcase_set_load(set, path, 1, &errors, &warnings))
        fail_msg("%s", errors.items[0]);
    message_list_release(&errors);
    message_list_release(&warnings);
    free(path);
}

/* Two rounds of a shipped test by the last session of a rung. */
static void run_shipped(const struct testcase *test, unsigned sessions)
{
    struct fixture fixture = {.test = *test, .write_concern = json_pack("{s:b}", "j", 0)};
    fixture.config = (struct plan_config){
        .multidb = 1, .multicoll = 2, .sessions = sessions, .write_concern = fixture.write_concern};
    fixture_compile(&fixture, sessions - 1);
    for (size_t i = 0; i < 2 * plan_server_op_count(fixture.plan); i++) {
        fixture_exchange(&fixture);
        bson_t body;
        fixture_body(&fixture, &body);
        bson_destroy(&body);
    }
    assert_true(tally_is_balanced(session_tally(fixture.session)));
    fixture_release(&fixture);
}

static void shipped_tests_compile(void **state)
{
    (void)state;
    static const char *const names[] = {
        "complex_insert",       "complex_update", "dv_insert",           "dv_update",     "long_multi_update",
        "partial_index_insert", "simple_insert",  "simple_multi_update", "simple_update", "simple_update_mms"};
    struct testcase_set set;
    testcase_set_init(&set);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        load(&set, names[i]);
    assert_int_equal(set.count, 75);
    for (size_t i = 0; i < set.count; i++) {
        run_shipped(&set.items[i], 1);
        run_shipped(&set.items[i], 1001);
    }
    testcase_set_release(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(empty_insert_byte_by_byte, "an empty insert is these bytes"),
        NAMED_TEST(update_has_the_fields_in_order, "an update has q, u, multi, upsert, the write concern and $db"),
        NAMED_TEST(lists_become_many_documents, "an insert of a list is one operation of many documents"),
        NAMED_TEST(write_concern_is_sent_as_given, "the write concern is sent as given"),
        NAMED_TEST(ops_are_repeated_adjacently, "operations are repeated adjacently for each collection"),
        NAMED_TEST(long_runs_are_shared, "runs over 16 KiB are sent from the plan, shorter ones from the session"),
        NAMED_TEST(constant_vectors_are_one_run, "constant documents in a row are one run"),
        NAMED_TEST(documents_over_16_mib_are_refused, "documents and commands that are too large are refused"),
        NAMED_TEST(gigabytes_are_refused_early, "a command of gigabytes is refused before it is laid out"),
        NAMED_TEST(numbers_that_grow_with_the_sessions_are_refused,
                   "numbers that grow with the sessions are refused when too large"),
        NAMED_TEST(shipped_tests_compile, "the 75 shipped tests compile and give well-formed messages"),
    };
    return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
