/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/target.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "engine/address.h"
#include "engine/open.h"
#include "engine/reach.h"
#include "nullserver/nullserver.h"

#include "unit.h"

static struct nullserver *start(const struct nullserver_config *config)
{
    struct error err = {0};
    struct nullserver *server = nullserver_start(config, &err);
    if (!server)
        fail_msg("%s", err.message);
    return server;
}

static char *address(const struct nullserver *server, const char *rest)
{
    return memory_printf("mongodb://127.0.0.1:%u%s", nullserver_port(server), rest);
}

static void open_target(struct target *target, const struct nullserver *server, const char *rest,
                        const struct run_options *options)
{
    struct error err = {0};
    char *uri = address(server, rest);
    if (!target_open(target, options, uri, NULL, NULL, &err))
        fail_msg("%s", err.message);
    free(uri);
}

static void check_concern(const struct nullserver *server, const char *rest, const struct run_options *options,
                          const char *expected)
{
    struct target target;
    open_target(&target, server, rest, options);
    char *text = json_dumps(target.write_concern, JSON_COMPACT | JSON_PRESERVE_ORDER);
    assert_string_equal(text, expected);
    free(text);
    target_close(&target);
}

static void test_write_concern(void **state)
{
    (void)state;
    struct nullserver *server = start(&(struct nullserver_config){0});
    const struct run_options none = {0}, w = {.w_given = true, .w = 2}, j = {.j_given = true, .j = true};
    check_concern(server, "", &none, "{\"j\":false}");
    check_concern(server, "", &w, "{\"w\":2,\"j\":false}");
    check_concern(server, "", &j, "{\"j\":true}");
    check_concern(server, "/?w=majority", &none, "{\"w\":\"majority\"}");
    check_concern(server, "/?w=3&journal=true&wtimeoutMS=500", &none, "{\"w\":3,\"j\":true,\"wtimeout\":500}");
    check_concern(server, "/?w=dc1", &none, "{\"w\":\"dc1\"}");
    check_concern(server, "/?journal=true", &none, "{\"j\":true}");
    check_concern(server, "/?journal=true", &w, "{\"w\":2,\"j\":true}");
    check_concern(server, "/?w=majority", &w, "{\"w\":2,\"j\":false}");
    check_concern(server, "/?w=majority&journal=false", &j, "{\"w\":\"majority\",\"j\":true}");
    const struct run_options name = {.w_given = true, .w_name = (char[]){"dc1"}}, zero = {.w_given = true};
    check_concern(server, "/?w=2", &name, "{\"w\":\"dc1\"}");
    check_concern(server, "/?journal=true", &name, "{\"w\":\"dc1\",\"j\":true}");
    check_concern(server, "/?journal=true", &zero, "{\"w\":0,\"j\":false}");
    check_concern(server, "/?w=0", &none, "{\"w\":0,\"j\":false}");
    nullserver_stop(server);
}

static void test_identity(void **state)
{
    (void)state;
    struct nullserver *server = start(&(struct nullserver_config){.replica_set = "rs0"});
    struct target one, two;
    const struct run_options options = {.local = true};
    open_target(&one, server, "/?replicaSet=rs0&appName=mine&retryWrites=true", &options);
    open_target(&two, server, "", &options);
    assert_string_equal(one.testbed.product, "benchrun null server (no database)");
    assert_string_equal(one.testbed.topology, "replica set rs0, 1 member");
    assert_true(one.testbed.is_local);
    assert_int_equal(strspn(one.run_id, "0123456789abcdef"), 16);
    assert_string_not_equal(one.run_id, two.run_id);
    char *name = memory_printf("mine benchrun-%s", one.run_id);
    assert_string_equal(one.app_name, name);
    assert_string_equal(mongoc_uri_get_appname(one.uri), name);
    assert_false(mongoc_uri_get_option_as_bool(one.uri, MONGOC_URI_RETRYWRITES, true));
    assert_null(one.tls);
    free(name);
    target_close(&one);
    target_close(&two);
    nullserver_stop(server);
}

