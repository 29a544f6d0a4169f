/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/preflight.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "command_rig.h"
#include "engine/limits.h"

#include "unit.h"

static struct preflight_check find(const struct preflight *preflight, const char *name)
{
    for (size_t i = 0; i < preflight->count; i++)
        if (strcmp(preflight->checks[i].name, name) == 0)
            return preflight->checks[i];
    fail_msg("no check %s", name);
    return (struct preflight_check){0};
}

static struct run_options ladder(unsigned *threads)
{
    return (struct run_options){.threads = threads, .thread_count = 1, .multidb = 1, .multicoll = 1};
}

static void test_server_limits(void **state)
{
    (void)state;
    static const struct rig_reply replies[] = {
        {"serverStatus", "{\"connections\": {\"current\": 97, \"available\": 10}, \"ok\": 1}", 0},
        {"dbStats", "{\"fsTotalSize\": 1000000000.0, \"fsUsedSize\": 990000000.0, \"ok\": 1}", 0},
    };
    struct rig rig;
    struct preflight preflight;
    struct error err = {0};
    unsigned few = 7, many = 8;
    struct run_options options = ladder(&few), more = ladder(&many);
    rig_init(&rig, replies, 2);
    assert_true(preflight_check_run(&rig.target, &options, 10000000, &err));
    assert_false(preflight_check_run(&rig.target, &more, 0, &err));
    assert_non_null(strstr(err.message, "takes 10 more connections, and -t 8 needs 11: lower -t"));
    err = (struct error){0};
    assert_false(preflight_check_run(&rig.target, &options, 20000000, &err));
    assert_string_equal(err.message, "one set-up loads about 19 MB, and the server's disk has 9 MB left");
    preflight_init(&preflight, &rig.target, &more, 20000000);
    assert_int_equal(find(&preflight, "connections").state, PREFLIGHT_BAD);
    assert_int_equal(find(&preflight, "disk").state, PREFLIGHT_BAD);
    assert_int_equal(find(&preflight, "rights").state, PREFLIGHT_GOOD);
    assert_false(preflight_is_good(&preflight));
    preflight_release(&preflight);
    rig_release(&rig);
}

static void assert_user_is(const char *status, const char *expected)
{
    struct rig_reply reply = {"connectionStatus", status, 0};
    struct rig rig;
    struct preflight preflight;
    unsigned one = 1;
    struct run_options options = ladder(&one);
    rig_init(&rig, &reply, 1);
    preflight_init(&preflight, &rig.target, &options, 0);
    assert_string_equal(find(&preflight, "user").text, expected);
    preflight_release(&preflight);
    rig_release(&rig);
}

static void test_user(void **state)
{
    (void)state;
    assert_user_is(
        "{\"ok\": 1, \"authInfo\": {\"authenticatedUsers\": [{\"user\": \"CN=bench\", \"db\": \"$external\"}], "
        "\"authenticatedUserRoles\": [{\"role\": \"readWrite\", \"db\": \"test0\"}, "
        "{\"role\": \"clusterMonitor\", \"db\": \"admin\"}]}}",
        "the server knows us as CN=bench@$external, with the roles: readWrite@test0, clusterMonitor@admin");
    assert_user_is("{\"ok\": 1, \"authInfo\": {\"authenticatedUsers\": [{\"user\": \"joe\", \"db\": \"admin\"}], "
                   "\"authenticatedUserRoles\": []}}",
                   "the server knows us as joe@admin, with the roles: none");
    assert_user_is("{\"ok\": 1, \"authInfo\": {\"authenticatedUsers\": []}}",
                   "not authenticated: no user was named (-u NAME)");
    assert_user_is("{\"ok\": 1, \"authInfo\": {\"authenticatedUsers\": [3, {\"user\": 4}]}}",
                   "not authenticated: no user was named (-u NAME)");
    assert_user_is("{\"ok\": 0, \"code\": 59, \"errmsg\": \"no such command\"}",
                   "not authenticated: no user was named (-u NAME)");
}

