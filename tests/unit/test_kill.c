/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/kill.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "command_rig.h"

#include "unit.h"

#define OURS "\"appName\": \"benchrun-test\""

static void open_rig(struct rig *rig, const struct rig_reply *replies, size_t count)
{
    rig_init(rig, replies, count);
    free(rig->target.app_name);
    rig->target.app_name = memory_strdup("benchrun-test");
}

/* The body of the k-th recorded command of that name. */
static bson_t *recorded(struct rig *rig, const char *name, size_t k)
{
    struct buffer message = {0};
    assert_true(nullserver_recorded(rig->server, name, k, &message));
    bson_t body;
    enum { HEADER = 21 };
    int32_t little;
    memcpy(&little, message.data + HEADER, sizeof little);
    assert_true(bson_init_static(&body, message.data + HEADER, BSON_UINT32_FROM_LE((uint32_t)little)));
    bson_t *copy = bson_copy(&body);
    buffer_release(&message);
    return copy;
}

static void check_opid(struct rig *rig, size_t k, bson_type_t type, int64_t number, const char *text)
{
    bson_t *body = recorded(rig, "killOp", k);
    bson_iter_t iter;
    assert_true(bson_iter_init_find(&iter, body, "op"));
    assert_int_equal(bson_iter_type(&iter), type);
    if (text)
        assert_string_equal(bson_iter_utf8(&iter, NULL), text);
    else
        assert_int_equal(bson_iter_as_int64(&iter), number);
    bson_destroy(body);
}

static void test_kills_ours(void **state)
{
    (void)state;
    static const struct rig_reply replies[] = {
        {"currentOp",
         "{\"ok\": 1, \"inprog\": ["
         "{" OURS ", \"opid\": 7, \"active\": true, \"command\": {\"update\": \"x\"}},"
         "{" OURS ", \"opid\": {\"$numberLong\": \"8\"}},"
         "{" OURS ", \"opid\": \"shard01:9\"},"
         "{\"clientMetadata\": {\"application\": {\"name\": \"benchrun-test\"}}, \"opid\": 10},"
         "{\"appName\": \"benchrun-other\", \"opid\": 11},"
         "{\"appName\": \"benchrun-test2\", \"opid\": 12},"
         "{\"opid\": 13},"
         "{" OURS ", \"opid\": 14, \"active\": false},"
         "{" OURS ", \"opid\": 15, \"command\": {\"currentOp\": 1}},"
         "{" OURS ", \"opid\": \"shard01:16\", \"ns\": \"admin.$cmd.aggregate\", \"command\": "
         "{\"$truncated\": \"{ aggregate: 1, pipeline: [ { $currentOp: { allUsers: false\"}},"
         "{" OURS "}]}",
         1},
    };
    struct rig rig;
    open_rig(&rig, replies, 1);
    unsigned killed;
    struct error err = {0};
    assert_true(kill_operations(&rig.target, INT64_C(60000000000), &killed, &err));
    assert_int_equal(killed, 4);
    assert_int_equal(nullserver_count(rig.server, "killOp"), 4);
    assert_int_equal(nullserver_count(rig.server, "currentOp"), 2);
    check_opid(&rig, 0, BSON_TYPE_INT32, 7, NULL);
    check_opid(&rig, 1, BSON_TYPE_INT64, 8, NULL);
    check_opid(&rig, 2, BSON_TYPE_UTF8, 0, "shard01:9");
    check_opid(&rig, 3, BSON_TYPE_INT32, 10, NULL);
    bson_t *body = recorded(&rig, "currentOp", 0);
    bson_iter_t iter;
    assert_true(bson_iter_init_find(&iter, body, "$ownOps") && bson_iter_as_bool(&iter));
    assert_true(bson_iter_init_find(&iter, body, "appName"));
    assert_string_equal(bson_iter_utf8(&iter, NULL), "benchrun-test");
    bson_destroy(body);
    rig_release(&rig);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct rig_reply replies[] = {
        {"currentOp", "{\"ok\": 0, \"code\": 13, \"codeName\": \"Unauthorized\", \"errmsg\": \"not authorized\"}", 0},
    };
    struct rig rig;
    open_rig(&rig, replies, 1);
    unsigned killed;
    struct error err = {0};
    assert_false(kill_operations(&rig.target, INT64_C(60000000000), &killed, &err));
    assert_string_equal(err.message, "currentOp on admin: not authorized (code 13 Unauthorized)");
    assert_int_equal(killed, 0);
    rig_release(&rig);
}

static void test_limit(void **state)
{
    (void)state;
    static const struct rig_reply replies[] = {
        {"currentOp", "{\"ok\": 1, \"inprog\": [{" OURS ", \"opid\": 7}, {" OURS ", \"opid\": 8}]}", 1},
        {"currentOp", "{\"ok\": 1, \"inprog\": [{" OURS ", \"opid\": 8}]}", 0},
    };
    struct rig rig;
    open_rig(&rig, replies, 2);
    unsigned killed;
    struct error err = {0};
    assert_false(kill_operations(&rig.target, INT64_C(500000000), &killed, &err));
    assert_string_equal(err.message, "1 operation goes on in the server though it was told to end");
    assert_int_equal(killed, 1);
    rig_release(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(test_kills_ours, "operations of this run are killed, and nobody else's"),
        NAMED_TEST(test_refused, "a server that does not allow it is reported"),
        NAMED_TEST(test_limit, "an operation that goes on is given up at the limit"),
    };
    target_library_init();
    int failed = cmocka_run_group_tests_name("kill", tests, NULL, NULL);
    target_library_cleanup();
    return failed;
}
