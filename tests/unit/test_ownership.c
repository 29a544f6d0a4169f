/* SPDX-License-Identifier: Apache-2.0 */
/* Whose a collection is, and that nothing of ours stays and nothing of others goes. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "engine/leftovers.h"
#include "preparation_fixture.h"

#include "unit.h"

#define NOT_OURS "the collection test0.Foo_Bar0 is there already and was not made by benchrun: rename or drop it"
#define MAYBE_OURS                                                                                                     \
    "the collection test0.Foo_Bar0 is there already; a run of benchrun that was killed was about to make it"

/* What a set-up says when listCollections and the mark say this; "": it takes the collection. */
static void expect_owner(const char *listed, const char *mark, const char *run, const char *expected)
{
    const struct rig_reply replies[] = {{"listCollections", listed, 0}, {"find", mark, 0}};
    struct rig rig;
    struct preparation_fixture fixture;
    rig_init(&rig, replies, 2);
    fixture_make(&fixture, NULL, NULL, NULL);
    snprintf(rig.target.run_id, sizeof rig.target.run_id, "%s", run);
    fixture_set_up(&fixture, &rig, &one_collection);
    const char *message = fixture.outcome.error.message;
    bool refused = fixture.outcome.state == PREPARE_REFUSED;
    if (strncmp(message, expected, strlen(expected)) != 0 || refused == (*expected == '\0'))
        fail_msg("%s, %s: %s", listed, mark, message);
    assert_int_equal(strstr(rig_trace(&rig), "drop test0.Foo_Bar0\n") != NULL, !refused);
    assert_int_equal(strstr(rig_trace(&rig), "update ") != NULL, !refused);
    assert_int_equal(strstr(rig_trace(&rig), "create ") != NULL, !refused);
    fixture_free(&fixture);
    rig_release(&rig);
}

static void by_identity(void **state)
{
    (void)state;
    static const char listed[] = BATCH(COLLECTION("Foo_Bar0", "AQID") "," MARKS);
    static const char no_uuid[] = BATCH("{\"name\": \"Foo_Bar0\", \"info\": {}}," MARKS);
    static const char no_marks[] = BATCH(COLLECTION("Foo_Bar0", "AQID"));
    static const char same[] = BATCH("{\"_id\": \"Foo_Bar0\", \"uuid\": " UUID("AQID") ", \"run\": \"run-a\"}");
    static const char other[] = BATCH("{\"_id\": \"Foo_Bar0\", \"uuid\": " UUID("AQIE") ", \"run\": \"run-a\"}");
    static const char none[] = BATCH("{\"_id\": \"Foo_Bar0\", \"uuid\": null, \"run\": \"run-a\", \"absent\": true}");
    static const char another[] = BATCH("{\"_id\": \"Foo_Bar00\", \"uuid\": " UUID("AQID") ", \"run\": \"run-a\"}");
    expect_owner(listed, same, "run-b", "");
    expect_owner(listed, other, "run-b", NOT_OURS);
    expect_owner(listed, other, "run-a", NOT_OURS);
    expect_owner(listed, none, "run-b", MAYBE_OURS);
    expect_owner(listed, none, "run-a", MAYBE_OURS);
    expect_owner(no_uuid, none, "run-b", MAYBE_OURS);
    expect_owner(no_uuid, none, "run-a", "");
    expect_owner(no_uuid, same, "run-a", NOT_OURS);
    expect_owner(listed, another, "run-a", NOT_OURS);
    expect_owner(listed, EMPTY, "run-a", NOT_OURS);
    expect_owner(no_marks, same, "run-a", NOT_OURS);
}

static void clean_up(void **state)
{
    (void)state;
    RIG(rig, {"listCollections", EMPTY, 1}, {"listCollections", BATCH(COLLECTION("Foo_Bar0", "AQID") "," MARKS), 0});
    struct preparation_fixture fixture;
    fixture_make(&fixture, NULL, NULL, "[{\"command\": {\"collMod\": \"#B_COLL\"}}]");
    fixture_set_up(&fixture, &rig, &one_collection);
    fixture_expect_ready(&fixture);
    rig_forget(&rig);
    fixture_expect_clean_up(&fixture, &rig, "");
    assert_string_equal(rig_trace(&rig), "ping admin\n"
                                         "listCollections test0\n"
                                         "collMod test0.Foo_Bar0\n"
                                         "drop test0.Foo_Bar0\n"
                                         "delete test0.benchrun_owned\n"
                                         "find test0.benchrun_owned\n"
                                         "drop test0.benchrun_owned\n");
    assert_string_equal(rig_command(&rig, "delete", 0),
                        "{ \"delete\" : \"benchrun_owned\", \"deletes\" : [ { \"q\" : { \"_id\" : { \"$in\" : [ "
                        "\"Foo_Bar0\" ] }, \"run\" : \"RUN\" }, \"limit\" : 0 } ] }");
    fixture_free(&fixture);
    rig_release(&rig);
}