static void test_rights(void **state)
{
    (void)state;
    static const struct rig_reply replies[] = {
        {"createIndexes", "{\"ok\": 0, \"code\": 13, \"errmsg\": \"not authorized\", \"codeName\": \"Unauthorized\"}",
         0},
    };
    struct rig rig;
    struct preflight preflight;
    unsigned one = 1;
    struct run_options options = ladder(&one);
    rig_init(&rig, replies, 1);
    rig_forget(&rig);
    preflight_init(&preflight, &rig.target, &options, 0);
    struct preflight_check rights = find(&preflight, "rights");
    assert_int_equal(rights.state, PREFLIGHT_BAD);
    assert_non_null(
        strstr(rights.text, "not authorized (code 13 Unauthorized); no user is logged in: name one with -u NAME"));
    /* What was made before the refusal goes again. */
    assert_non_null(strstr(rig_trace(&rig), "create test0.benchrun_preflight0"));
    preflight_release(&preflight);
    rig_release(&rig);
}

/* What no test can do without is asked once, before all of them fail by it. */
static void test_login_is_missing(void **state)
{
    (void)state;
    static const struct rig_reply refused = {"listCollections",
                                             "{\"ok\": 0, \"code\": 13, \"errmsg\": \"requires authentication\"}", 0};
    static const struct rig_reply failed = {"listCollections", "{\"ok\": 0, \"code\": 59, \"errmsg\": \"what?\"}", 0};
    struct rig rig;
    struct error err = {0};
    unsigned one = 1;
    struct run_options options = ladder(&one);
    rig_init(&rig, &refused, 1);
    assert_false(preflight_check_run(&rig.target, &options, 0, &err));
    assert_string_equal(err.message,
                        "listCollections on test0: requires authentication (code 13); no user is logged in: "
                        "name one with -u NAME");
    rig_release(&rig);
    rig_init(&rig, &failed, 1);
    assert_true(preflight_check_run(&rig.target, &options, 0, &err));
    rig_release(&rig);
}

#define WRITTEN "{\"n\": 1, \"ok\": 1}"
#define TOO_FEW                                                                                                        \
    "{\"n\": 0, \"ok\": 1, \"writeConcernError\": {\"code\": 100, \"errmsg\": \"Not enough data-bearing nodes\"}}"

static void test_write_concern(void **state)
{
    (void)state;
    /* Of marks and of what the user may do, both rounds; the last one is what is confirmed. */
    static const struct rig_reply replies[] = {
        {"update", WRITTEN, 3}, {"update", TOO_FEW, 0}, {"delete", TOO_FEW, 1}, {"delete", WRITTEN, 0}};
    struct rig rig;
    struct preflight preflight;
    struct error err = {0};
    unsigned one = 1;
    struct run_options options = ladder(&one);
    rig_init(&rig, replies, 4);
    assert_false(preflight_check_run(&rig.target, &options, 0, &err));
    assert_non_null(strstr(err.message, "no write can be confirmed as the write concern asks for (-w, -j"));
    assert_non_null(strstr(err.message, "Not enough data-bearing nodes (code 100)"));
    assert_string_equal(rig_command(&rig, "delete", 0),
                        "{ \"delete\" : \"benchrun_owned\", \"deletes\" : [ { \"q\" : { \"_id\" : \"\" }, \"limit\" "
                        ": 1 } ], \"writeConcern\" : { \"j\" : false, \"wtimeout\" : 2500 } }");
    preflight_init(&preflight, &rig.target, &options, 0);
    assert_int_equal(find(&preflight, "rights").state, PREFLIGHT_GOOD);
    struct preflight_check confirmed = find(&preflight, "confirmed");
    assert_int_equal(confirmed.state, PREFLIGHT_BAD);
    assert_non_null(strstr(confirmed.text, "Not enough data-bearing nodes (code 100)"));
    preflight_release(&preflight);
    rig_release(&rig);
}

/* A server that knows no such thing, or takes its time, is no reason not to begin. */
static void test_write_concern_unknown(void **state)
{
    (void)state;
    static const char *const answers[] = {
        "{\"ok\": 0, \"code\": 1, \"errmsg\": \"no such collection\"}",
        "{\"n\": 0, \"ok\": 1, \"writeConcernError\": {\"code\": 64, \"errmsg\": \"waiting for replication\"}}"};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        const struct rig_reply reply = {"delete", answers[i], 0};
        struct rig rig;
        struct error err = {0};
        unsigned one = 1;
        struct run_options options = ladder(&one);
        rig_init(&rig, &reply, 1);
        if (!preflight_check_run(&rig.target, &options, 0, &err))
            fail_msg("%s", err.message);
        rig_release(&rig);
    }
}

