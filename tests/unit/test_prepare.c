/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/prepare.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "preparation_fixture.h"

#include "unit.h"

static struct prepare_outcome run(struct rig *rig, const char *pre, const struct prepare_config *config)
{
    struct preparation_fixture fixture;
    fixture_make(&fixture, pre, NULL, NULL);
    fixture_set_up(&fixture, rig, config);
    fixture_free(&fixture);
    return fixture.outcome;
}

static void test_sequence(void **state)
{
    (void)state;
    RIG(rig, {"listCollections", EMPTY, 1}, {"listCollections", BATCH(COLLECTION("Foo_Bar0", "AQID")), 1});
    struct prepare_outcome outcome = run(&rig, "[{\"drop\": {}}]", &one_collection);
    assert_string_equal(outcome.error.message, "");
    assert_int_equal(outcome.state, PREPARE_READY);
    assert_string_equal(rig_trace(&rig), "ping admin\n"
                                         "listCollections test0\n"
                                         "update test0.benchrun_owned\n"
                                         "create test0.Foo_Bar0\n"
                                         "listCollections test0\n"
                                         "update test0.benchrun_owned\n"
                                         "listCollections test0\n"
                                         "fsync admin\n");
    assert_string_equal(rig_command(&rig, "update", 0),
                        "{ \"update\" : \"benchrun_owned\", \"updates\" : [ { \"q\" : { \"_id\" : \"Foo_Bar0\" }, "
                        "\"u\" : { \"_id\" : \"Foo_Bar0\", \"uuid\" : null, \"run\" : \"RUN\" }, "
                        "\"upsert\" : true } ] }");
    assert_string_equal(rig_command(&rig, "update", 1),
                        "{ \"update\" : \"benchrun_owned\", \"updates\" : [ { \"q\" : { \"_id\" : \"Foo_Bar0\" }, "
                        "\"u\" : { \"_id\" : \"Foo_Bar0\", \"uuid\" : { \"$binary\" : { \"base64\" : "
                        "\"AQIDAAAAAAAAAAAAAAAAAA==\", \"subType\" : \"04\" } }, \"run\" : \"RUN\" "
                        "}, \"upsert\" : true } ] }");
    rig_release(&rig);
}

static void test_force(void **state)
{
    (void)state;
    RIG(rig, {"listCollections", BATCH(COLLECTION("Foo_Bar0", "AQID")), 0});
    struct prepare_config config = one_collection;
    config.force = true;
    assert_int_equal(run(&rig, "[]", &config).state, PREPARE_READY);
    assert_non_null(strstr(rig_trace(&rig), "drop test0.Foo_Bar0\nupdate test0.benchrun_owned\ncreate "));
    rig_release(&rig);
}

static void test_steps(void **state)
{
    (void)state;
    RIG(rig, {"listCollections", EMPTY, 0});
    struct prepare_outcome outcome = run(&rig,
                                         "[{\"create\": {\"capped\": true, \"size\": 1000.0}},"
                                         " {\"index\": {\"a\": 1.0, \"b\": -1}, \"options\": {\"unique\": true}},"
                                         " {\"index\": {\"c\": \"2d\"}, \"options\": {\"name\": \"n\"}},"
                                         " {\"command\": {\"collMod\": \"#B_COLL\", \"x\": \"#B_NS\"}},"
                                         " {\"command\": {\"setParameter\": 1}, \"db\": \"admin\"},"
                                         " {\"index\": {\"a\": 1}, \"ns\": \"#B_COLL_other\"}]",
                                         &one_collection);
    assert_string_equal(outcome.error.message, "");
    assert_string_equal(rig_trace(&rig), "ping admin\n"
                                         "listCollections test0\n"
                                         "update test0.benchrun_owned\n"
                                         "create test0.Foo_Bar0\n"
                                         "listCollections test0\n"
                                         "createIndexes test0.Foo_Bar0\n"
                                         "createIndexes test0.Foo_Bar0\n"
                                         "collMod test0.Foo_Bar0\n"
                                         "setParameter admin\n"
                                         "create test0.Foo_Bar0_other\n"
                                         "listCollections test0\n"
                                         "createIndexes test0.Foo_Bar0_other\n"
                                         "listCollections test0\n"
                                         "fsync admin\n");
    assert_string_equal(rig_command(&rig, "create", 0),
                        "{ \"create\" : \"Foo_Bar0\", \"capped\" : true, \"size\" : 1000.0 }");
    assert_string_equal(rig_command(&rig, "createIndexes", 0),
                        "{ \"createIndexes\" : \"Foo_Bar0\", \"indexes\" : [ { \"key\" : { \"a\" : 1.0, \"b\" : -1 }, "
                        "\"name\" : \"a_1_b_-1\", \"unique\" : true } ] }");
    assert_string_equal(rig_command(&rig, "createIndexes", 1),
                        "{ \"createIndexes\" : \"Foo_Bar0\", \"indexes\" : [ { \"key\" : { \"c\" : \"2d\" }, "
                        "\"name\" : \"n\" } ] }");
    assert_string_equal(rig_command(&rig, "collMod", 0), "{ \"collMod\" : \"Foo_Bar0\", \"x\" : \"test0.Foo_Bar0\" }");
    rig_release(&rig);
}