static void marks_of_others_stay(void **state)
{
    (void)state;
    RIG(rig, {"find", BATCH("{\"_id\": \"Other0\", \"uuid\": null, \"run\": \"x\"}"), 0});
    struct preparation_fixture fixture;
    fixture_make(&fixture, NULL, NULL, NULL);
    fixture_set_up(&fixture, &rig, &one_collection);
    fixture_expect_clean_up(&fixture, &rig, "");
    assert_non_null(strstr(rig_trace(&rig), "delete test0.benchrun_owned\n"));
    assert_null(strstr(rig_trace(&rig), "drop test0.benchrun_owned\n"));
    fixture_free(&fixture);
    rig_release(&rig);
}

/* Somebody has dropped ours, and made their own, while the trial ran. */
static void replaced_by_somebody(void **state)
{
    (void)state;
    RIG(rig, {"listCollections", EMPTY, 1}, {"listCollections", BATCH(COLLECTION("Foo_Bar0", "AQID")), 2},
        {"listCollections", BATCH(COLLECTION("Foo_Bar0", "AQIE")), 0});
    struct preparation_fixture fixture;
    fixture_make(&fixture, NULL, NULL, "[{\"drop\": {}}]");
    fixture_set_up(&fixture, &rig, &one_collection);
    fixture_expect_ready(&fixture);
    fixture_expect_clean_up(
        &fixture, &rig,
        "test0.Foo_Bar0 is not the collection that was made for this test: it has been dropped and made "
        "anew since, and is left alone");
    assert_null(strstr(rig_trace(&rig), "drop test0.Foo_Bar0\n"));
    fixture_free(&fixture);
    rig_release(&rig);
}

/* Nor is it by a step of post, whatever that does. */
static void post_leaves_alone(void **state)
{
    (void)state;
    static const char *const posts[] = {
        "[{\"drop\": {}, \"ns\": \"#B_COLL_x\"}]",
        "[{\"insert\": {}, \"ns\": \"#B_COLL_x\"}]",
        "[{\"command\": {\"delete\": \"#B_COLL_x\", \"deletes\": []}}]",
        "[{\"command\": {\"aggregate\": 1, \"pipeline\": [{\"$out\": \"#B_COLL_x\"}]}}]",
    };
    static const struct rig_reply listings[] = {
        {"listCollections", EMPTY, 1},
        {"listCollections", BATCH(COLLECTION("Foo_Bar0_x", "AQID") "," COLLECTION("Foo_Bar0", "AQIF")), 3},
        {"listCollections", BATCH(COLLECTION("Foo_Bar0_x", "AQIE") "," COLLECTION("Foo_Bar0", "AQIF")), 0}};
    for (size_t i = 0; i < sizeof posts / sizeof *posts; i++) {
        struct rig rig;
        struct preparation_fixture fixture;
        struct error err;
        rig_init(&rig, listings, 3);
        fixture_make(&fixture, "[{\"create\": {}, \"ns\": \"#B_COLL_x\"}]", NULL, posts[i]);
        fixture_set_up(&fixture, &rig, &one_collection);
        fixture_expect_ready(&fixture);
        rig_forget(&rig);
        assert_non_null(strstr(fixture_clean_up(&fixture, &rig, &err),
                               "test0.Foo_Bar0_x is not the collection that was made for this test any more"));
        assert_null(strstr(rig_trace(&rig), "Foo_Bar0_x"));
        assert_null(strstr(rig_trace(&rig), "aggregate"));
        assert_non_null(strstr(rig_trace(&rig), "drop test0.Foo_Bar0\n"));
        fixture_free(&fixture);
        rig_release(&rig);
    }
}

