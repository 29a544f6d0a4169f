/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/estimate.h"

#include "engine/prepare.h"

static bool add_set_up(struct estimate *estimate, const struct testcase *test, const struct prepare_config *config,
                       struct error *err)
{
    uint64_t documents, bytes;
    if (!prepare_estimate(test, config, &documents, &bytes, err)) {
        error_prefix(err, "%s: %s", test->file, test->name);
        return false;
    }
    estimate->documents += documents * estimate->trials;
    estimate->bytes += bytes * estimate->trials;
    estimate->setup_bytes = bytes > estimate->setup_bytes ? bytes : estimate->setup_bytes;
    return true;
}

bool estimate_run(struct estimate *estimate, const struct run_options *options, const struct testcase_set *set,
                  const size_t *selected, size_t selected_count, struct error *err)
{
    *estimate = (struct estimate){.tests = selected_count,
                                  .rungs = options->thread_count,
                                  .cells = selected_count * options->thread_count,
                                  .trials = options->trial_count};
    int64_t trials = (int64_t)(estimate->cells * estimate->trials);
    if (__builtin_mul_overflow(trials, options->trial_time_ns, &estimate->measuring_ns))
        estimate->measuring_ns = INT64_MAX;
    for (size_t i = 0; i < selected_count; i++) {
        for (size_t rung = 0; rung < options->thread_count; rung++) {
            const struct prepare_config config = prepare_config_for(options, rung);
            if (!add_set_up(estimate, &set->items[selected[i]], &config, err))
                return false;
        }
    }
    return true;
}
