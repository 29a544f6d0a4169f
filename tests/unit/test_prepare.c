/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/prepare.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "command_rig.h"

#include "unit.h"

#define RIG(rig, ...)                                                                                                  \
    static const struct rig_reply replies[] = {__VA_ARGS__};                                                           \
    struct rig rig;                                                                                                    \
    rig_init(&rig, replies, sizeof replies / sizeof *replies)

#define EMPTY "{\"cursor\": {\"id\": 0, \"ns\": \"test0.x\", \"firstBatch\": []}, \"ok\": 1}"
#define BATCH(documents) "{\"cursor\": {\"id\": 0, \"ns\": \"test0.x\", \"firstBatch\": [" documents "]}, \"ok\": 1}"
#define UUID(text) "{\"$binary\": {\"base64\": \"" text "AAAAAAAAAAAAAAAAAA==\", \"subType\": \"04\"}}"
#define COLLECTION(name, text) "{\"name\": \"" name "\", \"info\": {\"uuid\": " UUID(text) "}}"
#define MARKS "{\"name\": \"benchrun_owned\", \"info\": {}}"

static const struct prepare_config one = {.multidb = 1, .multicoll = 1, .threads = 4, .seed = 1};

static struct testcase make_test(const char *pre, const char *ops, const char *post)
{
    struct testcase test = {.name = memory_strdup("Foo.Bar")};
    test.pre = json_loads(pre, 0, NULL);
    test.ops = json_loads(ops, 0, NULL);
    test.post = json_loads(post, 0, NULL);
    assert_true(test.pre && test.ops && test.post);
    return test;
}

static void release_test(struct testcase *test)
{
    free(test->name);
    json_decref(test->pre);
    json_decref(test->ops);
    json_decref(test->post);
}

static struct prepare_outcome run(struct rig *rig, const char *pre, const struct prepare_config *config)
{
    struct testcase test = make_test(pre, "[]", "[]");
    struct prepare_outcome outcome;
    prepare_test(&rig->target, &test, config, &outcome);
    release_test(&test);
    return outcome;
}

static void clean_up(struct rig *rig, const char *post)
{
    struct testcase test = make_test("[]", "[]", post);
    struct error err = {0};
    prepare_clean_up(&rig->target, &test, &one, &err);
    assert_string_equal(err.message, "");
    release_test(&test);
}

static void test_sequence(void **state)
{
    (void)state;
    RIG(rig, {"listCollections", EMPTY, 1}, {"listCollections", BATCH(COLLECTION("Foo_Bar0", "AQID")), 1});
    struct prepare_outcome outcome = run(&rig, "[{\"drop\": {}}]", &one);
    assert_string_equal(outcome.error.message, "");
    assert_int_equal(outcome.state, TRIAL_MEASURED);
    assert_string_equal(rig_trace(&rig), "ping admin\n"
                                         "listCollections test0\n"
                                         "update test0.benchrun_owned\n"
                                         "create test0.Foo_Bar0\n"
                                         "listCollections test0\n"
                                         "update test0.benchrun_owned\n"
                                         "fsync admin\n");
    assert_string_equal(rig_command(&rig, "update", 0),
                        "{ \"update\" : \"benchrun_owned\", \"updates\" : [ { \"q\" : { \"_id\" : \"Foo_Bar0\" }, "
                        "\"u\" : { \"_id\" : \"Foo_Bar0\", \"uuid\" : null, \"run\" : \"RUN\", \"absent\" : true }, "
                        "\"upsert\" : true } ] }");
    assert_string_equal(rig_command(&rig, "update", 1),
                        "{ \"update\" : \"benchrun_owned\", \"updates\" : [ { \"q\" : { \"_id\" : \"Foo_Bar0\" }, "
                        "\"u\" : { \"_id\" : \"Foo_Bar0\", \"uuid\" : { \"$binary\" : { \"base64\" : "
                        "\"AQIDAAAAAAAAAAAAAAAAAA==\", \"subType\" : \"04\" } }, \"run\" : \"RUN\", \"absent\" : true "
                        "}, \"upsert\" : true } ] }");
    rig_release(&rig);
}

