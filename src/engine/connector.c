/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/connector.h"

#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/condition.h"
#include "engine/crew.h"

#define DONE_SLICE_NS (WAIT_SLICE_MS * CLOCK_NS_PER_MS)
#define IDLE_NS (3600 * CLOCK_NS_PER_SEC)

enum entry_state {
    ENTRY_IDLE,     /* in the pool: `transport` or none */
    ENTRY_TAKEN,    /* a worker has it */
    ENTRY_QUEUED,   /* to be opened */
    ENTRY_OPENING,  /* a connector thread is at it */
    ENTRY_ANSWERED, /* opened (or `failure` says why not) for a worker that has not fetched it yet */
};

struct connector_entry {
    enum entry_state state;
    struct transport *transport;
    struct transport *broken; /* to be closed before the opening */
    char *failure;
    bool is_older; /* OPENING since before the reserve that waits now: its failure may be out of date */
    int wake_fd;   /* -1: no worker waits, the transport goes to the pool */
};

struct connector_pool {
    struct route *route;
    struct crew *crew;
    unsigned thread_count;
    atomic_bool is_stopping;
    struct condition changed; /* its lock is for all that follows; a place in the queue, or the end of an opening */
    struct connector_entry *entries;
    unsigned count;
    unsigned *queue; /* first in, first out; `count` places are enough: an entry stands in it once */
    unsigned queued;
};

static void queue_push(struct connector_pool *pool, unsigned index)
{
    pool->entries[index].state = ENTRY_QUEUED;
    pool->queue[pool->queued++] = index;
    pthread_cond_broadcast(&pool->changed.changed);
}

static void queue_remove(struct connector_pool *pool, unsigned at)
{
    memmove(pool->queue + at, pool->queue + at + 1, (pool->queued - at - 1) * sizeof *pool->queue);
    pool->queued--;
}

static void queue_withdraw(struct connector_pool *pool, unsigned index)
{
    for (unsigned at = 0; at < pool->queued; at++) {
        if (pool->queue[at] == index) {
            queue_remove(pool, at);
            break;
        }
    }
    pool->entries[index].state = ENTRY_IDLE;
}

static void answer(struct connector_pool *pool, unsigned index, struct transport *transport, const struct error *err)
{
    struct connector_entry *entry = &pool->entries[index];
    entry->transport = transport;
    entry->failure = transport ? NULL : memory_strdup(err->message);
    entry->state = entry->wake_fd >= 0 ? ENTRY_ANSWERED : ENTRY_IDLE;
    if (entry->wake_fd >= 0)
        eventfd_write(entry->wake_fd, 1);
    pthread_cond_broadcast(&pool->changed.changed);
}

static void open_next(struct connector_pool *pool)
{
    unsigned index = pool->queue[0];
    queue_remove(pool, 0);
    struct transport *broken = pool->entries[index].broken;
    pool->entries[index].broken = NULL;
    pool->entries[index].state = ENTRY_OPENING;
    pthread_mutex_unlock(&pool->changed.lock);
    struct error err;
    error_init(&err);
    transport_close(broken);
    struct transport *transport = transport_open(pool->route, index, &pool->is_stopping, &err);
    pthread_mutex_lock(&pool->changed.lock);
    answer(pool, index, transport, &err);
}

static void connect_until_stopped(void *context)
{
    struct connector_pool *pool = context;
    pthread_mutex_lock(&pool->changed.lock);
    while (!atomic_load(&pool->is_stopping)) {
        if (pool->queued > 0)
            open_next(pool);
        else
            condition_wait(&pool->changed, clock_mono_ns() + IDLE_NS);
    }
    pthread_mutex_unlock(&pool->changed.lock);
}

struct connector_pool *connector_pool_new(const struct target *target, unsigned threads)
{
    struct connector_pool *pool = memory_zeroed(1, sizeof *pool);
    condition_init(&pool->changed);
    atomic_init(&pool->is_stopping, false);
    pool->route = target->route;
    pool->crew = crew_new();
    for (unsigned i = 0; i < threads; i++)
        pool->thread_count += crew_start(pool->crew, connect_until_stopped, pool);
    return pool;
}

static void release_entry(struct connector_entry *entry)
{
    transport_close(entry->transport);
    transport_close(entry->broken);
    free(entry->failure);
}

bool connector_pool_free(struct connector_pool *pool, int32_t limit_ms)
{
    if (!pool)
        return true;
    pthread_mutex_lock(&pool->changed.lock);
    atomic_store(&pool->is_stopping, true);
    pthread_cond_broadcast(&pool->changed.changed);
    pthread_mutex_unlock(&pool->changed.lock);
    if (!crew_wait(pool->crew, clock_mono_ns() + limit_ms * CLOCK_NS_PER_MS))
        return false;
    crew_free(pool->crew);
    for (unsigned i = 0; i < pool->count; i++)
        release_entry(&pool->entries[i]);
    condition_release(&pool->changed);
    free(pool->entries);
    free(pool->queue);
    free(pool);
    return true;
}

static void grow(struct connector_pool *pool, unsigned count)
{
    if (count <= pool->count)
        return;
    pool->entries = memory_resize(pool->entries, count, sizeof *pool->entries);
    pool->queue = memory_resize(pool->queue, count, sizeof *pool->queue);
    for (unsigned i = pool->count; i < count; i++)
        pool->entries[i] = (struct connector_entry){.state = ENTRY_IDLE, .wake_fd = -1};
    pool->count = count;
}