static void test_load(void **state)
{
    (void)state;
    RIG(rig, {"listCollections", EMPTY, 0});
    struct prepare_outcome outcome = run(&rig,
                                         "[{\"insert\": {\"a\": 1}, \"count\": 2500},"
                                         " {\"insert\": [{\"a\": 1, \"_id\": 5.0}], \"count\": {\"perThread\": 2}}]",
                                         &one_collection);
    assert_string_equal(outcome.error.message, "");
    assert_int_equal(nullserver_count(rig.server, "insert"), 4);
    bson_t *first = bson_new_from_json((const uint8_t *)rig_command(&rig, "insert", 2), -1, NULL);
    bson_iter_t iter, documents, fields;
    size_t count = 0;
    assert_true(bson_iter_init_find(&iter, first, "documents") && bson_iter_recurse(&iter, &documents));
    for (; bson_iter_next(&documents); count++) {
        assert_true(bson_iter_recurse(&documents, &fields) && bson_iter_next(&fields));
        assert_string_equal(bson_iter_key(&fields), "_id");
        assert_true(BSON_ITER_HOLDS_OID(&fields) && bson_iter_next(&fields));
        assert_string_equal(bson_iter_key(&fields), "a");
        assert_false(bson_iter_next(&fields));
    }
    assert_int_equal(count, 500);
    bson_destroy(first);
    assert_non_null(strstr(rig_command(&rig, "insert", 3), "[ { \"a\" : 1, \"_id\" : 5.0 }, { \"a\" : 1, \"_id\" : 5.0 "
                                                           "}, { \"a\" : 1, \"_id\" : 5.0 }"));
    rig_release(&rig);
}

static void test_pending_drops(void **state)
{
    (void)state;
    RIG(rig, {"listCollections", EMPTY, 2},
        {"listCollections", BATCH("{\"name\": \"system.drop.1i2.Foo\", \"info\": {}}"), 3},
        {"listCollections", EMPTY, 0});
    assert_int_equal(run(&rig, "[]", &one_collection).state, PREPARE_READY);
    assert_string_equal(rig_trace(&rig), "ping admin\n"
                                         "listCollections test0\n"
                                         "update test0.benchrun_owned\n"
                                         "create test0.Foo_Bar0\n"
                                         "listCollections test0\n"
                                         "listCollections test0\n"
                                         "listCollections test0\n"
                                         "listCollections test0\n"
                                         "listCollections test0\n"
                                         "fsync admin\n");
    for (size_t k = 2; k < 6; k++)
        assert_non_null(strstr(rig_command(&rig, "listCollections", k), "\"includePendingDrops\" : true"));
    rig_release(&rig);
}

/* Each kind of server refuses it in its own way. */
static void test_no_pending_drops(void **state)
{
    (void)state;
    static const int codes[] = {2, 13, 9, 59, 8000, 40415};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        char refusal[128];
        snprintf(refusal, sizeof refusal, "{\"ok\": 0, \"code\": %d, \"errmsg\": \"includePendingDrops?\"}", codes[i]);
        const struct rig_reply replies[] = {
            {"listCollections", EMPTY, 2}, {"listCollections", refusal, 1}, {"listCollections", EMPTY, 1}};
        struct rig rig;
        rig_init(&rig, replies, 3);
        struct prepare_outcome outcome = run(&rig, "[]", &one_collection);
        assert_string_equal(outcome.error.message, "");
        assert_int_equal(outcome.state, PREPARE_READY);
        assert_non_null(strstr(rig_command(&rig, "listCollections", 2), "includePendingDrops"));
        assert_null(strstr(rig_command(&rig, "listCollections", 3), "includePendingDrops"));
        rig_release(&rig);
    }
}

