/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/preflight.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "engine/limits.h"
#include "engine/login.h"
#include "engine/marks.h"
#include "engine/prepare.h"
#include "engine/server_codes.h"

enum { PINGS = 11 };

#define UNCONFIRMED "no write can be confirmed as the write concern asks for (-w, -j, the connection string)"

/* Set-up has connections of its own. */
enum { OWN_CONNECTIONS = 3 };

static void add(struct preflight *preflight, const char *name, enum preflight_state state, char *text)
{
    preflight->checks[preflight->count++] = (struct preflight_check){name, state, text};
}

static void add_outcome(struct preflight *preflight, const char *name, bool ok, const struct error *err, char *good)
{
    add(preflight, name, ok ? PREFLIGHT_GOOD : PREFLIGHT_BAD, ok ? good : memory_strdup(err->message));
    if (!ok)
        free(good);
}

static bool run_simple(struct target *target, const char *db, const char *name, bson_t *reply, struct error *err)
{
    bson_t command = BSON_INITIALIZER;
    int32_t code;
    bson_append_int32(&command, name, -1, 1);
    bool ok = target_command(target, db, &command, reply, &code, err);
    bson_destroy(&command);
    return ok;
}

/* The number at a dotted path; -1: the server does not say. */
static int64_t number_at(const bson_t *reply, const char *path)
{
    bson_iter_t iter, found;
    if (!bson_iter_init(&iter, reply) || !bson_iter_find_descendant(&iter, path, &found) ||
        !BSON_ITER_HOLDS_NUMBER(&found))
        return -1;
    return BSON_ITER_HOLDS_DOUBLE(&found) ? (int64_t)bson_iter_double(&found) : bson_iter_as_int64(&found);
}

/* Placeholders are no facts. */
static bool tells_facts(const struct target *target)
{
    return !target->testbed.product || strcmp(target->testbed.product, "SecantusDB") != 0;
}

/* -1: unknown. */
static int64_t connections_left(struct target *target)
{
    bson_t status;
    int64_t left = -1;
    if (run_simple(target, "admin", "serverStatus", &status, NULL) && tells_facts(target))
        left = number_at(&status, "connections.available");
    bson_destroy(&status);
    return left;
}

static bool check_connections(const struct target *target, const struct run_options *options, int64_t left,
                              struct error *err)
{
    unsigned most = limits_connections(options);
    if (left < 0 || left >= most + OWN_CONNECTIONS)
        return true;
    error_set(err,
              "%s takes %" PRId64 " more connection%s, and -t %u needs %u: lower -t, or raise the server's "
              "net.maxIncomingConnections",
              target->testbed.host, left, text_plural((uint64_t)left), most, most + OWN_CONNECTIONS);
    return false;
}

/* -1: unknown. MongoDB tells since 3.6. */
static int64_t disk_left_bytes(struct target *target)
{
    bson_t stats;
    int64_t left = -1;
    if (run_simple(target, "test0", "dbStats", &stats, NULL) && tells_facts(target)) {
        int64_t total = number_at(&stats, "fsTotalSize"), used = number_at(&stats, "fsUsedSize");
        left = total > 0 && used >= 0 && total >= used ? total - used : -1;
    }
    bson_destroy(&stats);
    return left;
}

static bool check_disk(int64_t left, uint64_t bytes, struct error *err)
{
    if (left < 0 || (uint64_t)left >= bytes)
        return true;
    error_set(err, "one set-up loads about %" PRIu64 " MB, and the server's disk has %" PRId64 " MB left", bytes >> 20,
              left >> 20);
    return false;
}

/* The answers of servers to a write concern that they can never fulfil: too few members, no such name, or, from one
 * that is in no set, any but w: 1. */
static bool is_impossible(int32_t code)
{
    return code == SERVER_UNSATISFIABLE_WRITE_CONCERN || code == SERVER_UNKNOWN_WRITE_CONCERN ||
           code == SERVER_BAD_VALUE;
}

static bool is_unconfirmed(const struct target *target)
{
    const json_t *w = json_object_get(target->write_concern, "w");
    return json_is_integer(w) && json_integer_value(w) == 0;
}

static bool check_write_concern(struct target *target, struct error *err)
{
    struct error reason = {0};
    int32_t code = 0;
    if (is_unconfirmed(target) ||
        target_confirms(target, "test0", MARKS_COLLECTION, target->write_concern, &code, &reason) ||
        !is_impossible(code))
        return true;
    error_set(err, UNCONFIRMED ": %s", reason.message);
    return false;
}

bool preflight_check_run(struct target *target, const struct run_options *options, uint64_t bytes, struct error *err)
{
    return login_check_rights(target, err) && limits_allow_files(options, err) &&
           limits_check_memory(options, target->tls, "", err) && limits_check_threads(options, "", err) &&
           check_write_concern(target, err) && check_connections(target, options, connections_left(target), err) &&
           (bytes == 0 || check_disk(disk_left_bytes(target), bytes, err));
}