/* Each $out of an operation makes the collection anew. */
static void replaced_by_operations(void **state)
{
    (void)state;
    RIG(rig, {"listCollections", EMPTY, 3}, {"listCollections", BATCH(COLLECTION("Foo_Bar0_out", "AQIE")), 0});
    struct preparation_fixture fixture;
    fixture_make(
        &fixture, NULL,
        "[{\"op\": \"command\", \"command\": {\"aggregate\": 1, \"pipeline\": [{\"$out\": \"#B_COLL_out\"}]}}]", NULL);
    fixture_set_up(&fixture, &rig, &one_collection);
    fixture_expect_ready(&fixture);
    fixture_expect_clean_up(&fixture, &rig, "");
    assert_non_null(strstr(rig_trace(&rig), "drop test0.Foo_Bar0_out\n"));
    fixture_free(&fixture);
    rig_release(&rig);
}

/* Between our look and our create somebody else made it. */
static void made_by_somebody_meanwhile(void **state)
{
    (void)state;
    RIG(rig, {"listCollections", EMPTY, 1},
        {"create", "{\"ok\": 0, \"code\": 48, \"codeName\": \"NamespaceExists\", \"errmsg\": \"exists\"}", 0},
        {"listCollections", BATCH("{\"name\": \"Foo_Bar0\", \"options\": {}, \"info\": {\"uuid\": " UUID("AQIE") "}}"),
         0});
    struct preparation_fixture fixture;
    fixture_make(&fixture, "[{\"create\": {}}]", NULL, NULL);
    fixture_set_up(&fixture, &rig, &one_collection);
    assert_int_equal(fixture.outcome.state, PREPARE_REFUSED);
    assert_string_equal(fixture.outcome.error.message,
                        "test0.Foo_Bar0: /pre/0/create: create on test0: exists (code 48 NamespaceExists)");
    struct error err;
    fixture_clean_up(&fixture, &rig, &err);
    assert_null(strstr(rig_trace(&rig), "drop test0.Foo_Bar0\n"));
    fixture_free(&fixture);
    rig_release(&rig);
}

static const enum nullserver_era eras[] = {NULLSERVER_4_0, NULLSERVER_8_0};
enum { ERAS = sizeof eras / sizeof *eras };

static void failed_set_up_leaves_nothing(void **state)
{
    (void)state;
    static const struct rig_reply refusal[] = {
        {"createIndexes", "{\"ok\": 0, \"code\": 67, \"errmsg\": \"no such index\"}", 0}};
    for (size_t i = 0; i < ERAS; i++) {
        struct rig rig;
        struct preparation_fixture fixture;
        rig_init_on(&rig, &(struct nullserver_config){.era = eras[i]}, refusal, 1);
        fixture_make(&fixture, "[{\"insert\": {}}, {\"insert\": {}, \"ns\": \"#B_COLL_x\"}, {\"index\": {\"a\": 1}}]",
                     "[{\"op\": \"insert\", \"ns\": \"test0.y\", \"doc\": {}}]", NULL);
        fixture_set_up(&fixture, &rig, &one_collection);
        assert_int_equal(fixture.outcome.state, PREPARE_UNSUPPORTED);
        fixture_expect_left(&rig, "benchrun_owned Foo_Bar0 Foo_Bar0_x");
        fixture_expect_clean_up(&fixture, &rig, "");
        fixture_expect_left(&rig, "");
        fixture_free(&fixture);
        rig_release(&rig);
    }
}

/* The notes, one below the other. */
static void take_note(const char *text, void *context)
{
    buffer_append_printf(context, "%s\n", text);
}

/* A cleaner with little patience, and a set-up to be cleaned up on a server of 4.0. */
struct cleaning {
    struct rig rig;
    struct preparation_fixture fixture;
    struct leftovers leftovers;
    struct buffer notes;
};

static void cleaning_init_at(struct cleaning *it, const struct nullserver_config *config,
                             const struct rig_reply *replies, size_t count)
{
    *it = (struct cleaning){0};
    rig_init_on(&it->rig, config, replies, count);
    fixture_make(&it->fixture, "[{\"insert\": {}}]", NULL, NULL);
    it->leftovers = (struct leftovers){
        .target = &it->rig.target, .patience_ns = 300 * CLOCK_NS_PER_MS, .on_note = take_note, .context = &it->notes};
    fixture_set_up(&it->fixture, &it->rig, &one_collection);
}