static void test_flush_refused(void **state)
{
    (void)state;
    RIG(rig, {"fsync", "{\"ok\": 0, \"code\": 13, \"codeName\": \"Unauthorized\", \"errmsg\": \"not authorized\"}", 0});
    assert_int_equal(run(&rig, "[]", &one_collection).state, PREPARE_READY);
    assert_int_equal(run(&rig, "[]", &one_collection).state, PREPARE_READY);
    assert_string_equal(rig.target.flush_refusal, "fsync on admin: not authorized (code 13 Unauthorized)");
    assert_int_equal(nullserver_count(rig.server, "fsync"), 1);
    rig_release(&rig);
}

static void test_flush_refused_without_code(void **state)
{
    (void)state;
    RIG(rig, {"fsync", "{\"numFiles\": 1, \"all\": {}, \"ok\": 0, \"errmsg\": \"{ shard01: not authorized }\"}", 0});
    assert_int_equal(run(&rig, "[]", &one_collection).state, PREPARE_READY);
    assert_int_equal(run(&rig, "[]", &one_collection).state, PREPARE_READY);
    assert_string_equal(rig.target.flush_refusal, "fsync on admin: { shard01: not authorized } (code 8)");
    assert_int_equal(nullserver_count(rig.server, "fsync"), 1);
    rig_release(&rig);
}

static void check_refusal(int code, enum prepare_state expected)
{
    char reply[128];
    snprintf(reply, sizeof reply, "{\"ok\": 0, \"code\": %d, \"errmsg\": \"no such luck\"}", code);
    const struct rig_reply replies[] = {{"collMod", reply, 0}};
    struct rig rig;
    rig_init(&rig, replies, 1);
    struct prepare_outcome outcome =
        run(&rig, "[{\"create\": {}}, {\"command\": {\"collMod\": \"#B_COLL\"}}]", &one_collection);
    char message[128];
    snprintf(message, sizeof message, "test0.Foo_Bar0: /pre/1/command: collMod on test0: no such luck (code %d)", code);
    assert_int_equal(strncmp(outcome.error.message, message, strlen(message)), 0);
    assert_int_equal(outcome.state, expected);
    assert_int_equal(outcome.code, code);
    rig_release(&rig);
}

static void test_refusals(void **state)
{
    (void)state;
    static const int unsupported[] = {9, 59, 67, 72, 73, 115, 238, 303, 8000, 17381, 40415};
    static const int unprepared[] = {1, 13, 18, 48, 85, 121, 11000};
    for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++)
        check_refusal(unsupported[i], PREPARE_UNSUPPORTED);
    for (size_t i = 0; i < sizeof unprepared / sizeof *unprepared; i++)
        check_refusal(unprepared[i], PREPARE_REFUSED);
}

static void test_write_errors(void **state)
{
    (void)state;
    RIG(rig, {"insert",
              "{\"ok\": 1, \"n\": 0, \"writeErrors\": [{\"index\": 0, \"code\": 121, \"errmsg\": \"not valid\"}]}", 0});
    struct prepare_outcome outcome = run(&rig, "[{\"insert\": {\"a\": 1}}]", &one_collection);
    assert_string_equal(outcome.error.message,
                        "test0.Foo_Bar0: /pre/0/insert: insert into Foo_Bar0: not valid (code 121)");
    assert_int_equal(outcome.code, 121);
    assert_int_equal(outcome.state, PREPARE_REFUSED);
    rig_release(&rig);
}

static void test_many(void **state)
{
    (void)state;
    RIG(rig, {"listCollections", EMPTY, 0});
    const struct prepare_config config = {.multidb = 2, .multicoll = 2, .threads = 1};
    assert_int_equal(run(&rig, "[]", &config).state, PREPARE_READY);
    assert_string_equal(rig_trace(&rig), "ping admin\n"
                                         "listCollections test0\n"
                                         "listCollections test1\n"
                                         "update test0.benchrun_owned\n"
                                         "update test1.benchrun_owned\n"
                                         "create test0.Foo_Bar0\n"
                                         "listCollections test0\n"
                                         "create test0.Foo_Bar1\n"
                                         "listCollections test0\n"
                                         "create test1.Foo_Bar0\n"
                                         "listCollections test1\n"
                                         "create test1.Foo_Bar1\n"
                                         "listCollections test1\n"
                                         "listCollections test0\n"
                                         "listCollections test1\n"
                                         "fsync admin\n");
    rig_release(&rig);
}