static void test_product(void **state)
{
    (void)state;
    static const struct rig_reply reply = {"buildInfo",
                                           "{\"version\": \"8.2.11\", \"secantusVersion\": \"0.5.3\", \"ok\": 1}", 0};
    struct rig rig;
    struct preflight preflight;
    unsigned one = 1;
    struct run_options options = ladder(&one);
    rig_init(&rig, &reply, 1);
    /* The null server would say what it is. */
    free(rig.target.testbed.product);
    rig.target.testbed.product = memory_strdup("SecantusDB");
    rig.target.testbed.product_version = memory_strdup("0.5.3");
    preflight_init(&preflight, &rig.target, &options, 0);
    assert_non_null(strstr(find(&preflight, "server").text, "SecantusDB 0.5.3 (as MongoDB 8.2.11), standalone"));
    preflight_release(&preflight);
    rig_release(&rig);
}

static void put(const char *root, const char *path, const char *text)
{
    char *name = memory_printf("%s/%s", root, path);
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    free(name);
}

static void test_machine_limits(void **state)
{
    (void)state;
    char root[] = "/tmp/benchrun-limits-XXXXXX";
    assert_non_null(mkdtemp(root));
    char *make = memory_printf("mkdir -p %s/sys/fs/cgroup %s/proc", root, root);
    assert_int_equal(system(make), 0);
    assert_int_equal(limits_threads_left(root), INT64_MAX);
    assert_int_equal(limits_memory_left_bytes(root), INT64_MAX);
    put(root, "sys/fs/cgroup/pids.max", "max\n");
    put(root, "sys/fs/cgroup/pids.current", "5\n");
    put(root, "proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:    2048 kB\n");
    assert_int_equal(limits_threads_left(root), INT64_MAX);
    assert_int_equal(limits_memory_left_bytes(root), 2 << 20);
    put(root, "sys/fs/cgroup/pids.max", "20\n");
    put(root, "sys/fs/cgroup/memory.max", "1000000\n");
    put(root, "sys/fs/cgroup/memory.current", "400000\n");
    assert_int_equal(limits_threads_left(root), 15);
    assert_int_equal(limits_memory_left_bytes(root), 600000);
    struct error threads = {0}, memory = {0};
    unsigned few = 3, many = 1000;
    struct run_options options = ladder(&few);
    assert_int_equal(limits_connectors(&options), 3);
    assert_true(limits_check_threads(&options, root, &threads));
    options = ladder(&many);
    assert_true(limits_connectors(&options) >= 16);
    assert_false(limits_check_threads(&options, root, &threads));
    assert_non_null(strstr(threads.message, "may start 15 more; raise its limit (pids.max"));
    assert_false(limits_check_memory(&options, false, root, &memory));
    assert_non_null(strstr(memory.message, "1000 connections need about 250 MB"));
    free(make);
    char *clear = memory_printf("rm -r %s", root);
    assert_int_equal(system(clear), 0);
    free(clear);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(test_server_limits, "a server that takes too few connections or bytes is told before the run"),
        NAMED_TEST(test_user, "the server is asked who we are, and with which roles"),
        NAMED_TEST(test_login_is_missing, "a login that is missing is found before anything is measured"),
        NAMED_TEST(test_rights, "what the user may not do is found out on a collection of our own"),
        NAMED_TEST(test_write_concern, "a write concern that cannot be fulfilled is told before the run"),
        NAMED_TEST(test_write_concern_unknown, "one that the server does not judge is not"),
        NAMED_TEST(test_product, "a product has its own version, and the one that it claims"),
        NAMED_TEST(test_machine_limits, "the limits of container and system are known"),
    };
    target_library_init();
    int failed = cmocka_run_group_tests_name("preflight", tests, NULL, NULL);
    target_library_cleanup();
    return failed;
}
