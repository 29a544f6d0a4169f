/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/prepare.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "command_rig.h"
#include "engine/open.h"
#include "engine/trial.h"
#include "plan_fixture.h"

#include "unit.h"

/* What mongod 4.0.3 answers, a primary: no hello command, no helloOk, no topologyVersion. */
#define GOSSIP                                                                                                         \
    "\"ok\": {\"$numberDouble\": \"1.0\"}, \"operationTime\": {\"$timestamp\": {\"t\": 1540000000, \"i\": 7}}, "       \
    "\"$clusterTime\": {\"clusterTime\": {\"$timestamp\": {\"t\": 1540000000, \"i\": 7}}, \"signature\": {\"hash\": "  \
    "{\"$binary\": {\"base64\": \"AAAAAAAAAAAAAAAAAAAAAAAAAAA=\", \"subType\": \"00\"}}, \"keyId\": "                  \
    "{\"$numberLong\": \"0\"}}}"
#define WRITTEN                                                                                                        \
    "\"opTime\": {\"ts\": {\"$timestamp\": {\"t\": 1540000000, \"i\": 7}}, \"t\": {\"$numberLong\": \"1\"}}, "         \
    "\"electionId\": {\"$oid\": \"7fffffff0000000000000001\"}"
#define IS_MASTER_40                                                                                                   \
    "{\"hosts\": [\"a:27017\", \"b:27017\"], \"arbiters\": [\"c:27017\"], \"setName\": \"rs0\", \"setVersion\": 1, "   \
    "\"ismaster\": true, \"secondary\": false, \"primary\": \"a:27017\", \"me\": \"a:27017\", \"electionId\": "        \
    "{\"$oid\": \"7fffffff0000000000000001\"}, \"maxBsonObjectSize\": 16777216, \"maxMessageSizeBytes\": 48000000, "   \
    "\"maxWriteBatchSize\": 100000, \"localTime\": {\"$date\": {\"$numberLong\": \"1540000000000\"}}, "                \
    "\"logicalSessionTimeoutMinutes\": 30, \"minWireVersion\": 0, \"maxWireVersion\": 7, \"readOnly\": false, " GOSSIP \
    "}"
#define NO_HELLO                                                                                                       \
    "{\"ok\": 0, \"errmsg\": \"no such command: 'hello'\", \"code\": 59, \"codeName\": \"CommandNotFound\"}"
#define BUILD_INFO_40                                                                                                  \
    "{\"version\": \"4.0.3\", \"gitVersion\": \"7ea530946fa7880364d88c8d8b6026bbc9ffa48c\", \"modules\": [], "         \
    "\"allocator\": \"tcmalloc\", \"javascriptEngine\": \"mozjs\", \"sysInfo\": \"deprecated\", \"versionArray\": "    \
    "[4, "                                                                                                             \
    "0, 3, 0], \"buildEnvironment\": {\"target_arch\": \"x86_64\", \"target_os\": \"linux\"}, \"bits\": 64, "          \
    "\"debug\": "                                                                                                      \
    "false, \"storageEngines\": [\"devnull\", \"ephemeralForTest\", \"mmapv1\", \"wiredTiger\"], " GOSSIP "}"