static void test_ops_marked(void **state)
{
    (void)state;
    RIG(rig, {"listCollections", EMPTY, 0});
    struct preparation_fixture fixture;
    fixture_make(&fixture, NULL,
                 "[{\"op\": \"insert\", \"doc\": {}, \"ns\": \"test0.elsewhere\"},"
                 " {\"op\": \"let\", \"target\": \"x\", \"value\": 1},"
                 " {\"op\": \"command\", \"command\": {\"aggregate\": \"#B_COLL\", \"pipeline\": [{\"$lookup\": "
                 "{\"from\": \"#B_COLL_read\"}}, {\"$out\": \"#B_COLL_out\"}]}}]",
                 NULL);
    fixture_set_up(&fixture, &rig, &one_collection);
    fixture_expect_ready(&fixture);
    const char *marks = rig_command(&rig, "update", 0);
    assert_non_null(strstr(marks, "\"_id\" : \"Foo_Bar0\","));
    assert_non_null(strstr(marks, "\"_id\" : \"elsewhere\","));
    assert_non_null(strstr(marks, "\"_id\" : \"Foo_Bar0_out\","));
    assert_null(strstr(marks, "Foo_Bar0_read"));
    assert_non_null(strstr(rig_trace(&rig), "create test0.elsewhere\n"));
    assert_null(strstr(rig_trace(&rig), "create test0.Foo_Bar0_out\n"));
    fixture_free(&fixture);
    rig_release(&rig);
}

/* Whatever else the definition holds. */
static void test_refused_command(void **state)
{
    (void)state;
    RIG(rig, {"listCollections", EMPTY, 0});
    struct prepare_outcome outcome =
        run(&rig, "[{\"insert\": {}}, {\"command\": {\"dropDatabase\": 1}}]", &one_collection);
    assert_int_equal(outcome.state, PREPARE_REFUSED);
    assert_string_equal(outcome.error.message, "/pre/1: the command dropDatabase is refused: it takes along what "
                                               "benchrun did not make; name the collections instead");
    assert_string_equal(rig_trace(&rig), "");
    rig_release(&rig);
}

/* A step that may be refused, and one that may not. */
static void test_may_fail(void **state)
{
    (void)state;
    RIG(rig,
        {"createIndexes", "{\"ok\": 0, \"code\": 17280, \"codeName\": \"KeyTooLong\", \"errmsg\": \"too long\"}", 0});
    struct prepare_outcome outcome =
        run(&rig, "[{\"index\": {\"a\": 1}, \"mayFail\": [5, 17280]}, {\"command\": {\"collMod\": \"#B_COLL\"}}]",
            &one_collection);
    assert_string_equal(outcome.error.message, "");
    assert_int_equal(outcome.state, PREPARE_READY);
    assert_int_equal(outcome.code, 0);
    assert_int_equal(outcome.setup_failures.count, 1);
    assert_int_equal(outcome.setup_failures.items[0].code, 17280);
    assert_int_equal(outcome.setup_failures.items[0].count, 1);
    assert_string_equal(outcome.setup_failures.items[0].text,
                        "/pre/0/index: createIndexes on test0: too long (code 17280 KeyTooLong)");
    assert_int_equal(nullserver_count(rig.server, "collMod"), 1);
    outcome = run(&rig, "[{\"index\": {\"a\": 1}, \"mayFail\": [5]}]", &one_collection);
    assert_int_equal(outcome.state, PREPARE_REFUSED);
    assert_int_equal(outcome.code, 17280);
    assert_int_equal(outcome.setup_failures.count, 0);
    rig_release(&rig);
}

