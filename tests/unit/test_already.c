/* SPDX-License-Identifier: Apache-2.0 */
/* Servers that refuse what is so already, and those that refuse something else. */
#include "preparation_fixture.h"

#include "unit.h"

static const enum nullserver_era eras[] = {NULLSERVER_4_0, NULLSERVER_8_0};
enum { ERAS = sizeof eras / sizeof *eras };

/* One by one: on both ages it is ready, with so many collections, and cleaned up without a trace. */
static void already_there(void **state)
{
    (void)state;
    static const char *const lists[] = {
        "[{\"drop\": {}}, {\"insert\": {\"a\": 1}}, {\"create\": {}}]",
        "[{\"create\": {\"capped\": true, \"size\": 4096.0}}, {\"create\": {\"capped\": true, \"size\": 4096}}]",
        "[{\"index\": {\"a\": 1}}, {\"index\": {\"a\": 1}}]",
        "[{\"index\": {\"a\": 1, \"b\": -1}}, {\"index\": {\"a\": 1, \"b\": -1}, \"options\": {\"name\": \"n\"}}]",
        "[{\"index\": {\"a\": 1}, \"options\": {\"unique\": true}},"
        " {\"index\": {\"a\": 1}, \"options\": {\"name\": \"n\", \"unique\": true, \"sparse\": false}}]",
        "[{\"command\": {\"drop\": \"users\"}, \"db\": \"test0\"},"
        " {\"command\": {\"insert\": \"users\", \"documents\": [{\"a\": 1}]}, \"db\": \"test0\"},"
        " {\"command\": {\"createIndexes\": \"users\", \"indexes\": [{\"key\": {\"a\": 1}, \"name\": \"a_1\"}]}, "
        "\"db\": \"test0\"},"
        " {\"command\": {\"create\": \"users\"}, \"db\": \"test0\"}]",
    };
    for (size_t i = 0; i < ERAS * sizeof lists / sizeof *lists; i++) {
        struct rig rig;
        struct preparation_fixture fixture;
        rig_init_on(&rig, &(struct nullserver_config){.era = eras[i % ERAS]}, NULL, 0);
        fixture_make(&fixture, lists[i / ERAS], NULL, NULL);
        fixture_set_up(&fixture, &rig, &one_collection);
        fixture_expect_ready(&fixture);
        fixture_expect_clean_up(&fixture, &rig, "");
        fixture_expect_left(&rig, "");
        fixture_free(&fixture);
        rig_release(&rig);
    }
}

static void there_with_other_options(void **state)
{
    (void)state;
    static const struct {
        const char *pre, *message;
    } cases[] = {
        {"[{\"insert\": {}}, {\"create\": {\"capped\": true, \"size\": 4096}}]",
         "/pre/1/create: the collection is there with another \"capped\": create on test0: "},
        {"[{\"create\": {\"capped\": true, \"size\": 4096}}, {\"create\": {}}]",
         "/pre/1/create: the collection is there with another \"capped\": create on test0: "},
        {"[{\"create\": {\"capped\": true, \"size\": 4096}}, {\"create\": {\"capped\": true, \"size\": 8192}}]",
         "/pre/1/create: the collection is there with another \"size\": create on test0: "},
        {"[{\"index\": {\"a\": 1}}, {\"index\": {\"a\": 1}, \"options\": {\"name\": \"n\", \"unique\": true}}]",
         "/pre/1/index: an index of that key is there with another \"unique\": createIndexes on test0: "},
        {"[{\"index\": {\"a\": 1}, \"options\": {\"unique\": true}}, {\"index\": {\"a\": 1}, \"options\": {\"name\": "
         "\"n\"}}]",
         "/pre/1/index: an index of that key is there with another \"unique\": createIndexes on test0: "},
        {"[{\"index\": {\"a\": 1}}, {\"index\": {\"a\": 1}, \"options\": {\"unique\": true}}]",
         "/pre/1/index: an index of that key is there with another \"unique\": createIndexes on test0: "},
        /* The second of them would be missing. */
        {"[{\"index\": {\"a\": 1}}, {\"command\": {\"createIndexes\": \"#B_COLL\", \"indexes\": [{\"key\": {\"a\": 1}, "
         "\"name\": \"n\"}, {\"key\": {\"b\": 1}, \"name\": \"m\"}]}}]",
         "/pre/1/command: createIndexes on test0: "},
    };
    for (size_t i = 0; i < ERAS * sizeof cases / sizeof *cases; i++) {
        struct rig rig;
        struct preparation_fixture fixture;
        rig_init_on(&rig, &(struct nullserver_config){.era = eras[i % ERAS]}, NULL, 0);
        fixture_make(&fixture, cases[i / ERAS].pre, NULL, NULL);
        fixture_set_up(&fixture, &rig, &one_collection);
        assert_int_equal(fixture.outcome.state, PREPARE_REFUSED);
        if (!strstr(fixture.outcome.error.message, cases[i / ERAS].message))
            fail_msg("%s", fixture.outcome.error.message);
        fixture_expect_clean_up(&fixture, &rig, "");
        fixture_expect_left(&rig, "");
        fixture_free(&fixture);
        rig_release(&rig);
    }
}

/* Codes that MongoDB's own commands seldom let out. */
static void already_so_by_code(void **state)
{
    (void)state;
    RIG(rig, {"createIndexes", "{\"ok\": 0, \"code\": 68, \"errmsg\": \"exists\"}", 1},
        {"listIndexes",
         BATCH("{\"v\": 2, \"key\": {\"_id\": 1}, \"name\": \"_id_\"}, {\"v\": 2, \"key\": {\"a\": 1.0}, \"name\": "
               "\"x\", "
               "\"background\": true}"),
         0},
        {"drop", "{\"ok\": 0, \"code\": 26, \"errmsg\": \"ns not found\"}", 1},
        {"createIndexes", "{\"ok\": 0, \"code\": 86, \"errmsg\": \"another of that name\"}", 0});
    struct preparation_fixture fixture;
    fixture_make(&fixture, "[{\"index\": {\"a\": 1}}, {\"drop\": {}}]", NULL, NULL);
    fixture_set_up(&fixture, &rig, &one_collection);
    fixture_expect_ready(&fixture);
    fixture_set_up(&fixture, &rig, &one_collection);
    assert_int_equal(fixture.outcome.code, 86);
    fixture_free(&fixture);
    rig_release(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(already_there, "what is there already, as it was asked for, is no failure in 4.0 and in 8.0"),
        NAMED_TEST(there_with_other_options, "what is there with other options is a failure in 4.0 and in 8.0"),
        NAMED_TEST(already_so_by_code, "an index that is there (68) and a drop of nothing (26) are no failures"),
    };
    target_library_init();
    int failed = cmocka_run_group_tests_name("already", tests, NULL, NULL);
    target_library_cleanup();
    return failed;
}
