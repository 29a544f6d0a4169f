/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_ESTIMATE_H
#define ENGINE_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/run_options.h"
#include "model/testcase.h"

/* What a run has ahead, before the first connection is used. */
struct estimate {
    size_t tests, rungs, cells;
    unsigned trials;      /* per cell */
    int64_t measuring_ns; /* sum of the trial times */
    uint64_t documents;   /* to load, exact, all set-ups together */
    uint64_t bytes;       /* about */
    uint64_t setup_bytes; /* of the largest set-up, about: what the server's disk must hold at once */
};

/* Of the selected tests (none: `selected_count` 0). False: a set-up cannot be carried out with these options. */
bool estimate_run(struct estimate *estimate, const struct run_options *options, const struct testcase_set *set,
                  const size_t *selected, size_t selected_count, struct error *err);

#endif