static void test_alive(void **state)
{
    (void)state;
    const struct nullserver_config config = {0};
    struct nullserver *server = start(&config);
    struct nullserver_config again = {.port = nullserver_port(server)};
    struct target target;
    struct error err = {0};
    open_target(&target, server, "", &(struct run_options){0});
    assert_true(target_is_alive(&target, &err));
    nullserver_stop(server);
    server = start(&again);
    assert_true(target_is_alive(&target, &err));
    nullserver_stop(server);
    assert_false(target_is_alive(&target, &err));
    assert_true(err.is_set);
    target_close(&target);
}

static void test_addresses(void **state)
{
    (void)state;
    static const struct {
        const char *address, *hosts;
        bool direct;
        const char *expected;
    } rows[] = {
        {"mongodb://a", "b:1,c:2", false, "mongodb://b:1,c:2/?"},
        {"mongodb://u@a:3/db", "b:1", true, "mongodb://u@b:1/db?directConnection=true"},
        {"mongodb://u%40:p@a,b/?replicaSet=rs0&w=2", "c", false, "mongodb://u%40:p@c/?replicaSet=rs0&w=2"},
        {"mongodb://a/?w=2&REPLICASET=r&directConnection=false&appName=x@y", "%2Ft.sock", true,
         "mongodb://%2Ft.sock/?w=2&appName=x@y&directConnection=true"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text = address_for_hosts(rows[i].address, rows[i].hosts, rows[i].direct);
        assert_string_equal(text, rows[i].expected);
        free(text);
    }
}

static void check_failure(const char *uri, const char *expected)
{
    struct target target;
    struct error err = {0};
    assert_false(target_open(&target, &(struct run_options){0}, uri, NULL, NULL, &err));
    assert_string_equal(err.message, expected);
}

static void test_unreachable(void **state)
{
    (void)state;
    /* A port that was free a moment ago. */
    struct nullserver *server = start(&(struct nullserver_config){0});
    unsigned port = nullserver_port(server);
    char *set = address(server, "/?replicaSet=rs9&serverSelectionTimeoutMS=300");
    char *refused = address(server, "");
    char message[256];
    snprintf(message, sizeof message,
             "127.0.0.1:%u is a standalone server and belongs to no replica set: leave out --replset (replicaSet= in "
             "an address)",
             port);
    check_failure(set, message);
    char *direct = address(server, "/?replicaSet=rs9&directConnection=true");
    check_failure(direct, message);
    free(direct);
    nullserver_stop(server);
    server = start(&(struct nullserver_config){.port = (uint16_t)port, .replica_set = "rs0"});
    direct = address(server, "/?replicaSet=rs9&directConnection=true");
    snprintf(
        message, sizeof message,
        "127.0.0.1:%u belongs to the replica set \"rs0\", not \"rs9\": --replset rs0 (replicaSet=rs0 in an address)",
        port);
    check_failure(direct, message);
    free(direct);
    nullserver_stop(server);
    snprintf(message, sizeof message, "no server can be reached: 127.0.0.1:%u: connection refused", port);
    check_failure(refused, message);
    check_failure("mongodb://u:secret@h:0", "port \"0\" of host \"h\", expected a number from 1 to 65535");
    free(set);
    free(refused);
}

static void test_credentials(void **state)
{
    (void)state;
    static const struct {
        const char *rest, *expected_source;
    } rows[] = {
        {"", "admin"},
        {"/db", "db"},
        {"/?authSource=own", "own"},
        {"/db?authSource=own", "own"},
    };
    struct nullserver *server = start(&(struct nullserver_config){0});
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct run_options options = {.uri_source = "MONGODB_URI",
                                            .user_source = "-u",
                                            .password = (char[]){"p@s:s/w%rd#1"},
                                            .password_source = (char[]){"--passwordFile secret"}};
        struct target target;
        struct error err = {0};
        char *uri = memory_printf("mongodb://u@127.0.0.1:%u%s", nullserver_port(server), rows[i].rest);
        /* The null server knows no log-in. */
        assert_false(target_open(&target, &options, uri, NULL, NULL, &err));
        char source[64];
        snprintf(source, sizeof source, "in the database \"%s\"", rows[i].expected_source);
        assert_non_null(strstr(err.message, "MONGODB_URI: cannot log in as \"u\" (-u) with the password "
                                            "(--passwordFile secret): "));
        assert_non_null(strstr(err.message, source));
        assert_non_null(strstr(err.message, "--authenticationDatabase"));
        assert_null(strstr(err.message, "rd#1"));
        free(uri);
    }
    nullserver_stop(server);
}