/* Queues what is missing or no longer of use. */
static void queue_missing(struct connector_pool *pool, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct connector_entry *entry = &pool->entries[i];
        entry->is_older = entry->state == ENTRY_OPENING;
        if (entry->state != ENTRY_IDLE)
            continue;
        if (entry->transport && transport_is_usable(entry->transport))
            continue;
        if (entry->transport) {
            entry->broken = entry->transport;
            entry->transport = NULL;
        }
        free(entry->failure);
        entry->failure = NULL;
        queue_push(pool, i);
    }
}

static void retry_older(struct connector_pool *pool, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct connector_entry *entry = &pool->entries[i];
        if (!entry->is_older || entry->state != ENTRY_IDLE)
            continue;
        entry->is_older = false;
        if (!entry->failure)
            continue;
        free(entry->failure);
        entry->failure = NULL;
        queue_push(pool, i);
    }
}

/* How many of the first `count` are ready; *failure is the first reason why one is not and will not be. */
static unsigned count_ready(const struct connector_pool *pool, unsigned count, const char **failure)
{
    unsigned ready = 0;
    *failure = NULL;
    for (unsigned i = 0; i < count; i++) {
        const struct connector_entry *entry = &pool->entries[i];
        ready += entry->state == ENTRY_IDLE && entry->transport;
        if (!*failure && entry->state == ENTRY_IDLE && entry->failure)
            *failure = entry->failure;
    }
    return ready;
}

static void withdraw_all(struct connector_pool *pool)
{
    while (pool->queued > 0)
        queue_withdraw(pool, pool->queue[pool->queued - 1]);
}

bool connector_pool_reserve(struct connector_pool *pool, unsigned count, int64_t deadline_ns, struct error *err)
{
    const char *failure = NULL;
    unsigned ready = 0;
    pthread_mutex_lock(&pool->changed.lock);
    grow(pool, count);
    queue_missing(pool, count);
    for (;;) {
        retry_older(pool, count);
        ready = count_ready(pool, count, &failure);
        int64_t left_ns = deadline_ns - clock_mono_ns();
        if (ready == count || failure || left_ns <= 0 || interrupt_signal() || pool->thread_count == 0)
            break;
        condition_wait(&pool->changed, clock_mono_ns() + (left_ns < DONE_SLICE_NS ? left_ns : DONE_SLICE_NS));
    }
    if (ready < count) {
        withdraw_all(pool);
        if (failure)
            error_set(err, "connection %u of %u: %s", ready + 1, count, failure);
        else if (interrupt_signal())
            error_set(err, "interrupted while connections were being opened");
        else if (pool->thread_count == 0)
            error_set(err, "no thread could be started to open connections");
        else
            error_set(err, "only %u of %u connections could be opened in time", ready, count);
    }
    pthread_mutex_unlock(&pool->changed.lock);
    return ready == count;
}

struct transport *connector_take(struct connector_pool *pool, unsigned index)
{
    pthread_mutex_lock(&pool->changed.lock);
    struct connector_entry *entry = &pool->entries[index];
    struct transport *transport = entry->transport;
    entry->transport = NULL;
    entry->state = ENTRY_TAKEN;
    pthread_mutex_unlock(&pool->changed.lock);
    return transport;
}

void connector_give_back(struct connector_pool *pool, unsigned index, struct transport *transport)
{
    pthread_mutex_lock(&pool->changed.lock);
    pool->entries[index].transport = transport;
    pool->entries[index].state = ENTRY_IDLE;
    pthread_mutex_unlock(&pool->changed.lock);
}

void connector_reopen(struct connector_pool *pool, unsigned index, struct transport *broken, int wake_fd)
{
    pthread_mutex_lock(&pool->changed.lock);
    struct connector_entry *entry = &pool->entries[index];
    entry->broken = broken;
    entry->wake_fd = wake_fd;
    queue_push(pool, index);
    pthread_mutex_unlock(&pool->changed.lock);
}

bool connector_poll_reopened(struct connector_pool *pool, unsigned index, struct transport **transport,
                             struct error *err)
{
    pthread_mutex_lock(&pool->changed.lock);
    struct connector_entry *entry = &pool->entries[index];
    bool is_answered = entry->state == ENTRY_ANSWERED;
    if (is_answered) {
        *transport = entry->transport;
        if (entry->failure)
            error_set(err, "%s", entry->failure);
        free(entry->failure);
        entry->failure = NULL;
        entry->transport = NULL;
        entry->wake_fd = -1;
        entry->state = ENTRY_TAKEN;
    }
    pthread_mutex_unlock(&pool->changed.lock);
    return is_answered;
}

void connector_forget(struct connector_pool *pool, unsigned index)
{
    pthread_mutex_lock(&pool->changed.lock);
    struct connector_entry *entry = &pool->entries[index];
    entry->wake_fd = -1;
    if (entry->state == ENTRY_QUEUED)
        queue_withdraw(pool, index);
    else if (entry->state == ENTRY_ANSWERED)
        entry->state = ENTRY_IDLE;
    struct transport *broken = entry->state == ENTRY_IDLE ? entry->broken : NULL;
    if (broken)
        entry->broken = NULL;
    pthread_mutex_unlock(&pool->changed.lock);
    transport_close(broken);
}
