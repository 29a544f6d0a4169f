/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_CONDITION_H
#define ENGINE_CONDITION_H

#include <pthread.h>
#include <stdint.h>

/* A lock, and a condition on which nobody waits without a limit. */
struct condition {
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

void condition_init(struct condition *condition);
void condition_release(struct condition *condition);
/* With the lock held: until somebody broadcasts, or until `until_ns` (monotonic) at the latest. May return earlier. */
void condition_wait(struct condition *condition, int64_t until_ns);

#endif
