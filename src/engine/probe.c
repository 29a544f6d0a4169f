/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/probe.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "engine/settings.h"

static const char *text_at(const bson_t *document, const char *path)
{
    bson_iter_t iter, found;
    if (!document || !bson_iter_init(&iter, document) || !bson_iter_find_descendant(&iter, path, &found))
        return NULL;
    return BSON_ITER_HOLDS_UTF8(&found) ? bson_iter_utf8(&found, NULL) : NULL;
}

static int64_t int_at(const bson_t *document, const char *path)
{
    bson_iter_t iter, found;
    if (!document || !bson_iter_init(&iter, document) || !bson_iter_find_descendant(&iter, path, &found))
        return 0;
    return bson_iter_as_int64(&found);
}

static bool truth_at(const bson_t *document, const char *path)
{
    bson_iter_t iter, found;
    return document && bson_iter_init(&iter, document) && bson_iter_find_descendant(&iter, path, &found) &&
           bson_iter_as_bool(&found);
}

static char *copy_text(const char *text)
{
    return text && *text ? memory_strdup(text) : NULL;
}

static unsigned count_at(const bson_t *document, const char *array)
{
    bson_iter_t iter, child;
    unsigned count = 0;
    if (!bson_iter_init_find(&iter, document, array) || !BSON_ITER_HOLDS_ARRAY(&iter) ||
        !bson_iter_recurse(&iter, &child))
        return 0;
    while (bson_iter_next(&child))
        count++;
    return count;
}

void probe_read_hello(struct testbed *testbed, const bson_t *hello)
{
    testbed->max_wire_version = (int32_t)int_at(hello, "maxWireVersion");
    const char *message = text_at(hello, "msg");
    const char *set = text_at(hello, "setName");
    unsigned members = count_at(hello, "hosts") + count_at(hello, "passives") + count_at(hello, "arbiters");
    if (message && strcmp(message, "isdbgrid") == 0)
        testbed->topology = memory_strdup("sharded cluster");
    else if (set)
        testbed->topology = memory_printf("replica set %s, %u member%s", set, members, members == 1 ? "" : "s");
    else
        testbed->topology = memory_strdup("standalone");
}

/* What a server says only when it is another product than MongoDB itself. */
static const struct {
    const char *name, *version_path;
} products[] = {
    {"SecantusDB", "secantusVersion"},
    {"FerretDB", "ferretdbVersion"},
    {"FerretDB", "ferretdb.version"},
    {"Percona Server for MongoDB", "psmdbVersion"},
};

static void read_product(struct testbed *testbed, const bson_t *hello, const bson_t *info)
{
    if (truth_at(hello, "benchrunNullServer") || truth_at(info, "benchrunNullServer")) {
        testbed->product = memory_strdup("benchrun null server (no database)");
        return;
    }
    for (size_t i = 0; i < COUNT_OF(products); i++) {
        const char *version = text_at(info, products[i].version_path);
        if (!version)
            continue;
        testbed->product = memory_strdup(products[i].name);
        testbed->product_version = memory_strdup(version);
        return;
    }
    if (info)
        testbed->product = memory_strdup("MongoDB");
}

/* mongo-perf's rule. */
static char *find_platform(const bson_t *info)
{
    const char *system = text_at(info, "sysInfo");
    size_t length = system ? strcspn(system, " ") : 0;
    if (length > 0)
        return memory_printf("%.*s", (int)length, system);
    const char *os = text_at(info, "buildEnvironment.target_os");
    return memory_strdup(os ? os : "Unknown Platform");
}

void probe_read_build_info(struct testbed *testbed, const bson_t *hello, const bson_t *info)
{
    read_product(testbed, hello, info);
    testbed->version = copy_text(text_at(info, "version"));
    const char *git = text_at(info, "gitVersion");
    /* All zeros name no commit. */
    if (git && git[strspn(git, "0")] != '\0')
        testbed->git_version = memory_strdup(git);
    testbed->platform = find_platform(info);
}

void probe_read_host_info(struct testbed *testbed, const bson_t *info)
{
    int64_t cores = int_at(info, "system.numCores");
    int64_t memory_mb = int_at(info, "system.memSizeMB");
    bool is_real =
        testbed->product && (strstr(testbed->product, "MongoDB") || strcmp(testbed->product, "FerretDB") == 0);
    if (!is_real || cores <= 0 || memory_mb <= 0)
        return;
    const char *name = text_at(info, "os.name");
    const char *version = text_at(info, "os.version");
    testbed->server_host_facts =
        memory_printf("%" PRId64 " cores, %" PRId64 " MB, %s%s%s", cores, memory_mb, name ? name : "unknown system",
                      version && *version ? " " : "", version ? version : "");
}