static void cleaning_init(struct cleaning *it, const struct rig_reply *replies, size_t count)
{
    cleaning_init_at(it, &(struct nullserver_config){.era = NULLSERVER_4_0}, replies, count);
}

/* Hands the preparation over. */
static void cleaning_begin(struct cleaning *it, enum leftovers_doubt doubt)
{
    leftovers_clean_up(&it->leftovers, "Foo.Bar", it->fixture.preparation, doubt);
    it->fixture.preparation = NULL;
}

static void cleaning_release(struct cleaning *it)
{
    leftovers_end(&it->leftovers);
    fixture_free(&it->fixture);
    rig_release(&it->rig);
    buffer_release(&it->notes);
}

static bool make_room(struct cleaning *it, struct error *err)
{
    error_init(err);
    return leftovers_make_room(&it->leftovers, &it->fixture.test, &one_collection, err);
}

static void quiet_is_cleaned_up(void **state)
{
    (void)state;
    struct cleaning it;
    struct error err;
    cleaning_init(&it, NULL, 0);
    cleaning_begin(&it, LEFTOVERS_NOTHING);
    fixture_expect_left(&it.rig, "");
    assert_true(make_room(&it, &err));
    assert_string_equal(buffer_text(&it.notes), "");
    cleaning_release(&it);
}

/* A collection that is dropped under an operation would be made anew by it. */
static void written_stays(void **state)
{
    (void)state;
    struct cleaning it;
    struct error err;
    cleaning_init(&it, NULL, 0);
    cleaning_begin(&it, LEFTOVERS_RUNNING);
    fixture_expect_left(&it.rig, "benchrun_owned Foo_Bar0");
    assert_false(make_room(&it, &err));
    assert_string_equal(err.message,
                        "an earlier trial is not cleaned up yet: operations that were abandoned may still be "
                        "under way on the server, and would make the collections anew");
    leftovers_end(&it.leftovers);
    fixture_expect_left(&it.rig, "benchrun_owned Foo_Bar0");
    assert_non_null(strstr(buffer_text(&it.notes), "Foo.Bar: its collections stay on the server: "));
    cleaning_release(&it);
}

/* The driver reads no late answer: nobody knows. */
static void unknown_is_waited_for(void **state)
{
    (void)state;
    struct cleaning it;
    struct error err;
    cleaning_init(&it, NULL, 0);
    cleaning_begin(&it, LEFTOVERS_UNKNOWN);
    fixture_expect_left(&it.rig, "benchrun_owned Foo_Bar0");
    assert_true(make_room(&it, &err));
    fixture_expect_left(&it.rig, "");
    cleaning_release(&it);
}

/* What the server lists is all that is under way: nothing. */
static void ended_is_cleaned_up(void **state)
{
    (void)state;
    struct cleaning it;
    cleaning_init(&it, NULL, 0);
    free(it.rig.target.testbed.product);
    it.rig.target.testbed.product = memory_strdup("MongoDB");
    cleaning_begin(&it, LEFTOVERS_RUNNING);
    fixture_expect_left(&it.rig, "");
    assert_string_equal(buffer_text(&it.notes), "");
    cleaning_release(&it);
}

/* What somebody has put in the place of ours needs no second try. */
static void replaced_is_said_once(void **state)
{
    (void)state;
    static const struct rig_reply listings[] = {{"listCollections", EMPTY, 1},
                                                {"listCollections", BATCH(COLLECTION("Foo_Bar0", "AQID")), 2},
                                                {"listCollections", BATCH(COLLECTION("Foo_Bar0", "AQIE")), 0}};
    struct cleaning it;
    cleaning_init(&it, listings, 3);
    fixture_expect_ready(&it.fixture);
    cleaning_begin(&it, LEFTOVERS_NOTHING);
    leftovers_end(&it.leftovers);
    assert_string_equal(buffer_text(&it.notes), "Foo.Bar: test0.Foo_Bar0 is not the collection that was made for this "
                                                "test: it has been dropped and made anew since, and is left alone\n");
    cleaning_release(&it);
}

