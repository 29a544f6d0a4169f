/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/discover.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "engine/address.h"
#include "engine/reach.h"
#include "engine/settings.h"

#define ASK_TIMEOUT_MS 3000

struct census {
    struct member *members; /* the hosts that were named, then those that they name */
    size_t count;
};

static mongoc_client_t *new_direct_client(const struct target *target, const char *host, struct error *err)
{
    char *address = address_for_hosts(target->address, host, true);
    mongoc_uri_t *uri = settings_make_uri(address, target->options, target->app_name, err);
    mongoc_client_t *client = NULL;
    memory_erase(address);
    if (!uri)
        return NULL;
    if (mongoc_uri_get_option_as_int32(uri, MONGOC_URI_CONNECTTIMEOUTMS, 0) > ASK_TIMEOUT_MS)
        mongoc_uri_set_option_as_int32(uri, MONGOC_URI_CONNECTTIMEOUTMS, ASK_TIMEOUT_MS);
    client = target_new_client(uri, err);
    mongoc_uri_destroy(uri);
    return client;
}

/* One server, whatever set it is in. `host` as it is written in an address. */
static void ask(const struct target *target, const char *host, struct member *member)
{
    struct error err = {0};
    bson_error_t reason = {0};
    mongoc_client_t *client = new_direct_client(target, host, &err);
    mongoc_server_description_t *server = client ? mongoc_client_select_server(client, true, NULL, &reason) : NULL;
    member_init(member, host, server ? mongoc_server_description_hello_response(server) : NULL);
    if (!server) {
        bool is_told = reason.message[0] != '\0' && strstr(reason.message, host);
        char *cause = reach_explain(err.is_set ? err.message : reason.message, target->tls);
        member->cause = is_told ? memory_strdup(cause) : memory_printf("%s: %s", host, cause);
        free(cause);
    }
    if (server)
        mongoc_server_description_destroy(server);
    if (client)
        mongoc_client_destroy(client);
}

void discover_report(const struct member *member, struct error *err)
{
    const char *host = member->host, *state = member_state_text(member->state);
    if (member->set && member->primary)
        error_set(err, "%s is %s of %s, primary %s; add --replset %s", host, state, member->set, member->primary,
                  member->set);
    else if (member->set)
        error_set(err, "%s is %s of %s, which has no primary at the moment; add --replset %s", host, state, member->set,
                  member->set);
    else if (member->state == MEMBER_UNINITIATED)
        error_set(err, "%s is %s: run rs.initiate() there", host, state);
    else
        error_set(err, "%s takes no writes", host);
}

static bool is_listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at && *at;) {
        size_t size = strcspn(at, ",");
        if (size == length && strncasecmp(at, name, size) == 0)
            return true;
        at += size + (at[size] == ',');
    }
    return false;
}

static void take(struct census *census, const struct target *target, char *host)
{
    for (size_t i = 0; i < census->count; i++) {
        if (strcasecmp(census->members[i].host, host) == 0) {
            free(host);
            return;
        }
    }
    census->members = memory_resize(census->members, census->count + 1, sizeof *census->members);
    ask(target, host, &census->members[census->count++]);
    free(host);
}

static void take_list(struct census *census, const struct target *target, const char *list)
{
    char *copy = memory_strdup(list), *rest = copy;
    for (char *name; (name = strsep(&rest, ","));)
        if (*name)
            take(census, target, memory_strdup(name));
    free(copy);
}

static void make_census(struct census *census, const struct target *target)
{
    for (const mongoc_host_list_t *host = mongoc_uri_get_hosts(target->uri); host; host = host->next)
        take(census, target, address_of_host(host));
    /* take() adds to the list that is gone through, and may move it. */
    for (size_t i = 0; i < census->count; i++) {
        const struct member *member = &census->members[i];
        char *named = memory_printf("%s%s%s", member->hosts ? member->hosts : "", member->primary ? "," : "",
                                    member->primary ? member->primary : "");
        take_list(census, target, named);
        free(named);
    }
}

static void release_census(struct census *census)
{
    for (size_t i = 0; i < census->count; i++)
        member_release(&census->members[i]);
    free(census->members);
}

static bool replace_client(struct target *target, struct error *err)
{
    mongoc_client_destroy(target->client);
    target->client = target_new_client(target->uri, err);
    return target->client != NULL;
}

/* Of those that `list` names; the caller frees, NULL: none. */
static char *unreachable_among(const struct census *census, const char *list)
{
    struct buffer names = {0};
    for (size_t i = 0; i < census->count; i++) {
        const struct member *member = &census->members[i];
        if (member->state == MEMBER_UNREACHABLE && is_listed(list, member->host))
            buffer_append_printf(&names, "%s%s", names.size > 0 ? "," : "", member->host);
    }
    char *text = names.size > 0 ? memory_strdup(buffer_text(&names)) : NULL;
    buffer_release(&names);
    return text;
}

/*
 * All members are named, also those that cannot be reached: libmongoc 1.23 waits for ever when a member that it learns
 * of from another one fails at once (a name without an address; a refusal, with a stream initiator).
 */