static void add_limits(struct preflight *preflight, struct target *target, const struct run_options *options)
{
    struct error files = {0}, threads = {0}, memory = {0};
    unsigned most = limits_connections(options);
    add_outcome(preflight, "files", limits_allow_files(options, &files), &files,
                memory_printf("the open-file limit is sufficient for %u connection%s", most, text_plural(most)));
    add_outcome(preflight, "threads", limits_check_threads(options, "", &threads), &threads,
                memory_strdup("enough may be started"));
    add_outcome(preflight, "memory", limits_check_memory(options, target->tls, "", &memory), &memory,
                memory_printf("enough for %u connection%s", most, text_plural(most)));
}

static void add_server_limits(struct preflight *preflight, struct target *target, const struct run_options *options,
                              uint64_t bytes)
{
    struct error connections = {0}, disk = {0};
    int64_t left = connections_left(target), free_bytes = disk_left_bytes(target);
    if (left < 0)
        add(preflight, "connections", PREFLIGHT_UNKNOWN, memory_strdup("the server does not tell how many it takes"));
    else
        add_outcome(preflight, "connections", check_connections(target, options, left, &connections), &connections,
                    memory_printf("the server takes %" PRId64 " more, %u are needed", left,
                                  limits_connections(options) + OWN_CONNECTIONS));
    if (free_bytes < 0)
        add(preflight, "disk", PREFLIGHT_UNKNOWN, memory_strdup("the server does not tell what is free"));
    else
        add_outcome(preflight, "disk", check_disk(free_bytes, bytes, &disk), &disk,
                    memory_printf("%" PRId64 " MB are free, one set-up loads about %" PRIu64 " MB", free_bytes >> 20,
                                  bytes >> 20));
}

static int compare(const void *a, const void *b)
{
    int64_t one = *(const int64_t *)a, two = *(const int64_t *)b;
    return (one > two) - (one < two);
}

static void add_round_trip(struct preflight *preflight, struct target *target)
{
    int64_t times_ns[PINGS];
    struct error err = {0};
    for (int i = 0; i < PINGS; i++) {
        bson_t reply;
        int64_t begin_ns = clock_mono_ns();
        bool ok = run_simple(target, "admin", "ping", &reply, &err);
        times_ns[i] = clock_mono_ns() - begin_ns;
        bson_destroy(&reply);
        if (!ok) {
            add(preflight, "round trip", PREFLIGHT_BAD, memory_strdup(err.message));
            return;
        }
    }
    qsort(times_ns, PINGS, sizeof *times_ns, compare);
    int64_t median_ns = times_ns[PINGS / 2], best_ns = times_ns[0];
    add(preflight, "round trip", PREFLIGHT_GOOD,
        memory_printf("%.0f us in the median of %d pings, %.0f us at best", (double)median_ns / 1e3, PINGS,
                      (double)best_ns / 1e3));
}

/* "name@db" of what stands in the array at a dotted path, with commas; NULL: the server does not say. */
static char *names_at(const bson_t *reply, const char *path, const char *key)
{
    bson_iter_t iter, found, entry, field;
    struct buffer names = {0};
    if (!bson_iter_init(&iter, reply) || !bson_iter_find_descendant(&iter, path, &found) ||
        !BSON_ITER_HOLDS_ARRAY(&found) || !bson_iter_recurse(&found, &entry))
        return NULL;
    while (bson_iter_next(&entry)) {
        const char *name = NULL, *db = NULL;
        if (!BSON_ITER_HOLDS_DOCUMENT(&entry) || !bson_iter_recurse(&entry, &field))
            continue;
        while (bson_iter_next(&field)) {
            if (BSON_ITER_HOLDS_UTF8(&field) && strcmp(bson_iter_key(&field), key) == 0)
                name = bson_iter_utf8(&field, NULL);
            else if (BSON_ITER_HOLDS_UTF8(&field) && strcmp(bson_iter_key(&field), "db") == 0)
                db = bson_iter_utf8(&field, NULL);
        }
        if (name && db)
            buffer_append_printf(&names, "%s%s@%s", names.size ? ", " : "", name, db);
    }
    return buffer_detach(&names);
}

