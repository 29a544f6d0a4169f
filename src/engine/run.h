/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_RUN_H
#define ENGINE_RUN_H

#include <stdbool.h>

#include "base/error.h"
#include "engine/estimate.h"
#include "engine/outage.h"
#include "engine/target.h"
#include "engine/trial.h"
#include "model/result_file.h"
#include "model/run_options.h"
#include "model/testcase.h"

/* Tells people what happens; on the main thread. Any may be NULL. */
struct run_listener {
    void (*on_plan)(const struct estimate *plan, const struct target *target, void *context);
    void (*on_trial_begin)(const struct result *result, const struct trial_result *trial, void *context);
    trial_progress_fn *on_progress;
    void (*on_wait)(unsigned owed, void *context);
    outage_fn *on_outage;
    void (*on_trial_end)(const struct result *result, const struct trial_result *trial, void *context);
    void (*on_note)(const char *text, void *context);
    void *context;
};

/*
 * Runs the selected tests over the ladder on an open target; every trial goes to the journal, `file` is written anew
 * after every cell and at the end. True when it came to its end or was interrupted (then `result` says so); false when
 * it could not go on (server lost for good, disk full): what was measured is in `result` and on disk all the same.
 * Afterwards nothing of ours is left on the server, unless options->keep.
 */
bool run_execute(const struct run_options *options, struct target *target, const struct testcase_set *set,
                 const size_t *selected, size_t selected_count, const struct run_listener *listener,
                 struct result_file *file, struct result *result, struct error *err);

#endif