static bool follow(struct target *target, const struct census *census, const struct member *primary, struct error *err)
{
    char *missing = unreachable_among(census, primary->hosts);
    if (missing)
        message_list_add(&target->warnings, "members %s unreachable, failover to them will not be followed", missing);
    free(missing);
    char *address = address_for_hosts(target->address, primary->hosts, false);
    char *direct = address_for_hosts(target->address, primary->host, true);
    bool ok = target_set_address(target, address, err);
    target->primary_uri = settings_make_uri(direct, target->options, target->app_name, err);
    target->in_set = true;
    memory_erase(address);
    memory_erase(direct);
    return ok && target->primary_uri && replace_client(target, err);
}

static bool run_directly(struct target *target, const struct census *census, const struct member *primary,
                         struct error *err)
{
    char *missing = unreachable_among(census, primary->hosts);
    message_list_add(&target->warnings, "members %s unreachable, failover will not be followed",
                     missing ? missing : primary->hosts);
    free(missing);
    char *address = address_for_hosts(target->address, primary->host, true);
    bool ok = target_set_address(target, address, err) && replace_client(target, err);
    memory_erase(address);
    return ok;
}

static void report_wrong_set(const struct member *member, const char *wanted, struct error *err)
{
    if (member->set)
        error_set(err, "%s belongs to the replica set \"%s\", not \"%s\": --replset %s (replicaSet=%s in an address)",
                  member->host, member->set, wanted, member->set, member->set);
    else if (member->state == MEMBER_UNINITIATED)
        discover_report(member, err);
    else
        error_set(err, "%s is %s and belongs to no replica set: leave out --replset (replicaSet= in an address)",
                  member->host, member_state_text(member->state));
}

/* Each server on its own line. */
static char *list_states(const struct census *census)
{
    struct buffer states = {0};
    for (size_t i = 0; i < census->count; i++) {
        const struct member *member = &census->members[i];
        bool is_lost = member->state == MEMBER_UNREACHABLE;
        buffer_append_printf(&states, "\n  %s%s%s", is_lost ? member->cause : member->host, is_lost ? "" : ": ",
                             is_lost ? "" : member_state_text(member->state));
    }
    char *text = memory_strdup(buffer_text(&states));
    buffer_release(&states);
    return text;
}

static enum discover_finding report_no_primary(const struct census *census, struct error *err)
{
    const char *set = NULL, *primary = NULL;
    for (size_t i = 0; i < census->count; i++) {
        set = set ? set : census->members[i].set;
        primary = primary ? primary : census->members[i].primary;
    }
    char *states = list_states(census);
    if (set && primary)
        error_set(err, "the primary %s of %s cannot be reached:%s", primary, set, states);
    else if (set)
        error_set(err, "the replica set %s has no primary:%s", set, states);
    else
        error_set(err, "no server can be reached:%s", states);
    free(states);
    return set ? DISCOVER_WAIT : DISCOVER_FATAL;
}

/* Several hosts and one of them is in no set: all must be routers of a cluster. */
static enum discover_finding judge_no_set(struct target *target, const struct member *member, struct error *err)
{
    if (member->state == MEMBER_MONGOS) {
        message_list_add(&target->warnings, "%s is a mongos: what is measured is the cluster behind the routers",
                         member->host);
        return DISCOVER_FOUND;
    }
    error_set(err, "%s is %s: name it alone", member->host, member_state_text(member->state));
    return DISCOVER_FATAL;
}

/* False: somebody is in another set than the one that was asked for. */
static bool check_names(const struct census *census, const char *wanted, struct error *err)
{
    for (size_t i = 0; wanted && i < census->count; i++) {
        const struct member *member = &census->members[i];
        if (member->state == MEMBER_UNREACHABLE || (member->set && strcmp(member->set, wanted) == 0))
            continue;
        report_wrong_set(member, wanted, err);
        return false;
    }
    return true;
}

static enum discover_finding judge(struct target *target, const struct census *census, struct error *err)
{
    const struct member *elsewhere = NULL;
    if (!check_names(census, mongoc_uri_get_replica_set(target->uri), err))
        return DISCOVER_FATAL;
    for (size_t i = 0; i < census->count; i++) {
        const struct member *member = &census->members[i];
        if (member->state == MEMBER_PRIMARY && is_listed(member->hosts, member->host))
            return follow(target, census, member, err) ? DISCOVER_FOUND : DISCOVER_FATAL;
        if (member->state == MEMBER_PRIMARY)
            elsewhere = member;
        if (member->state != MEMBER_UNREACHABLE && !member->set)
            return judge_no_set(target, member, err);
    }
    if (elsewhere)
        return run_directly(target, census, elsewhere, err) ? DISCOVER_FOUND : DISCOVER_FATAL;
    return report_no_primary(census, err);
}

bool discover_check_set(const struct target *target, struct error *err)
{
    struct census census = {0};
    const char *wanted = mongoc_uri_get_replica_set(target->uri);
    if (wanted)
        take(&census, target, address_of_host(mongoc_uri_get_hosts(target->uri)));
    bool ok = check_names(&census, wanted, err);
    release_census(&census);
    return ok;
}

enum discover_finding discover_set(struct target *target, struct error *err)
{
    struct census census = {0};
    make_census(&census, target);
    enum discover_finding finding = judge(target, &census, err);
    release_census(&census);
    return finding;
}
