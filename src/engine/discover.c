/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/discover.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"

static void append_host(struct buffer *list, const char *host)
{
    buffer_append_printf(list, "%s%s", list->size > 0 ? "," : "", host);
}

/* The caller frees; NULL: empty. */
static char *take_list(struct buffer *list)
{
    return list->size > 0 ? buffer_detach(list) : NULL;
}

/* Why no operation can be sent to this server, and what would help. */
static void report_no_writes(const struct member *member, struct error *err)
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

/* Of those that `list` names; the caller frees, NULL: none. */
static char *unreachable_among(const struct census *census, const char *list)
{
    struct buffer names = {0};
    for (size_t i = 0; i < census->count; i++) {
        const struct member *member = &census->members[i];
        if (member->state == MEMBER_UNREACHABLE && census_list_has(list, member->host))
            append_host(&names, member->host);
    }
    return take_list(&names);
}

static void take_primary(const struct census *census, const struct member *primary, bool is_followed,
                         struct discovery *found)
{
    char *missing = unreachable_among(census, primary->hosts);
    if (is_followed && missing)
        message_list_add(&found->warnings, "members %s unreachable, failover to them will not be followed", missing);
    else if (!is_followed)
        message_list_add(&found->warnings, "members %s unreachable, failover will not be followed",
                         missing ? missing : primary->hosts);
    free(missing);
    found->hosts = memory_strdup(primary->host);
    found->members = is_followed ? memory_strdup(primary->hosts) : NULL;
    found->set = memory_strdup(primary->set);
}

static void report_wrong_set(const struct member *member, const char *wanted, struct error *err)
{
    if (member->set)
        error_set(err, "%s belongs to the replica set \"%s\", not \"%s\": --replset %s (replicaSet=%s in an address)",
                  member->host, member->set, wanted, member->set, member->set);
    else if (member->state == MEMBER_UNINITIATED)
        report_no_writes(member, err);
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
    return take_list(&states);
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
    return set ? DISCOVER_NO_PRIMARY : DISCOVER_NOBODY;
}

/* Several hosts and one of them is in no set: all must be routers of a cluster. */
static enum discover_finding judge_no_set(const struct census *census, const struct member *member,
                                          struct discovery *found, struct error *err)
{
    struct buffer routers = {0}, named = {0};
    if (member->state != MEMBER_MONGOS) {
        error_set(err, "%s is %s: name it alone", member->host, member_state_text(member->state));
        return DISCOVER_MISFIT;
    }
    message_list_add(&found->warnings, "%s is a mongos: what is measured is the cluster behind the routers",
                     member->host);
    for (size_t i = 0; i < census->count; i++) {
        append_host(&named, census->members[i].host);
        if (census->members[i].state == MEMBER_MONGOS)
            append_host(&routers, census->members[i].host);
    }
    found->hosts = take_list(&routers);
    found->members = take_list(&named);
    return DISCOVER_FOUND;
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

static enum discover_finding judge_one(const struct member *member, struct discovery *found, struct error *err)
{
    if (member->state == MEMBER_UNREACHABLE) {
        error_set(err, "no server can be reached: %s", member->cause);
        return DISCOVER_NOBODY;
    }
    if (!member_takes_writes(member)) {
        report_no_writes(member, err);
        return DISCOVER_MISFIT;
    }
    if (member->state == MEMBER_MONGOS)
        message_list_add(&found->warnings, "%s is a mongos: what is measured is the cluster behind this router",
                         member->host);
    found->hosts = memory_strdup(member->host);
    found->set = member->set ? memory_strdup(member->set) : NULL;
    return DISCOVER_FOUND;
}

/* The primary that was elected last, of those that call themselves by a name of their set or not; NULL: none. */
static const struct member *find_primary(const struct census *census, bool by_known_name)
{
    const struct member *primary = NULL;
    for (size_t i = 0; i < census->count; i++) {
        const struct member *member = &census->members[i];
        if (member->state != MEMBER_PRIMARY || census_list_has(member->hosts, member->host) != by_known_name)
            continue;
        if (!primary || member_is_newer_primary(member, primary))
            primary = member;
    }
    return primary;
}

static const struct member *find_without_set(const struct census *census)
{
    for (size_t i = 0; i < census->count; i++)
        if (census->members[i].state != MEMBER_UNREACHABLE && !census->members[i].set)
            return &census->members[i];
    return NULL;
}

enum discover_finding discover_judge(const struct census *census, const char *wanted_set, bool is_direct,
                                     struct discovery *found, struct error *err)
{
    *found = (struct discovery){0};
    message_list_init(&found->warnings);
    if (!check_names(census, wanted_set, err))
        return DISCOVER_MISFIT;
    if (is_direct)
        return judge_one(&census->members[0], found, err);
    const struct member *primary = find_primary(census, true), *elsewhere = find_primary(census, false);
    const struct member *without_set = find_without_set(census);
    if (!primary && without_set)
        return judge_no_set(census, without_set, found, err);
    if (!primary && !elsewhere)
        return report_no_primary(census, err);
    take_primary(census, primary ? primary : elsewhere, primary, found);
    return DISCOVER_FOUND;
}

void discovery_release(struct discovery *found)
{
    free(found->hosts);
    free(found->members);
    free(found->set);
    message_list_release(&found->warnings);
    *found = (struct discovery){0};
}
