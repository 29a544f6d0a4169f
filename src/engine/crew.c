/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/crew.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "engine/condition.h"

struct crew {
    struct condition back; /* one more has come back */
    unsigned working;
    bool is_left; /* the owner has gone: the last one frees */
};

struct task {
    struct crew *crew;
    void (*work)(void *context);
    void *context;
};

static void destroy(struct crew *crew)
{
    condition_release(&crew->back);
    free(crew);
}

static void come_back(struct crew *crew)
{
    pthread_mutex_lock(&crew->back.lock);
    crew->working--;
    bool is_last = crew->is_left && crew->working == 0;
    pthread_cond_broadcast(&crew->back.changed);
    pthread_mutex_unlock(&crew->back.lock);
    if (is_last)
        destroy(crew);
}

static void *run(void *argument)
{
    struct task task = *(struct task *)argument;
    free(argument);
    task.work(task.context);
    come_back(task.crew);
    return NULL;
}

struct crew *crew_new(void)
{
    struct crew *crew = memory_zeroed(1, sizeof *crew);
    condition_init(&crew->back);
    return crew;
}

static int start_detached(struct task *task)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    int code = pthread_create(&thread, &attributes, run, task);
    pthread_attr_destroy(&attributes);
    return code;
}

bool crew_start(struct crew *crew, void (*work)(void *context), void *context)
{
    struct task *task = memory_zeroed(1, sizeof *task);
    *task = (struct task){crew, work, context};
    pthread_mutex_lock(&crew->back.lock);
    crew->working++;
    pthread_mutex_unlock(&crew->back.lock);
    int code = start_detached(task);
    if (code == 0)
        return true;
    free(task);
    pthread_mutex_lock(&crew->back.lock);
    crew->working--;
    pthread_mutex_unlock(&crew->back.lock);
    errno = code;
    return false;
}

bool crew_wait(struct crew *crew, int64_t until_ns)
{
    pthread_mutex_lock(&crew->back.lock);
    while (crew->working > 0 && clock_mono_ns() < until_ns)
        condition_wait(&crew->back, until_ns);
    bool all = crew->working == 0;
    pthread_mutex_unlock(&crew->back.lock);
    return all;
}

void crew_free(struct crew *crew)
{
    if (!crew)
        return;
    pthread_mutex_lock(&crew->back.lock);
    crew->is_left = true;
    bool is_last = crew->working == 0;
    pthread_mutex_unlock(&crew->back.lock);
    if (is_last)
        destroy(crew);
}

enum call_state { CALL_RUNNING, CALL_DONE, CALL_GIVEN_UP };

/* Whoever is the second to leave frees it. */
struct call {
    void (*work)(void *context);
    void (*release)(void *context);
    void *context;
    atomic_int state;
};

static void carry_out(void *argument)
{
    struct call *call = argument;
    call->work(call->context);
    if (atomic_exchange(&call->state, CALL_DONE) != CALL_GIVEN_UP)
        return;
    call->release(call->context);
    free(call);
}

/* 0: done; else why it was given up. */
static int wait_for_call(struct crew *crew, struct call *call, const struct wait_terms *terms, int32_t limit_ms)
{
    struct wait wait;
    wait_begin(&wait, terms, limit_ms);
    while (!crew_wait(crew, clock_mono_ns() + wait_slice_ms(&wait) * CLOCK_NS_PER_MS)) {
        if (wait_goes_on(&wait))
            continue;
        int cause = errno;
        return atomic_exchange(&call->state, CALL_GIVEN_UP) == CALL_DONE ? 0 : cause;
    }
    return 0;
}

bool crew_call(void (*work)(void *context), void (*release)(void *context), void *context,
               const struct wait_terms *terms, int32_t limit_ms)
{
    struct call *call = memory_zeroed(1, sizeof *call);
    struct crew *crew = crew_new();
    *call = (struct call){.work = work, .release = release, .context = context};
    bool is_started = crew_start(crew, carry_out, call);
    int cause = is_started ? wait_for_call(crew, call, terms, limit_ms) : errno;
    crew_free(crew);
    if (!is_started)
        release(context);
    if (!is_started || cause == 0)
        free(call);
    errno = cause;
    return cause == 0;
}
