/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/condition.h"

#include <time.h>

#include "base/clock.h"

void condition_init(struct condition *condition)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&condition->lock, NULL);
    pthread_cond_init(&condition->changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

void condition_release(struct condition *condition)
{
    pthread_mutex_destroy(&condition->lock);
    pthread_cond_destroy(&condition->changed);
}

void condition_wait(struct condition *condition, int64_t until_ns)
{
    struct timespec until = {.tv_sec = until_ns / CLOCK_NS_PER_SEC, .tv_nsec = until_ns % CLOCK_NS_PER_SEC};
    pthread_cond_timedwait(&condition->changed, &condition->lock, &until);
}