static void test_ours_dropped(void **state)
{
    (void)state;
    RIG(rig, {"listCollections", BATCH(COLLECTION("Foo_Bar0", "AQID") "," MARKS), 1},
        {"find", BATCH("{\"_id\": \"Foo_Bar0\", \"uuid\": " UUID("AQID") ", \"run\": \"x\", \"absent\": true}"), 0});
    assert_int_equal(run(&rig, "[]", &one).state, TRIAL_MEASURED);
    assert_string_equal(rig_trace(&rig), "ping admin\n"
                                         "listCollections test0\n"
                                         "find test0.benchrun_owned\n"
                                         "drop test0.Foo_Bar0\n"
                                         "update test0.benchrun_owned\n"
                                         "create test0.Foo_Bar0\n"
                                         "listCollections test0\n"
                                         "fsync admin\n");
    rig_release(&rig);
}

/* Whether the collection counts as ours when listCollections and the mark say this. */
static bool is_ours(const char *listed, const char *mark)
{
    const struct rig_reply replies[] = {{"listCollections", listed, 0}, {"find", mark, 0}};
    struct rig rig;
    rig_init(&rig, replies, 2);
    struct prepare_outcome outcome = run(&rig, "[]", &one);
    bool refused = outcome.state == TRIAL_UNPREPARED;
    if (refused) {
        assert_string_equal(outcome.error.message,
                            "the collection test0.Foo_Bar0 is there already and was not made by benchrun: rename or "
                            "drop it yourself, or let benchrun drop it (--force)");
        assert_null(strstr(rig_trace(&rig), "drop "));
        assert_null(strstr(rig_trace(&rig), "update "));
        assert_null(strstr(rig_trace(&rig), "create "));
    }
    rig_release(&rig);
    return !refused;
}

static void test_ownership(void **state)
{
    (void)state;
    static const char listed[] = BATCH(COLLECTION("Foo_Bar0", "AQID") "," MARKS);
    static const char no_uuid[] = BATCH("{\"name\": \"Foo_Bar0\", \"info\": {}}," MARKS);
    static const char no_marks[] = BATCH(COLLECTION("Foo_Bar0", "AQID"));
    static const char same[] = BATCH("{\"_id\": \"Foo_Bar0\", \"uuid\": " UUID("AQID") ", \"absent\": true}");
    static const char other[] = BATCH("{\"_id\": \"Foo_Bar0\", \"uuid\": " UUID("AQIE") ", \"absent\": true}");
    static const char absent[] = BATCH("{\"_id\": \"Foo_Bar0\", \"uuid\": null, \"absent\": true}");
    static const char present[] = BATCH("{\"_id\": \"Foo_Bar0\", \"uuid\": null}");
    static const char another[] = BATCH("{\"_id\": \"Foo_Bar00\", \"uuid\": null, \"absent\": true}");
    assert_true(is_ours(listed, same));
    assert_false(is_ours(listed, other));
    assert_true(is_ours(listed, absent));
    assert_false(is_ours(listed, present));
    assert_true(is_ours(no_uuid, absent));
    assert_false(is_ours(no_uuid, present));
    assert_false(is_ours(listed, another));
    assert_false(is_ours(listed, EMPTY));
    assert_false(is_ours(no_marks, same));
}

