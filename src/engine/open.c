/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/open.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/clock.h"
#include "base/memory.h"
#include "engine/address.h"
#include "engine/login.h"
#include "engine/probe.h"
#include "engine/settings.h"
#include "engine/srv.h"

static bool make_run_id(char id[TARGET_RUN_ID_SIZE], struct error *err)
{
    uint64_t bits;
    if (getrandom(&bits, sizeof bits, 0) != sizeof bits) {
        error_set(err, "no random number for the run's id: %s", strerror(errno));
        return false;
    }
    snprintf(id, TARGET_RUN_ID_SIZE, "%016llx", (unsigned long long)bits);
    return true;
}

/* With the hosts that a name service has for it. */
static bool set_address(struct target *target, const char *uri, struct error *err)
{
    char *resolved = srv_is_named(uri) ? srv_resolve(uri, err) : memory_strdup(uri);
    bool ok = resolved && target_set_address(target, resolved, err);
    memory_erase(resolved);
    return ok;
}

static bool describe(struct target *target, const struct run_options *options, const char *uri, struct error *err)
{
    if (!target_check_uri(uri, err) || !make_run_id(target->run_id, err))
        return false;
    target->app_name = settings_make_app_name(uri, target->run_id);
    if (!set_address(target, uri, err))
        return false;
    const char *mechanism = mongoc_uri_get_auth_mechanism(target->uri);
    if (mechanism && strcasecmp(mechanism, "PLAIN") == 0 && !target->tls)
        message_list_add(&target->warnings,
                         "PLAIN without TLS: the password goes over the network as it is; add --tls");
    target->write_concern = settings_make_write_concern(options, target->uri);
    return true;
}

static bool is_load_balanced(const struct target *target)
{
    return mongoc_uri_get_option_as_bool(target->uri, MONGOC_URI_LOADBALANCED, false);
}

/* One host, and no other is meant. */
static bool is_direct(const struct target *target)
{
    const mongoc_host_list_t *host = mongoc_uri_get_hosts(target->uri);
    return !host->next && mongoc_uri_get_option_as_bool(target->uri, MONGOC_URI_DIRECTCONNECTION,
                                                        !mongoc_uri_get_replica_set(target->uri));
}

/* A load balancer cannot be asked: libmongoc itself turns away what is no router when a connection is made. */
static enum discover_finding find(const struct target *target, struct discovery *found, struct error *err)
{
    char *hosts = address_list_hosts(mongoc_uri_get_hosts(target->uri), 0);
    if (is_load_balanced(target)) {
        *found = (struct discovery){.hosts = hosts};
        return DISCOVER_FOUND;
    }
    const struct census_plan plan = {.address = target->address,
                                     .options = target->options,
                                     .app_name = target->app_name,
                                     .hosts = hosts,
                                     .asks_named = !is_direct(target),
                                     .crew = target->crew};
    struct census census;
    census_take(&census, &plan);
    enum discover_finding finding =
        discover_judge(&census, mongoc_uri_get_replica_set(target->uri), is_direct(target), found, err);
    census_release(&census);
    free(hosts);
    return finding;
}

/* The members of a set are named, so that the result shows them. */
static bool set_route(struct target *target, const struct discovery *found, struct error *err)
{
    if (is_load_balanced(target)) {
        target->route = route_new_fixed(target->uri);
        return true;
    }
    if (found->set && !is_direct(target)) {
        char *address =
            address_for_hosts(target->address, found->members ? found->members : found->hosts, !found->members);
        bool ok = target_set_address(target, address, err);
        memory_erase(address);
        if (!ok)
            return false;
    }
    target->in_set = found->set != NULL;
    target->route = route_new(target->options, target->address, target->app_name, found, target->crew, err);
    return target->route;
}

static bool use(struct target *target, const struct discovery *found, struct error *err)
{
    if (!set_route(target, found, err) || !target_connect(target, err) || !login_prove(target, err) ||
        !probe_testbed(target, err))
        return false;
    for (size_t i = 0; i < found->warnings.count; i++)
        message_list_add(&target->warnings, "%s", found->warnings.items[i]);
    return true;
}

static void stop_using(struct target *target)
{
    peer_free(target->peer);
    target->peer = NULL;
    route_free(target->route);
    target->route = NULL;
    testbed_release(&target->testbed);
    target->testbed = (struct testbed){.is_local = target->options->local};
}

/* libmongoc tries once where nothing else is said; a set without a primary is waited for all the same. */
static bool may_come(const struct target *target, enum discover_finding finding)
{
    bool waits_for_servers = !mongoc_uri_get_option_as_bool(target->uri, MONGOC_URI_SERVERSELECTIONTRYONCE, true);
    return finding == DISCOVER_NO_PRIMARY || (finding == DISCOVER_NOBODY && waits_for_servers);
}

/* One round. *failed_at is a primary of which nothing could be made: when it is the primary again, an election was not
 * the reason. */
static enum discover_finding try_once(struct target *target, char **failed_at, struct error *err)
{
    struct discovery found;
    enum discover_finding finding = find(target, &found, err);
    if (finding == DISCOVER_FOUND && !use(target, &found, err)) {
        bool may_be_another = found.members && (!*failed_at || strcmp(*failed_at, found.hosts) != 0);
        finding = may_be_another ? DISCOVER_NO_PRIMARY : DISCOVER_MISFIT;
        free(*failed_at);
        *failed_at = memory_strdup(found.hosts);
        stop_using(target);
    }
    discovery_release(&found);
    return finding;
}

static int64_t limit_ns(const struct target *target)
{
    if (mongoc_uri_has_option(target->uri, MONGOC_URI_SERVERSELECTIONTIMEOUTMS))
        return mongoc_uri_get_option_as_int32(target->uri, MONGOC_URI_SERVERSELECTIONTIMEOUTMS, 0) * CLOCK_NS_PER_MS;
    return target->options->patience_ns;
}

static bool is_default_address(const mongoc_uri_t *uri)
{
    const mongoc_host_list_t *host = mongoc_uri_get_hosts(uri);
    return !host->next && strcmp(host->host_and_port, "localhost:27017") == 0;
}

static bool find_and_use(struct target *target, outage_fn *on_wait, void *context, struct error *err)
{
    struct outage outage;
    struct error reason;
    char *failed_at = NULL;
    enum discover_finding finding;
    int64_t asked_ns;
    outage_init(&outage, limit_ns(target), on_wait, context);
    do {
        error_init(&reason);
        asked_ns = clock_mono_ns();
        finding = try_once(target, &failed_at, &reason);
    } while (may_come(target, finding) && outage_goes_on(&outage, asked_ns, reason.message));
    free(failed_at);
    bool names_no_server = finding == DISCOVER_NOBODY && is_default_address(target->uri);
    if (finding != DISCOVER_FOUND)
        error_set(err, "%s%s", reason.message,
                  names_no_server ? "; name the server (--uri, --host) or let benchrun start a throw-away one (--local)"
                                  : "");
    return finding == DISCOVER_FOUND;
}

bool target_open(struct target *target, const struct run_options *options, const char *uri, outage_fn *on_wait,
                 void *context, struct error *err)
{
    *target = (struct target){.options = options, .crew = crew_new()};
    message_list_init(&target->warnings);
    target->testbed.is_local = options->local;
    if (describe(target, options, uri, err) && find_and_use(target, on_wait, context, err))
        return true;
    if (options->uri_source)
        error_prefix(err, "%s", options->uri_source);
    target_close(target);
    return false;
}