static void other_collections_need_no_room(void **state)
{
    (void)state;
    struct cleaning it;
    struct error err;
    cleaning_init(&it, NULL, 0);
    cleaning_begin(&it, LEFTOVERS_RUNNING);
    free(it.fixture.test.name);
    it.fixture.test.name = memory_strdup("Other");
    assert_true(make_room(&it, &err));
    json_array_append_new(it.fixture.test.ops,
                          json_pack("{s:s, s:s, s:{}}", "op", "insert", "ns", "test0.Foo_Bar0", "doc"));
    assert_false(make_room(&it, &err));
    cleaning_release(&it);
}

/* Pings are answered until the set-up is done, and again from the end of the run on. */
static void outage_is_tried_again(void **state)
{
    (void)state;
    struct rig_reply outage[] = {{"ping", "{\"ok\": 1}", 0},
                                 {"ping", "{\"ok\": 0, \"code\": 1, \"errmsg\": \"away\"}", 2}};
    struct cleaning it;
    cleaning_init(&it, NULL, 0);
    outage[0].times = (unsigned)nullserver_count(it.rig.server, "ping");
    cleaning_release(&it);
    cleaning_init(&it, outage, 2);
    cleaning_begin(&it, LEFTOVERS_NOTHING);
    fixture_expect_left(&it.rig, "benchrun_owned Foo_Bar0");
    assert_non_null(strstr(buffer_text(&it.notes), "Foo.Bar: not cleaned up yet: "));
    leftovers_end(&it.leftovers);
    fixture_expect_left(&it.rig, "");
    assert_null(strstr(buffer_text(&it.notes), "stay on the server"));
    cleaning_release(&it);
}

/* The connection is lost in the middle of the load: the batch may still be carried out. */
static void unanswered_is_waited_for(void **state)
{
    (void)state;
    struct cleaning it;
    struct error err;
    /* After the mark and its uuid. */
    cleaning_init_at(&it,
                     &(struct nullserver_config){
                         .era = NULLSERVER_4_0, .fault = NULLSERVER_CLOSE, .fault_after = 2, .fault_times = 1},
                     NULL, 0);
    assert_int_equal(it.fixture.outcome.state, PREPARE_REFUSED);
    assert_true(preparation_is_unanswered(it.fixture.preparation));
    cleaning_begin(&it, LEFTOVERS_NOTHING);
    fixture_expect_left(&it.rig, "benchrun_owned Foo_Bar0");
    assert_non_null(strstr(buffer_text(&it.notes), "a command that got no answer may still be carried out"));
    assert_true(make_room(&it, &err));
    fixture_expect_left(&it.rig, "");
    cleaning_release(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(by_identity, "a collection is ours when its uuid is the mark's, or without uuids in the same run"),
        NAMED_TEST(clean_up, "clean-up runs post, drops, strikes the marks and drops their collection"),
        NAMED_TEST(marks_of_others_stay, "marks of others stay"),
        NAMED_TEST(replaced_by_somebody, "what somebody has put in the place of ours is left alone"),
        NAMED_TEST(post_leaves_alone, "nor does a step of post touch it"),
        NAMED_TEST(replaced_by_operations, "what operations make anew is ours"),
        NAMED_TEST(made_by_somebody_meanwhile, "what somebody makes while we set up is left alone"),
        NAMED_TEST(failed_set_up_leaves_nothing, "a set-up that fails leaves nothing behind"),
        NAMED_TEST(quiet_is_cleaned_up, "what nothing writes to is cleaned up at once"),
        NAMED_TEST(written_stays, "what may still be written to stays, marked, and makes no room for the next cell"),
        NAMED_TEST(unknown_is_waited_for, "what may or may not have ended is waited for, and then cleaned up"),
        NAMED_TEST(ended_is_cleaned_up, "a server that lists what is under way shows that nothing is"),
        NAMED_TEST(replaced_is_said_once, "what is not ours any more is said once, and not tried again"),
        NAMED_TEST(other_collections_need_no_room, "only cells on the same collections wait for it"),
        NAMED_TEST(unanswered_is_waited_for,
                   "a command without an answer is waited for before the collection is dropped"),
        NAMED_TEST(outage_is_tried_again, "a clean-up that fails in an outage is tried again at the end"),
    };
    target_library_init();
    int failed = cmocka_run_group_tests_name("ownership", tests, NULL, NULL);
    target_library_cleanup();
    return failed;
}