static void test_force(void **state)
{
    (void)state;
    RIG(rig, {"listCollections", BATCH(COLLECTION("Foo_Bar0", "AQID")), 0});
    struct prepare_config config = one;
    config.force = true;
    assert_int_equal(run(&rig, "[]", &config).state, TRIAL_MEASURED);
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
                                         &one);
    assert_string_equal(outcome.error.message, "");
    assert_string_equal(rig_trace(&rig), "ping admin\n"
                                         "listCollections test0\n"
                                         "update test0.benchrun_owned\n"
                                         "create test0.Foo_Bar0\n"
                                         "createIndexes test0.Foo_Bar0\n"
                                         "createIndexes test0.Foo_Bar0\n"
                                         "collMod test0.Foo_Bar0\n"
                                         "setParameter admin\n"
                                         "create test0.Foo_Bar0_other\n"
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
                                         &one);
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
    RIG(rig, {"listCollections", EMPTY, 1},
        {"listCollections", BATCH("{\"name\": \"system.drop.1i2.Foo\", \"info\": {}}"), 3},
        {"listCollections", EMPTY, 0});
    assert_int_equal(run(&rig, "[]", &one).state, TRIAL_MEASURED);
    assert_string_equal(rig_trace(&rig), "ping admin\n"
                                         "listCollections test0\n"
                                         "update test0.benchrun_owned\n"
                                         "create test0.Foo_Bar0\n"
                                         "listCollections test0\n"
                                         "listCollections test0\n"
                                         "listCollections test0\n"
                                         "listCollections test0\n"
                                         "fsync admin\n");
    for (size_t k = 1; k < 5; k++)
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
        const struct rig_reply replies[] = {{"listCollections", EMPTY, 1},
                                            {"listCollections", refusal, 1},
                                            {"listCollections", BATCH(COLLECTION("Foo_Bar0", "AQID")), 1}};
        struct rig rig;
        rig_init(&rig, replies, 3);
        struct prepare_outcome outcome = run(&rig, "[]", &one);
        assert_string_equal(outcome.error.message, "");
        assert_int_equal(outcome.state, TRIAL_MEASURED);
        assert_null(strstr(rig_command(&rig, "listCollections", 2), "includePendingDrops"));
        rig_command(&rig, "update", 1);
        rig_release(&rig);
    }
}

static void test_flush_refused(void **state)
{
    (void)state;
    RIG(rig, {"fsync", "{\"ok\": 0, \"code\": 13, \"codeName\": \"Unauthorized\", \"errmsg\": \"not authorized\"}", 0});
    assert_int_equal(run(&rig, "[]", &one).state, TRIAL_MEASURED);
    assert_int_equal(run(&rig, "[]", &one).state, TRIAL_MEASURED);
    assert_string_equal(rig.target.flush_refusal, "fsync on admin: not authorized (code 13 Unauthorized)");
    assert_int_equal(nullserver_count(rig.server, "fsync"), 1);
    rig_release(&rig);
}

static void test_flush_refused_without_code(void **state)
{
    (void)state;
    RIG(rig, {"fsync", "{\"numFiles\": 1, \"all\": {}, \"ok\": 0, \"errmsg\": \"{ shard01: not authorized }\"}", 0});
    assert_int_equal(run(&rig, "[]", &one).state, TRIAL_MEASURED);
    assert_int_equal(run(&rig, "[]", &one).state, TRIAL_MEASURED);
    assert_string_equal(rig.target.flush_refusal, "fsync on admin: { shard01: not authorized } (code 8)");
    assert_int_equal(nullserver_count(rig.server, "fsync"), 1);
    rig_release(&rig);
}

static void check_refusal(int code, enum trial_state expected)
{
    char reply[128];
    snprintf(reply, sizeof reply, "{\"ok\": 0, \"code\": %d, \"errmsg\": \"no such luck\"}", code);
    const struct rig_reply replies[] = {{"collMod", reply, 0}};
    struct rig rig;
    rig_init(&rig, replies, 1);
    struct prepare_outcome outcome = run(&rig, "[{\"create\": {}}, {\"command\": {\"collMod\": \"#B_COLL\"}}]", &one);
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
        check_refusal(unsupported[i], TRIAL_UNSUPPORTED);
    for (size_t i = 0; i < sizeof unprepared / sizeof *unprepared; i++)
        check_refusal(unprepared[i], TRIAL_UNPREPARED);
}