static const struct rig_reply version_40[] = {
    {"isMaster", IS_MASTER_40, 0},
    {"hello", NO_HELLO, 0},
    {"buildInfo", BUILD_INFO_40, 0},
    {"serverStatus",
     "{\"host\": \"a\", \"version\": \"4.0.3\", \"process\": \"mongod\", \"storageEngine\": {\"name\": \"wiredTiger\", "
     "\"supportsCommittedReads\": true, \"persistent\": true}, " GOSSIP "}",
     0},
    {"hostInfo",
     "{\"system\": {\"hostname\": \"a\", \"cpuAddrSize\": 64, \"memSizeMB\": {\"$numberLong\": \"7974\"}, "
     "\"numCores\": "
     "4, \"cpuArch\": \"x86_64\", \"numaEnabled\": false}, \"os\": {\"type\": \"Linux\", \"name\": \"Ubuntu\", "
     "\"version\": \"18.04\"}, \"extra\": {}, " GOSSIP "}",
     0},
    {"insert", "{\"n\": 1, " WRITTEN ", " GOSSIP "}", 0},
    {"update",
     "{\"n\": 1, \"nModified\": 0, \"upserted\": [{\"index\": 0, \"_id\": {\"$oid\": "
     "\"5bcb00000000000000000001\"}}], " WRITTEN ", " GOSSIP "}",
     0},
    {"create", "{" GOSSIP "}", 0},
    {"createIndexes",
     "{\"createdCollectionAutomatically\": false, \"numIndexesBefore\": 1, \"numIndexesAfter\": 2, " GOSSIP "}", 0},
    {"drop", "{\"nIndexesWas\": 1, \"ns\": \"test0.Foo_Bar0\", " GOSSIP "}", 0},
    {"fsync", "{\"numFiles\": 1, " GOSSIP "}", 0},
};
enum { VERSION_40_COUNT = sizeof version_40 / sizeof *version_40 };

static void test_testbed(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig, version_40, VERSION_40_COUNT);
    const struct testbed *testbed = &rig.target.testbed;
    assert_string_equal(testbed->product, "MongoDB");
    assert_string_equal(testbed->version, "4.0.3");
    assert_string_equal(testbed->topology, "replica set rs0, 3 members");
    assert_string_equal(testbed->storage_engine, "wiredTiger");
    assert_string_equal(testbed->server_host_facts, "4 cores, 7974 MB, Ubuntu 18.04");
    assert_int_equal(testbed->max_wire_version, 7);
    struct error err = {0};
    assert_true(target_is_alive(&rig.target, &err));
    assert_int_equal(nullserver_count(rig.server, "hello"), 0);
    rig_release(&rig);
}

static size_t count_warnings(const char *default_concern, const struct run_options *options, const char *w)
{
    const struct rig_reply reply = {"getDefaultRWConcern", default_concern, 0};
    struct rig rig;
    rig_init(&rig, &reply, 1);
    size_t count = 0;
    char *uri = memory_printf("mongodb://127.0.0.1:%u/", nullserver_port(rig.server));
    struct target target;
    struct error err = {0};
    assert_true(target_open(&target, options, uri, NULL, NULL, &err));
    for (size_t i = 0; i < target.warnings.count; i++)
        count += strstr(target.warnings.items[i], "use -w 1 to compare") != NULL;
    if (w)
        assert_string_equal(target.testbed.default_w, w);
    else
        assert_null(target.testbed.default_w);
    target_close(&target);
    free(uri);
    rig_release(&rig);
    return count;
}

static void test_default_concern(void **state)
{
    (void)state;
    static const char majority[] =
        "{\"defaultReadConcern\": {\"level\": \"local\"}, \"defaultWriteConcern\": {\"w\": "
        "\"majority\", \"wtimeout\": 0}, \"defaultWriteConcernSource\": \"implicit\", \"ok\": 1}";
    static const char one[] = "{\"defaultWriteConcern\": {\"w\": 1, \"wtimeout\": 0}, \"ok\": 1}";
    static const char unknown[] = "{\"ok\": 0, \"code\": 59, \"errmsg\": \"no such command\"}";
    const struct run_options none = {0}, given = {.w_given = true, .w = 1};
    assert_int_equal(count_warnings(majority, &none, "majority"), 1);
    assert_int_equal(count_warnings(majority, &given, "majority"), 0);
    assert_int_equal(count_warnings(one, &none, "1"), 0);
    assert_int_equal(count_warnings(unknown, &none, NULL), 0);
    assert_int_equal(count_warnings("{\"ok\": 1}", &none, NULL), 0);
}