/* Of a login without a user only the mechanism can be named. */
static void test_mechanism(void **state)
{
    (void)state;
    struct nullserver *server = start(&(struct nullserver_config){0});
    char *uri = address(server, "/?authMechanism=MONGODB-AWS");
    struct target target;
    struct error err = {0};
    setenv("AWS_ACCESS_KEY_ID", "id", 1);
    setenv("AWS_SECRET_ACCESS_KEY", "s3cret", 1);
    assert_false(target_open(&target, &(struct run_options){.uri_source = "--uri"}, uri, NULL, NULL, &err));
    assert_int_equal(strncmp(err.message, "--uri: cannot log in by authMechanism=MONGODB-AWS: ", 51), 0);
    unsetenv("AWS_ACCESS_KEY_ID");
    unsetenv("AWS_SECRET_ACCESS_KEY");
    nullserver_stop(server);
    free(uri);
}

/* The null server lets everybody in who does not ask for a proof. */
static void test_plain(void **state)
{
    (void)state;
    struct nullserver *server = start(&(struct nullserver_config){0});
    const struct run_options options = {.password = (char[]){"p"}};
    char *uri = memory_printf("mongodb://u@127.0.0.1:%u/?authMechanism=PLAIN", nullserver_port(server));
    struct target target;
    struct error err = {0};
    if (!target_open(&target, &options, uri, NULL, NULL, &err))
        fail_msg("%s", err.message);
    assert_string_equal(mongoc_uri_get_auth_source(target.uri), "$external");
    assert_int_equal(target.warnings.count, 1);
    assert_non_null(strstr(target.warnings.items[0], "PLAIN without TLS"));
    target_close(&target);
    nullserver_stop(server);
    free(uri);
}

static void test_causes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } rows[] = {
        {"No suitable servers found (`serverSelectionTryOnce` set): [connection refused calling hello on 'a:1']",
         "a:1: connection refused"},
        {"No suitable servers found: [socket timeout calling hello on '[::1]:1'] [Failed to resolve 'b']",
         "[::1]:1: socket timeout; b: no address is known for this name"},
        {"No suitable servers found: [TLS handshake failed: [x] y calling hello on 'a:1']",
         "a:1: TLS handshake failed: [x] y"},
        {"[socket timeout calling hello on 'a:1']", "a:1: socket timeout"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *causes = reach_describe_causes(rows[i].text);
        assert_string_equal(causes, rows[i].expected);
        free(causes);
    }
    assert_null(reach_describe_causes("No suitable servers found (`serverSelectionTryOnce` set)"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(test_write_concern, "-w and -j beat the address, which beats {j: false}"),
        NAMED_TEST(test_identity, "a run has an id of its own in its application name"),
        NAMED_TEST(test_alive, "connections to a server that was restarted are mended"),
        NAMED_TEST(test_unreachable, "the error says per host what is wrong"),
        NAMED_TEST(test_credentials, "a password of any characters is kept to itself"),
        NAMED_TEST(test_mechanism, "a login without a user is named by its mechanism"),
        NAMED_TEST(test_plain, "users of LDAP are looked for outside, and warned when nothing is enciphered"),
        NAMED_TEST(test_addresses, "an address is written for other hosts, nothing else in it changes"),
        NAMED_TEST(test_causes, "causes are told by host"),
    };
    target_library_init();
    int failed = cmocka_run_group_tests_name("target", tests, NULL, NULL);
    target_library_cleanup();
    return failed;
}