static void test_write_errors(void **state)
{
    (void)state;
    RIG(rig, {"insert",
              "{\"ok\": 1, \"n\": 0, \"writeErrors\": [{\"index\": 0, \"code\": 121, \"errmsg\": \"not valid\"}]}", 0});
    struct prepare_outcome outcome = run(&rig, "[{\"insert\": {\"a\": 1}}]", &one);
    assert_string_equal(outcome.error.message,
                        "test0.Foo_Bar0: /pre/0/insert: insert into Foo_Bar0: not valid (code 121)");
    assert_int_equal(outcome.code, 121);
    assert_int_equal(outcome.state, TRIAL_UNPREPARED);
    rig_release(&rig);
}

static void test_many(void **state)
{
    (void)state;
    RIG(rig, {"listCollections", EMPTY, 0});
    const struct prepare_config config = {.multidb = 2, .multicoll = 2, .threads = 1};
    assert_int_equal(run(&rig, "[]", &config).state, TRIAL_MEASURED);
    assert_string_equal(rig_trace(&rig), "ping admin\n"
                                         "listCollections test0\n"
                                         "listCollections test1\n"
                                         "update test0.benchrun_owned\n"
                                         "update test1.benchrun_owned\n"
                                         "create test0.Foo_Bar0\n"
                                         "create test0.Foo_Bar1\n"
                                         "create test1.Foo_Bar0\n"
                                         "create test1.Foo_Bar1\n"
                                         "listCollections test0\n"
                                         "listCollections test1\n"
                                         "fsync admin\n");
    rig_release(&rig);
}

static void test_ops_marked(void **state)
{
    (void)state;
    RIG(rig, {"listCollections", EMPTY, 0});
    struct testcase test = make_test("[]",
                                     "[{\"op\": \"insert\", \"doc\": {}, \"ns\": \"test0.elsewhere\"},"
                                     " {\"op\": \"command\", \"command\": {\"aggregate\": \"#B_COLL\", \"pipeline\": "
                                     "[{\"$out\": \"#B_COLL_out\"}]}}]",
                                     "[]");
    struct prepare_outcome outcome;
    prepare_test(&rig.target, &test, &one, &outcome);
    const char *marks = rig_command(&rig, "update", 0);
    assert_non_null(strstr(marks, "\"_id\" : \"Foo_Bar0\","));
    assert_non_null(strstr(marks, "\"_id\" : \"elsewhere\","));
    assert_non_null(strstr(marks, "\"_id\" : \"Foo_Bar0_out\","));
    release_test(&test);
    rig_release(&rig);
}

static void test_clean_up(void **state)
{
    (void)state;
    RIG(rig, {"listCollections", BATCH(COLLECTION("Foo_Bar0", "AQID") "," MARKS), 0},
        {"find", BATCH("{\"_id\": \"Foo_Bar0\", \"uuid\": " UUID("AQID") ", \"absent\": true}"), 1},
        {"find", EMPTY, 0});
    clean_up(&rig, "[{\"command\": {\"collMod\": \"#B_COLL\"}}]");
    assert_string_equal(rig_trace(&rig), "ping admin\n"
                                         "listCollections test0\n"
                                         "find test0.benchrun_owned\n"
                                         "collMod test0.Foo_Bar0\n"
                                         "drop test0.Foo_Bar0\n"
                                         "delete test0.benchrun_owned\n"
                                         "find test0.benchrun_owned\n"
                                         "drop test0.benchrun_owned\n");
    assert_string_equal(rig_command(&rig, "delete", 0),
                        "{ \"delete\" : \"benchrun_owned\", \"deletes\" : [ { \"q\" : { \"_id\" : { \"$in\" : [ "
                        "\"Foo_Bar0\" ] } }, \"limit\" : 0 } ] }");
    rig_release(&rig);
}

