/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_CREW_H
#define ENGINE_CREW_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/wait.h"

/*
 * Threads whose end is waited for with a limit: what one of them has called (a name service, libmongoc) may never come
 * back. Then it is left behind with all that it uses. Any thread may call these.
 */
struct crew;

struct crew *crew_new(void);
/* Calls `work` on a thread of its own. False: none could be started, errno says why, and nothing has been called. */
bool crew_start(struct crew *crew, void (*work)(void *context), void *context);
/* True: all have come back, at `until_ns` (monotonic) at the latest. */
bool crew_wait(struct crew *crew, int64_t until_ns);
/*
 * Calls `work(context)` on a thread of its own and waits for it, as the terms allow, at most `limit_ms`. False: given
 * up, errno is ETIMEDOUT or EINTR, or says why no thread could be started; then `release(context)` is called once the
 * work has come back, or now.
 */
bool crew_call(void (*work)(void *context), void (*release)(void *context), void *context,
               const struct wait_terms *terms, int32_t limit_ms);
/* Threads that have not come back keep what they need of it. Safe with NULL. */
void crew_free(struct crew *crew);

#endif