/* The server says ok, and has not done what it was sent. */
static void test_fewer_confirmed(void **state)
{
    (void)state;
    static const struct {
        const char *pre, *reply, *message;
    } cases[] = {
        {"[{\"insert\": {\"a\": 1}, \"count\": 3}]", "{\"ok\": 1, \"n\": 0}",
         "test0.Foo_Bar0: /pre/0/insert: insert into Foo_Bar0: the server confirmed 0 of 3 documents"},
        {"[{\"insert\": {\"a\": 1}, \"count\": 3}]", "{\"ok\": 1, \"n\": 2}",
         "test0.Foo_Bar0: /pre/0/insert: insert into Foo_Bar0: the server confirmed 2 of 3 documents"},
        {"[{\"command\": {\"insert\": \"#B_COLL\", \"documents\": [{}, {}]}}]", "{\"ok\": 1, \"n\": 1}",
         "test0.Foo_Bar0: /pre/0/command: insert on test0: the server confirmed 1 of 2 documents"},
        {"[{\"command\": {\"insert\": \"#B_COLL\", \"documents\": [{}]}}]", "{\"ok\": 1}",
         "test0.Foo_Bar0: /pre/0/command: insert on test0: the server confirmed 0 of 1 documents"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct rig_reply replies[] = {{"insert", cases[i].reply, 0}};
        struct rig rig;
        rig_init(&rig, replies, 1);
        struct prepare_outcome outcome = run(&rig, cases[i].pre, &one_collection);
        assert_string_equal(outcome.error.message, cases[i].message);
        assert_int_equal(outcome.state, PREPARE_REFUSED);
        rig_release(&rig);
    }
}

static void test_bulk_errors(void **state)
{
    (void)state;
    RIG(rig,
        {"bulkWrite",
         "{\"ok\": 1, \"nErrors\": 1, \"cursor\": {\"id\": 0, \"ns\": \"admin.$cmd.bulkWrite\", \"firstBatch\": "
         "[{\"ok\": 1, \"idx\": 0, \"n\": 1}, {\"ok\": 0, \"idx\": 1, \"code\": 121, \"errmsg\": \"not valid\"}]}}",
         0});
    struct prepare_outcome outcome = run(
        &rig, "[{\"command\": {\"bulkWrite\": 1, \"ops\": [], \"nsInfo\": [{\"ns\": \"#B_NS\"}]}, \"db\": \"admin\"}]",
        &one_collection);
    assert_string_equal(outcome.error.message,
                        "test0.Foo_Bar0: /pre/0/command: bulkWrite on admin: not valid (code 121)");
    assert_non_null(strstr(rig_trace(&rig), "create test0.Foo_Bar0\n"));
    rig_release(&rig);
}

static void test_estimate(void **state)
{
    (void)state;
    struct preparation_fixture fixture;
    fixture_make(&fixture,
                 "[{\"drop\": {}}, {\"insert\": {\"a\": 1}, \"count\": 2500},"
                 " {\"insert\": {\"_id\": 1, \"b\": 1}, \"count\": {\"perThread\": 3}}]",
                 NULL, NULL);
    const struct prepare_config config = {.multidb = 2, .multicoll = 3, .threads = 4};
    uint64_t documents, bytes;
    struct error err = {0};
    assert_true(prepare_estimate(&fixture.test, &config, &documents, &bytes, &err));
    assert_int_equal(documents, 6 * (2500 + 12));
    /* {a: 1} is 12 bytes and gets an ObjectId of 17; {_id: 1, b: 1} is 21 bytes. */
    assert_int_equal(bytes, 6 * (2500 * 29 + 12 * 21));
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(test_sequence, "a mark is written before the collection is made, its uuid afterwards"),
        NAMED_TEST(test_force, "with force somebody else's collection is dropped"),
        NAMED_TEST(test_steps, "steps are sent in order with their options"),
        NAMED_TEST(test_load, "documents are loaded in batches and get an _id as the shell gives it"),
        NAMED_TEST(test_pending_drops, "pending drops are waited for"),
        NAMED_TEST(test_no_pending_drops, "a server without pending drops is asked without"),
        NAMED_TEST(test_flush_refused, "a refused flush is remembered and not asked again"),
        NAMED_TEST(test_flush_refused_without_code, "a refusal without a code is a refusal"),
        NAMED_TEST(test_refusals, "what a server does not know is unsupported, what it forbids unprepared"),
        NAMED_TEST(test_write_errors, "a write error while loading fails the set-up with its code"),
        NAMED_TEST(test_many, "databases are looked at once, not once a collection"),
        NAMED_TEST(test_ops_marked, "collections that operations write to are marked too"),
        NAMED_TEST(test_refused_command,
                   "a command that would touch what is not ours is refused before anything is sent"),
        NAMED_TEST(test_may_fail, "a step may be refused with the codes that it names"),
        NAMED_TEST(test_fewer_confirmed, "a server that confirms fewer documents than it was sent fails the set-up"),
        NAMED_TEST(test_bulk_errors, "an error inside of a bulkWrite's reply is one"),
        NAMED_TEST(test_estimate, "the estimate counts documents exactly and bytes from a sample"),
    };
    target_library_init();
    int failed = cmocka_run_group_tests_name("prepare", tests, NULL, NULL);
    target_library_cleanup();
    return failed;
}