static void run_trial(struct rig *rig, const char *ops, struct trial_result *out)
{
    enum { SESSIONS = 2 };
    struct connector_pool *pool = connector_pool_new(&rig->target, 2);
    struct fixture fixture;
    fixture_init(&fixture, ops);
    fixture.config.sessions = SESSIONS;
    fixture_compile(&fixture, 0);
    const struct trial_config config = {.target = &rig->target,
                                        .pool = pool,
                                        .plan = fixture.plan,
                                        .sessions = SESSIONS,
                                        .seed = 1,
                                        .trial_time_ns = 100 * CLOCK_NS_PER_MS,
                                        .grace_ns = 20 * CLOCK_NS_PER_SEC};
    *out = (struct trial_result){0};
    tally_init(&out->tally);
    trial_execute(&config, out);
    fixture_release(&fixture);
    assert_true(connector_pool_free(pool, CONNECTOR_END_MS));
}

static void test_trial(void **state)
{
    (void)state;
    struct rig rig;
    struct trial_result out;
    rig_init(&rig, version_40, VERSION_40_COUNT);
    run_trial(&rig,
              "[{'op': 'insert', 'doc': {'x': 1}}, {'op': 'update', 'query': {'x': 2}, 'update': {'$set': {'y': 1}}, "
              "'upsert': true}]",
              &out);
    assert_string_equal(out.reason, "");
    assert_int_equal(out.state, TRIAL_MEASURED);
    const struct tally *tally = &out.tally;
    assert_true(tally->upserted > 0);
    assert_int_equal(tally->succeeded, tally->started);
    assert_int_equal(tally->inserted + tally->upserted, tally->succeeded);
    assert_int_equal(tally->matched, 0);
    assert_int_equal(nullserver_count(rig.server, "hello"), 0);
    rig_release(&rig);
}

/* Behind a load balancer libmongoc learns of the server by the connection's handshake only. */
static void test_load_balanced(void **state)
{
    (void)state;
    bson_t *router =
        bson_new_from_json((const uint8_t *)"{\"ismaster\": true, \"msg\": \"isdbgrid\", \"helloOk\": true, "
                                            "\"isWritablePrimary\": true, \"maxBsonObjectSize\": 16777216, "
                                            "\"maxMessageSizeBytes\": 48000000, \"maxWriteBatchSize\": 100000, "
                                            "\"minWireVersion\": 0, \"maxWireVersion\": 17, \"serviceId\": {\"$oid\": "
                                            "\"5bcb00000000000000000001\"}, \"ok\": 1}",
                           -1, NULL);
    const struct nullserver_script scripts[] = {{"isMaster", bson_get_data(router), router->len, 0},
                                                {"hello", bson_get_data(router), router->len, 0}};
    struct error err = {0};
    struct nullserver *server =
        nullserver_start(&(struct nullserver_config){.scripts = scripts, .script_count = 2}, &err);
    assert_non_null(server);
    char *uri = memory_printf("mongodb://127.0.0.1:%u/?loadBalanced=true", nullserver_port(server));
    struct target target;
    const struct run_options options = {0};
    if (!target_open(&target, &options, uri, NULL, NULL, &err))
        fail_msg("%s", err.message);
    assert_string_equal(target.testbed.topology, "sharded cluster");
    struct transport *transport = transport_open(target.route, 0, NULL, &err);
    assert_string_equal(err.message, "");
    transport_close(transport);
    target_close(&target);
    free(uri);
    nullserver_stop(server);
    bson_destroy(router);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(test_testbed, "a primary of 4.0.3 is read as it says, and never asked hello"),
        NAMED_TEST(test_trial, "its replies are counted, with all that stands beside the counts"),
        NAMED_TEST(test_default_concern, "a server's default w is said where it takes the place of none"),
        NAMED_TEST(test_load_balanced, "a router behind a load balancer is a router"),
    };
    target_library_init();
    int failures = cmocka_run_group_tests_name("versions", tests, NULL, NULL);
    target_library_cleanup();
    return failures;
}