/* Whom the server takes us for, whatever the connection string says: X.509 names are made by it. */
static void add_user(struct preflight *preflight, struct target *target)
{
    bson_t status;
    bool ok = run_simple(target, "admin", "connectionStatus", &status, NULL);
    char *users = ok ? names_at(&status, "authInfo.authenticatedUsers", "user") : NULL;
    char *roles = ok ? names_at(&status, "authInfo.authenticatedUserRoles", "role") : NULL;
    const char *user = mongoc_uri_get_username(target->uri);
    bson_destroy(&status);
    if (users && *users)
        add(preflight, "user", PREFLIGHT_GOOD,
            memory_printf("the server knows us as %s, with the roles: %s", users, roles && *roles ? roles : "none"));
    else if (user)
        add(preflight, "user", PREFLIGHT_GOOD,
            memory_printf("logged in as %s, known in %s; the server does not tell of roles", user,
                          mongoc_uri_get_auth_source(target->uri)));
    else
        add(preflight, "user", PREFLIGHT_GOOD, memory_strdup("not authenticated: no user was named (-u NAME)"));
    free(users);
    free(roles);
}

static void add_server(struct preflight *preflight, const struct target *target)
{
    const struct testbed *testbed = &target->testbed;
    char *product = testbed_describe_product(testbed);
    add(preflight, "server", PREFLIGHT_GOOD, memory_printf("%s, %s, at %s", product, testbed->topology, testbed->host));
    free(product);
}

/* What the tests do in their set-up, on a collection that is marked as ours like any other. */
static json_t *make_steps(void)
{
    return json_pack("[{s:{s:i}}, {s:{s:i}}, {s:{s:s, s:[{s:{}, s:{s:{s:i}}}]}}]", "insert", "x", 1, "index", "x", 1,
                     "command", "update", "#B_COLL", "updates", "q", "u", "$set", "x", 2);
}

/* Takes over `steps`. */
static bool try_steps(struct target *target, const struct run_options *options, json_t *steps, struct error *err)
{
    struct testcase test = {.name = (char[]){"benchrun.preflight"}, .file = (char[]){""}};
    struct prepare_config config = {.multidb = options->multidb, .multicoll = 1, .threads = 1, .seed = 1};
    struct prepare_outcome outcome = {.state = PREPARE_REFUSED};
    test.pre = steps;
    test.ops = json_array();
    test.post = json_array();
    struct preparation *preparation = prepare_test(target, &test, &config, &outcome);
    if (outcome.state != PREPARE_READY)
        error_set(err, "%s", outcome.error.message);
    if (preparation)
        prepare_clean_up(target, preparation, err);
    preparation_free(preparation);
    json_decref(test.pre);
    json_decref(test.ops);
    json_decref(test.post);
    return !err->is_set;
}

static bool add_rights(struct preflight *preflight, struct target *target, const struct run_options *options)
{
    struct error err = {0};
    bool ok = try_steps(target, options, make_steps(), &err);
    add_outcome(preflight, "rights", ok, &err, memory_strdup("create, insert, index, update and drop work in test0"));
    return ok;
}

/* An update that is confirmed as the operations of a run are, on a collection of our own. */
static json_t *make_confirmed_steps(const struct target *target)
{
    json_t *concern = json_deep_copy(target->write_concern);
    if (!json_object_get(concern, "wtimeout"))
        json_object_set_new(concern, "wtimeout", json_integer(TARGET_BRIEF_MS));
    return json_pack("[{s:{s:i}}, {s:{s:s, s:[{s:{}, s:{s:{s:i}}}], s:o}}]", "insert", "x", 1, "command", "update",
                     "#B_COLL", "updates", "q", "u", "$set", "x", 2, "writeConcern", concern);
}

static void add_write_concern(struct preflight *preflight, struct target *target, const struct run_options *options)
{
    struct error err = {0};
    char *text = json_dumps(target->write_concern, JSON_PRESERVE_ORDER);
    bool ok = is_unconfirmed(target) || try_steps(target, options, make_confirmed_steps(target), &err);
    error_prefix(&err, UNCONFIRMED);
    add_outcome(preflight, "confirmed", ok, &err,
                memory_printf(is_unconfirmed(target) ? "nothing is, with %s" : "writes are, with %s", text));
    free(text);
}

void preflight_init(struct preflight *preflight, struct target *target, const struct run_options *options,
                    uint64_t bytes)
{
    *preflight = (struct preflight){0};
    add_server(preflight, target);
    add_user(preflight, target);
    add_round_trip(preflight, target);
    if (add_rights(preflight, target, options))
        add_write_concern(preflight, target, options);
    add_limits(preflight, target, options);
    add_server_limits(preflight, target, options, bytes);
    for (size_t i = 0; i < target->warnings.count && preflight->count < PREFLIGHT_CHECKS_MAX; i++)
        add(preflight, "warning", PREFLIGHT_UNKNOWN, memory_strdup(target->warnings.items[i]));
}

bool preflight_is_good(const struct preflight *preflight)
{
    for (size_t i = 0; i < preflight->count; i++)
        if (preflight->checks[i].state == PREFLIGHT_BAD)
            return false;
    return true;
}

void preflight_release(struct preflight *preflight)
{
    for (size_t i = 0; i < preflight->count; i++)
        free(preflight->checks[i].text);
    *preflight = (struct preflight){0};
}
