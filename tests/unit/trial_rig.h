/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_TRIAL_RIG_H
#define TESTS_TRIAL_RIG_H

#include "engine/trial.h"
#include "null_target.h"
#include "plan_fixture.h"

#define INSERT_ONE "[{'op': 'insert', 'doc': {'x': 1}}]"

/* A null server, a pool and a plan for trials on them. */
struct bench {
    struct null_target it;
    struct connector_pool *pool;
    struct fixture fixture;
    struct trial_config config;
    struct trial_result out;
};

/* Trials of 300 ms with a grace that is not used up. */
void bench_init(struct bench *bench, const struct nullserver_config *server, const char *ops, unsigned sessions);
void bench_release(struct bench *bench);
/* Fails the test unless the trial was measured and its tally adds up. */
const struct tally *bench_run(struct bench *bench);

#endif
