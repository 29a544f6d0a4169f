/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "engine/settings.h"
#include "engine/tls_files.h"

void target_library_init(void)
{
    mongoc_log_set_handler(NULL, NULL);
    mongoc_init();
    tls_files_forbid_prompts();
    /* Where libmongoc shows its counters to others. Nobody looks, and kill -9 would leave the file lying about. */
    char name[32];
    snprintf(name, sizeof name, "/mongoc-%ld", (long)getpid());
    shm_unlink(name);
}

void target_library_cleanup(void)
{
    mongoc_cleanup();
}

bool target_set_address(struct target *target, const char *address, struct error *err)
{
    mongoc_uri_t *uri = settings_make_uri(address, target->options, target->app_name, err);
    if (!uri)
        return false;
    char *copy = memory_strdup(address);
    if (target->uri)
        mongoc_uri_destroy(target->uri);
    memory_erase(target->address);
    free(target->tls);
    target->uri = uri;
    target->address = copy;
    target->tls = settings_make_tls(uri);
    return true;
}

bool target_close(struct target *target)
{
    peer_free(target->peer);
    bool all_back = !target->has_strays &&
                    (!target->crew || crew_wait(target->crew, clock_mono_ns() + ROUTE_LOOK_MS * CLOCK_NS_PER_MS));
    crew_free(target->crew);
    if (all_back)
        route_free(target->route);
    if (target->uri)
        mongoc_uri_destroy(target->uri);
    free(target->tls);
    memory_erase(target->address);
    free(target->app_name);
    free(target->flush_refusal);
    json_decref(target->write_concern);
    testbed_release(&target->testbed);
    message_list_release(&target->warnings);
    *target = (struct target){0};
    return all_back;
}

/* An interrupt leaves a server that answers the time for cleaning up. */
bool target_connect(struct target *target, struct error *err)
{
    mongoc_uri_t *uri = route_take(target->route, 0, &target->generation);
    peer_free(target->peer);
    target->terms.is_patient = true;
    target->peer = peer_new(uri, &target->terms, err);
    mongoc_uri_destroy(uri);
    return target->peer;
}

/* In a set the old primary answers well after an election. */
static bool ping(struct target *target, struct error *err)
{
    bson_t command = BSON_INITIALIZER, reply;
    bson_iter_t iter;
    BSON_APPEND_INT32(&command, target->in_set ? "isMaster" : "ping", 1);
    bool ok = target_command_brief(target, "admin", &command, &reply, NULL, err);
    if (ok && target->in_set && !(bson_iter_init_find(&iter, &reply, "ismaster") && bson_iter_as_bool(&iter))) {
        error_set(err, "%s is not the primary any more", target->testbed.host);
        ok = false;
    }
    bson_destroy(&reply);
    bson_destroy(&command);
    return ok;
}

/* A server that has taken long to fail would take as long again. */
static bool is_silent(int64_t asked_ns)
{
    return clock_mono_ns() - asked_ns >= CLOCK_NS_PER_SEC;
}

static bool look_and_ping(struct target *target, struct error *err)
{
    return route_look(target->route, target->generation, err) && target_connect(target, err) && ping(target, err);
}

/*
 * The connection that there is, a new one to the same place (a server that was restarted is known by a failed call
 * only), or one to where the primary is now. After a failure nothing of a peer is used again: libmongoc does not look
 * at a server anew for five seconds.
 */
bool target_is_alive(struct target *target, struct error *err)
{
    struct error reason = {0}, look = {0};
    int64_t asked_ns = clock_mono_ns();
    if (target->peer && target->generation == route_generation(target->route) && ping(target, &reason))
        return true;
    if (!is_silent(asked_ns)) {
        error_init(&reason);
        if (target_connect(target, &reason) && ping(target, &reason))
            return true;
    }
    if (look_and_ping(target, &look))
        return true;
    error_set(err, "%s", look.is_set ? look.message : reason.message);
    return false;
}
