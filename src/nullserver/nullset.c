/* SPDX-License-Identifier: Apache-2.0 */
#include "nullserver/nullset.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/memory.h"

struct set_member {
    struct nullserver *server;
    char name[32];
    enum nullserver_fault fault;
};

struct nullset {
    struct nullset_config config;
    struct set_member members[NULLSET_MEMBERS_MAX];
    char *hosts;
    pthread_mutex_t lock; /* of faults, primary and term */
    pthread_cond_t stopped;
    int primary; /* -1: none */
    uint64_t term;
    bool is_stopping;
    pthread_t thread; /* that holds elections */
    bool has_thread;
};

/* With the lock held. The old one goes before the new one comes. */
static void elect(struct nullset *set, int index)
{
    const char *primary = index >= 0 ? set->members[index].name : NULL;
    if (set->primary >= 0)
        nullserver_set_role(set->members[set->primary].server, NULLSERVER_SECONDARY);
    set->primary = index;
    set->term += index >= 0;
    for (unsigned i = 0; i < set->config.members; i++)
        nullserver_set_primary(set->members[i].server, primary, set->term);
    if (index >= 0)
        nullserver_set_role(set->members[index].server, NULLSERVER_PRIMARY);
}

static bool can_be_elected(const struct set_member *member)
{
    return member->fault != NULLSERVER_MUTE && member->fault != NULLSERVER_HANGUP && member->fault != NULLSERVER_REFUSE;
}

/* The next in turn after `last`; -1: no member can be. */
static int find_next(const struct nullset *set, int last)
{
    int count = (int)set->config.members;
    for (int i = 1; i <= count; i++) {
        int index = (last + i) % count;
        if (can_be_elected(&set->members[index]))
            return index;
    }
    return -1;
}

/* With the lock held. False: the set is being stopped. */
static bool pause_ms(struct nullset *set, unsigned ms)
{
    int64_t until_ns = clock_mono_ns() + ms * CLOCK_NS_PER_MS;
    struct timespec until = {.tv_sec = until_ns / CLOCK_NS_PER_SEC, .tv_nsec = until_ns % CLOCK_NS_PER_SEC};
    while (!set->is_stopping && clock_mono_ns() < until_ns)
        pthread_cond_timedwait(&set->stopped, &set->lock, &until);
    return !set->is_stopping;
}

static void *hold_elections(void *context)
{
    struct nullset *set = context;
    int last = 0;
    pthread_mutex_lock(&set->lock);
    while (pause_ms(set, set->config.election_ms)) {
        last = set->primary >= 0 ? set->primary : last;
        elect(set, -1);
        if (!pause_ms(set, set->config.vacancy_ms))
            break;
        elect(set, find_next(set, last));
    }
    pthread_mutex_unlock(&set->lock);
    return NULL;
}

static bool start_members(struct nullset *set, struct error *err)
{
    struct buffer hosts = {0};
    const struct nullserver_config config = {
        .replica_set = set->config.name, .role = NULLSERVER_SECONDARY, .record = set->config.record};
    bool ok = true;
    for (unsigned i = 0; ok && i < set->config.members; i++) {
        struct set_member *member = &set->members[i];
        member->server = nullserver_start(&config, err);
        ok = member->server;
        if (!ok)
            break;
        snprintf(member->name, sizeof member->name, "127.0.0.1:%u", nullserver_port(member->server));
        buffer_append_printf(&hosts, "%s%s", i > 0 ? "," : "", member->name);
    }
    set->hosts = buffer_detach(&hosts);
    for (unsigned i = 0; ok && i < set->config.members; i++)
        nullserver_set_members(set->members[i].server, set->hosts);
    return ok;
}

static bool start_elections(struct nullset *set, struct error *err)
{
    if (set->config.election_ms == 0)
        return true;
    int code = pthread_create(&set->thread, NULL, hold_elections, set);
    set->has_thread = code == 0;
    if (code != 0)
        error_set(err, "null set: cannot start a thread: %s", strerror(code));
    return code == 0;
}

struct nullset *nullset_start(const struct nullset_config *config, struct error *err)
{
    struct nullset *set = memory_zeroed(1, sizeof *set);
    pthread_condattr_t attributes;
    set->config = *config;
    set->primary = -1;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&set->lock, NULL);
    pthread_cond_init(&set->stopped, &attributes);
    pthread_condattr_destroy(&attributes);
    if (start_members(set, err)) {
        nullset_elect(set, 0);
        if (start_elections(set, err))
            return set;
    }
    nullset_stop(set);
    return NULL;
}

void nullset_stop(struct nullset *set)
{
    if (!set)
        return;
    pthread_mutex_lock(&set->lock);
    set->is_stopping = true;
    pthread_cond_broadcast(&set->stopped);
    pthread_mutex_unlock(&set->lock);
    if (set->has_thread)
        pthread_join(set->thread, NULL);
    for (unsigned i = 0; i < set->config.members; i++)
        nullserver_stop(set->members[i].server);
    pthread_mutex_destroy(&set->lock);
    pthread_cond_destroy(&set->stopped);
    free(set->hosts);
    free(set);
}

const char *nullset_hosts(const struct nullset *set)
{
    return set->hosts;
}

struct nullserver *nullset_member(const struct nullset *set, unsigned index)
{
    return set->members[index].server;
}

void nullset_elect(struct nullset *set, int index)
{
    pthread_mutex_lock(&set->lock);
    elect(set, index);
    pthread_mutex_unlock(&set->lock);
}

void nullset_set_fault(struct nullset *set, unsigned index, enum nullserver_fault fault)
{
    pthread_mutex_lock(&set->lock);
    set->members[index].fault = fault;
    nullserver_set_fault(set->members[index].server, fault);
    pthread_mutex_unlock(&set->lock);
}
