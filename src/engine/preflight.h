/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_PREFLIGHT_H
#define ENGINE_PREFLIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/target.h"
#include "model/run_options.h"

enum preflight_state {
    PREFLIGHT_GOOD,
    PREFLIGHT_UNKNOWN, /* the server does not tell */
    PREFLIGHT_BAD,
};

struct preflight_check {
    const char *name; /* "files", "rights", ... */
    enum preflight_state state;
    char *text; /* one line: what was found, or what is wrong and what mends it */
};

enum { PREFLIGHT_CHECKS_MAX = 16 };

struct preflight {
    struct preflight_check checks[PREFLIGHT_CHECKS_MAX];
    size_t count;
};

/* What a run needs that costs next to nothing to find out: whether we are let in, files, threads, memory, the server's
 * limit of connections, its disk. `bytes` are to be loaded at once at most. False: `err` says what is missing. */
bool preflight_check_run(struct target *target, const struct run_options *options, uint64_t bytes, struct error *err);
/* All of that, who we are, the round-trip time, and whether the user may do what a test does: tried on a collection of
 * our own, which is gone afterwards. */
void preflight_init(struct preflight *preflight, struct target *target, const struct run_options *options,
                    uint64_t bytes);
bool preflight_is_good(const struct preflight *preflight);
void preflight_release(struct preflight *preflight);

#endif