/* True: there is a reply, an answer or a refusal. */
static bool ask(struct target *target, const char *name, bson_t *reply, bool *answered, struct error *err)
{
    bson_t command = BSON_INITIALIZER;
    bson_append_int32(&command, name, -1, 1);
    int32_t code;
    struct error reason = {0};
    *answered = target_command(target, "admin", &command, reply, &code, &reason);
    bson_destroy(&command);
    if (!*answered && code == 0 && bson_empty(reply)) {
        error_set(err, "%s", reason.message);
        return false;
    }
    return true;
}

static bool probe_build_info(struct target *target, const bson_t *hello, struct error *err)
{
    bson_t info;
    bool answered;
    bool ok = ask(target, "buildInfo", &info, &answered, err);
    if (ok)
        probe_read_build_info(&target->testbed, hello, answered ? &info : NULL);
    bson_destroy(&info);
    return ok;
}

static bool probe_storage_engine(struct target *target, struct error *err)
{
    bson_t status;
    bool answered;
    bool ok = ask(target, "serverStatus", &status, &answered, err);
    if (ok && answered)
        target->testbed.storage_engine = copy_text(text_at(&status, "storageEngine.name"));
    bson_destroy(&status);
    return ok;
}

static bool probe_host_info(struct target *target, struct error *err)
{
    bson_t info;
    bool answered;
    bool ok = ask(target, "hostInfo", &info, &answered, err);
    if (ok && answered)
        probe_read_host_info(&target->testbed, &info);
    bson_destroy(&info);
    return ok;
}

static char *find_default_w(const bson_t *reply)
{
    bson_iter_t iter, found;
    if (!bson_iter_init(&iter, reply) || !bson_iter_find_descendant(&iter, "defaultWriteConcern.w", &found))
        return NULL;
    if (BSON_ITER_HOLDS_NUMBER(&found))
        return memory_printf("%" PRId64, bson_iter_as_int64(&found));
    return BSON_ITER_HOLDS_UTF8(&found) ? memory_strdup(bson_iter_utf8(&found, NULL)) : NULL;
}

/* To {j: false} alone newer servers add the w of their default, majority in most sets since 5.0; 4.0 takes it for 1. */
static bool probe_default_write_concern(struct target *target, struct error *err)
{
    bson_t reply;
    bool answered;
    bool ok = ask(target, "getDefaultRWConcern", &reply, &answered, err);
    char *w = ok && answered ? find_default_w(&reply) : NULL;
    bson_destroy(&reply);
    target->testbed.default_w = w;
    if (w && strcmp(w, "1") != 0 && !json_object_get(target->write_concern, "w"))
        message_list_add(&target->warnings,
                         "no write concern is sent and this server's default is w: %s (servers before 5.0: w: 1); "
                         "use -w 1 to compare them",
                         w);
    return ok;
}

/* As it said when the connection was made: what libmongoc knows of a server behind a load balancer is nothing more. */
static mongoc_server_description_t *greeted_server(struct peer *peer, bson_error_t *reason)
{
    mongoc_server_description_t *server = peer_greet(peer, reason);
    if (!server)
        return NULL;
    uint32_t id = mongoc_server_description_id(server);
    mongoc_server_description_destroy(server);
    return mongoc_client_get_handshake_description(peer->client, id, NULL, reason);
}

bool probe_testbed(struct target *target, struct error *err)
{
    bson_error_t reason = {0};
    mongoc_server_description_t *server = greeted_server(target->peer, &reason);
    if (!server) {
        error_set(err, "%s", reason.message);
        return false;
    }
    const bson_t *hello = mongoc_server_description_hello_response(server);
    target->testbed.host = memory_strdup(mongoc_server_description_host(server)->host_and_port);
    probe_read_hello(&target->testbed, hello);
    bool ok = probe_build_info(target, hello, err) && probe_storage_engine(target, err) &&
              probe_host_info(target, err) && probe_default_write_concern(target, err);
    mongoc_server_description_destroy(server);
    probe_read_client(&target->testbed);
    target->testbed.connection = settings_describe(target->uri);
    return ok;
}
