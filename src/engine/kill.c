/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/kill.h"

#include <string.h>

#include "base/clock.h"

#define KILL_PAUSE_NS (50 * CLOCK_NS_PER_MS)

static bool text_is(const bson_t *operation, const char *path, const char *expected)
{
    bson_iter_t iter, found;
    return bson_iter_init(&iter, operation) && bson_iter_find_descendant(&iter, path, &found) &&
           BSON_ITER_HOLDS_UTF8(&found) && strcmp(bson_iter_utf8(&found, NULL), expected) == 0;
}

/* A router asks the shards with commands of its own, in our name. What a test measures is on other databases. */
static bool is_on_admin(const bson_t *operation)
{
    bson_iter_t iter;
    return bson_iter_init_find(&iter, operation, "ns") && BSON_ITER_HOLDS_UTF8(&iter) &&
           strncmp(bson_iter_utf8(&iter, NULL), "admin.", strlen("admin.")) == 0;
}

/* The filter of currentOp is the server's promise; some ignore it. Nobody else's operation may be killed, and not our
 * asking. */
static bool is_to_kill(const bson_t *operation, const char *app_name)
{
    bson_iter_t iter, found;
    bool ours =
        text_is(operation, "appName", app_name) || text_is(operation, "clientMetadata.application.name", app_name);
    bool asking = (bson_iter_init(&iter, operation) && bson_iter_find_descendant(&iter, "command.currentOp", &found)) ||
                  (bson_iter_init(&iter, operation) && bson_iter_find_descendant(&iter, "command.killOp", &found)) ||
                  is_on_admin(operation);
    bool idle = bson_iter_init_find(&iter, operation, "active") && !bson_iter_as_bool(&iter);
    return ours && !asking && !idle && bson_has_field(operation, "opid");
}

static bool kill_one(struct target *target, const bson_t *operation, struct error *err)
{
    bson_t command = BSON_INITIALIZER;
    bson_iter_t opid;
    /* A number, or a text that names the shard. */
    bool ok = bson_iter_init_find(&opid, operation, "opid");
    BSON_APPEND_INT32(&command, "killOp", 1);
    ok = ok && BSON_APPEND_VALUE(&command, "op", bson_iter_value(&opid)) &&
         target_command_brief(target, "admin", &command, NULL, NULL, err);
    bson_destroy(&command);
    return ok;
}

/* One round: *found operations of ours were there, and the server was told to end them. */
static bool kill_round(struct target *target, unsigned *found, struct error *err)
{
    bson_t command = BSON_INITIALIZER, reply, operation;
    bson_iter_t iter, list;
    BSON_APPEND_INT32(&command, "currentOp", 1);
    BSON_APPEND_BOOL(&command, "$ownOps", true);
    BSON_APPEND_UTF8(&command, "appName", target->app_name);
    bool ok = target_command_brief(target, "admin", &command, &reply, NULL, err);
    bson_destroy(&command);
    *found = 0;
    bool has_list = ok && bson_iter_init_find(&iter, &reply, "inprog") && BSON_ITER_HOLDS_ARRAY(&iter) &&
                    bson_iter_recurse(&iter, &list);
    while (ok && has_list && bson_iter_next(&list)) {
        const uint8_t *bytes;
        uint32_t size;
        if (!BSON_ITER_HOLDS_DOCUMENT(&list))
            continue;
        bson_iter_document(&list, &size, &bytes);
        if (!bson_init_static(&operation, bytes, size) || !is_to_kill(&operation, target->app_name))
            continue;
        ++*found;
        ok = kill_one(target, &operation, err);
    }
    bson_destroy(&reply);
    return ok;
}

bool kill_is_complete(const struct target *target)
{
    const char *product = target->testbed.product;
    return product && (strcmp(product, "MongoDB") == 0 || strcmp(product, "Percona Server for MongoDB") == 0);
}

bool kill_operations(struct target *target, int64_t limit_ns, unsigned *killed, struct error *err)
{
    int64_t end_ns = clock_mono_ns() + limit_ns;
    unsigned most = 0, found = 0;
    *killed = 0;
    if (!target_is_alive(target, err))
        return false;
    /* However long a round took, there is one more after it: what the server ended is not reported as going on. */
    for (bool is_last = false;;) {
        if (!kill_round(target, &found, err))
            return false;
        /* An operation that has been told to end is listed until it does: rounds do not add up. */
        most = found > most ? found : most;
        *killed = most - found;
        if (found == 0)
            return true;
        if (is_last)
            break;
        is_last = clock_mono_ns() >= end_ns;
        clock_sleep_ns(KILL_PAUSE_NS);
    }
    error_set(err, "%u operation%s in the server though it was told to end", found,
              found == 1 ? " goes on" : "s go on");
    return false;
}
