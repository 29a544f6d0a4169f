/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/probe.h"

#include <stdlib.h>

#include "unit.h"

static bson_t *document(const char *json)
{
    bson_error_t reason;
    bson_t *doc = bson_new_from_json((const uint8_t *)json, -1, &reason);
    if (!doc)
        fail_msg("%s: %s", json, reason.message);
    return doc;
}

static struct testbed read_server(const char *hello_json, const char *info_json, const char *host_json)
{
    struct testbed testbed = {0};
    bson_t *hello = document(hello_json), *info = document(info_json), *host = document(host_json);
    probe_read_hello(&testbed, hello);
    probe_read_build_info(&testbed, hello, info);
    probe_read_host_info(&testbed, host);
    bson_destroy(hello);
    bson_destroy(info);
    bson_destroy(host);
    return testbed;
}

#define HOST                                                                                                           \
    "{\"system\": {\"numCores\": 8, \"memSizeMB\": 16000}, \"os\": {\"name\": \"Ubuntu\", \"version\": \"20.04\"}}"

static void test_mongodb(void **state)
{
    (void)state;
    struct testbed testbed = read_server("{\"maxWireVersion\": 7, \"setName\": \"rs0\", \"hosts\": [\"a:1\", \"b:1\"], "
                                         "\"arbiters\": [\"c:1\"]}",
                                         "{\"version\": \"4.0.3\", \"gitVersion\": \"7ea530946fa7\", \"sysInfo\": "
                                         "\"deprecated here\", \"buildEnvironment\": {\"target_os\": \"linux\"}}",
                                         HOST);
    assert_string_equal(testbed.product, "MongoDB");
    assert_null(testbed.product_version);
    assert_string_equal(testbed.version, "4.0.3");
    assert_string_equal(testbed.git_version, "7ea530946fa7");
    assert_string_equal(testbed.platform, "deprecated");
    assert_string_equal(testbed.topology, "replica set rs0, 3 members");
    assert_string_equal(testbed.server_host_facts, "8 cores, 16000 MB, Ubuntu 20.04");
    assert_int_equal(testbed.max_wire_version, 7);
    testbed_release(&testbed);
}

static void test_secantus(void **state)
{
    (void)state;
    struct testbed testbed =
        read_server("{\"setName\": \"secantus\", \"hosts\": [\"a:1\"]}",
                    "{\"version\": \"8.2.11\", \"secantusVersion\": \"0.6.0\", \"gitVersion\": \"0000000000\"}", HOST);
    assert_string_equal(testbed.product, "SecantusDB");
    assert_string_equal(testbed.product_version, "0.6.0");
    assert_string_equal(testbed.version, "8.2.11");
    assert_string_equal(testbed.platform, "Unknown Platform");
    assert_string_equal(testbed.topology, "replica set secantus, 1 member");
    assert_null(testbed.git_version);
    assert_null(testbed.server_host_facts);
    testbed_release(&testbed);
}

static void test_others(void **state)
{
    (void)state;
    struct testbed testbed = read_server("{\"msg\": \"isdbgrid\"}", "{\"ferretdbVersion\": \"v1.24.2\"}", "{}");
    assert_string_equal(testbed.product, "FerretDB");
    assert_string_equal(testbed.product_version, "v1.24.2");
    assert_string_equal(testbed.topology, "sharded cluster");
    assert_null(testbed.server_host_facts);
    testbed_release(&testbed);
    testbed = read_server("{}", "{\"ferretdb\": {\"version\": \"v2.1.0\"}}", "{}");
    assert_string_equal(testbed.product_version, "v2.1.0");
    assert_string_equal(testbed.topology, "standalone");
    testbed_release(&testbed);
    testbed = read_server("{\"setName\": \"rs\", \"hosts\": [\"a:1\"]}",
                          "{\"version\": \"4.0.10-5\", \"psmdbVersion\": \"4.0.10-5\"}", HOST);
    assert_string_equal(testbed.product, "Percona Server for MongoDB");
    assert_string_equal(testbed.product_version, "4.0.10-5");
    assert_string_equal(testbed.server_host_facts, "8 cores, 16000 MB, Ubuntu 20.04");
    testbed_release(&testbed);
    testbed = read_server("{\"benchrunNullServer\": true}", "{\"version\": \"0.0.0\"}", HOST);
    assert_string_equal(testbed.product, "benchrun null server (no database)");
    assert_null(testbed.server_host_facts);
    testbed_release(&testbed);
    testbed = read_server("{}", "{\"buildEnvironment\": {\"target_os\": \"linux\"}}", "{}");
    assert_string_equal(testbed.platform, "linux");
    testbed_release(&testbed);
}

static void test_refused(void **state)
{
    (void)state;
    struct testbed testbed = {0};
    bson_t hello = BSON_INITIALIZER;
    probe_read_build_info(&testbed, &hello, NULL);
    probe_read_host_info(&testbed, NULL);
    assert_null(testbed.product);
    assert_null(testbed.version);
    assert_string_equal(testbed.platform, "Unknown Platform");
    testbed_release(&testbed);
    bson_destroy(&hello);
}

static void test_client(void **state)
{
    (void)state;
    struct testbed testbed = {0};
    probe_read_client(&testbed);
    assert_non_null(testbed.client_host);
    assert_int_equal(strncmp(testbed.client_os, "Linux ", 6), 0);
    assert_true(testbed.client_cpus > 0);
    assert_non_null(testbed.libmongoc_version);
    assert_non_null(testbed.libbson_version);
    testbed_release(&testbed);
}

static void test_json(void **state)
{
    (void)state;
    struct testbed testbed = read_server("{\"maxWireVersion\": 7}", "{\"version\": \"4.0.3\"}", "{}");
    json_t *object = testbed_to_json(&testbed);
    json_t *expected = json_pack("{s: {s:s, s:s, s:s, s:s, s:i, s:b}, s:{}}", "server", "product", "MongoDB", "version",
                                 "4.0.3", "platform", "Unknown Platform", "topology", "standalone", "max_wire_version",
                                 7, "started_by_benchrun", 0, "client");
    assert_true(json_equal(object, expected));
    json_decref(object);
    json_decref(expected);
    testbed_release(&testbed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(test_mongodb, "MongoDB is read as it says"),
        NAMED_TEST(test_secantus, "SecantusDB is named, its placeholders are no facts"),
        NAMED_TEST(test_others, "other products are told by what only they say"),
        NAMED_TEST(test_refused, "what the server refuses to tell stays unknown"),
        NAMED_TEST(test_client, "this machine is described"),
        NAMED_TEST(test_json, "unknown members are left out of the JSON"),
    };
    return cmocka_run_group_tests_name("testbed", tests, NULL, NULL);
}