static void test_marks_of_others_stay(void **state)
{
    (void)state;
    RIG(rig, {"listCollections", BATCH(COLLECTION("Foo_Bar0", "AQID") "," MARKS), 0},
        {"find", BATCH("{\"_id\": \"Foo_Bar0\", \"uuid\": " UUID("AQID") ", \"absent\": true}"), 1},
        {"find", BATCH("{\"_id\": \"Other0\", \"uuid\": null, \"absent\": true}"), 0});
    clean_up(&rig, "[]");
    assert_non_null(strstr(rig_trace(&rig), "delete test0.benchrun_owned\n"));
    assert_null(strstr(rig_trace(&rig), "drop test0.benchrun_owned\n"));
    rig_release(&rig);
}

static void test_clean_up_touches_ours_only(void **state)
{
    (void)state;
    RIG(rig, {"listCollections", BATCH(COLLECTION("Foo_Bar0", "AQID")), 0});
    clean_up(&rig, "[{\"drop\": {}}, {\"command\": {\"collMod\": \"#B_COLL\"}}]");
    assert_string_equal(rig_trace(&rig), "ping admin\nlistCollections test0\n");
    rig_release(&rig);
}

static void test_nothing_to_clean_up(void **state)
{
    (void)state;
    RIG(rig, {"listCollections", EMPTY, 0});
    clean_up(&rig, "[]");
    assert_string_equal(rig_trace(&rig), "ping admin\nlistCollections test0\n");
    rig_release(&rig);
}

static void test_drop_database(void **state)
{
    (void)state;
    RIG(rig, {"listCollections", EMPTY, 0});
    struct prepare_outcome outcome = run(&rig, "[{\"command\": {\"dropDatabase\": 1}}]", &one);
    assert_int_equal(outcome.state, TRIAL_UNPREPARED);
    assert_int_equal(nullserver_count(rig.server, "dropDatabase"), 0);
    rig_release(&rig);
}

static void test_estimate(void **state)
{
    (void)state;
    struct testcase test = make_test("[{\"drop\": {}}, {\"insert\": {\"a\": 1}, \"count\": 2500},"
                                     " {\"insert\": {\"_id\": 1, \"b\": 1}, \"count\": {\"perThread\": 3}}]",
                                     "[]", "[]");
    const struct prepare_config config = {.multidb = 2, .multicoll = 3, .threads = 4};
    uint64_t documents, bytes;
    struct error err = {0};
    assert_true(prepare_estimate(&test, &config, &documents, &bytes, &err));
    assert_int_equal(documents, 6 * (2500 + 12));
    /* {a: 1} is 12 bytes and gets an ObjectId of 17; {_id: 1, b: 1} is 21 bytes. */
    assert_int_equal(bytes, 6 * (2500 * 29 + 12 * 21));
    release_test(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(test_sequence, "a mark is written before the collection is made, its uuid afterwards"),
        NAMED_TEST(test_ours_dropped, "what an earlier run left is dropped"),
        NAMED_TEST(test_ownership, "a collection is ours when mark and uuid agree, or it was absent before"),
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
        NAMED_TEST(test_clean_up, "clean-up runs post, drops, strikes the marks and drops their collection"),
        NAMED_TEST(test_marks_of_others_stay, "marks of another test stay"),
        NAMED_TEST(test_clean_up_touches_ours_only, "clean-up leaves alone what is not ours"),
        NAMED_TEST(test_nothing_to_clean_up, "clean-up does not depend on the collection being there"),
        NAMED_TEST(test_drop_database, "a definition cannot drop a database"),
        NAMED_TEST(test_estimate, "the estimate counts documents exactly and bytes from a sample"),
    };
    target_library_init();
    int failed = cmocka_run_group_tests_name("prepare", tests, NULL, NULL);
    target_library_cleanup();
    return failed;
}
