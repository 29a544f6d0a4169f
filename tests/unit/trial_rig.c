/* SPDX-License-Identifier: Apache-2.0 */
#include "trial_rig.h"

#include "base/clock.h"

#include "unit.h"

void bench_init(struct bench *bench, const struct nullserver_config *server, const char *ops, unsigned sessions)
{
    *bench = (struct bench){0};
    null_target_init(&bench->it, server, "connectTimeoutMS=1500&serverSelectionTimeoutMS=1500");
    bench->pool = connector_pool_new(&bench->it.target, 2);
    fixture_init(&bench->fixture, ops);
    bench->fixture.config.sessions = sessions;
    fixture_compile(&bench->fixture, 0);
    bench->config = (struct trial_config){.target = &bench->it.target,
                                          .pool = bench->pool,
                                          .plan = bench->fixture.plan,
                                          .sessions = sessions,
                                          .seed = 1,
                                          .trial_time_ns = 300 * CLOCK_NS_PER_MS,
                                          .grace_ns = 20 * CLOCK_NS_PER_SEC,
                                          .patience_ns = 2 * CLOCK_NS_PER_SEC};
}

void bench_release(struct bench *bench)
{
    assert_true(connector_pool_free(bench->pool, CONNECTOR_END_MS));
    fixture_release(&bench->fixture);
    null_target_release(&bench->it);
}

const struct tally *bench_run(struct bench *bench)
{
    bench->out = (struct trial_result){0};
    tally_init(&bench->out.tally);
    trial_execute(&bench->config, &bench->out);
    bench->config.trial++;
    if (bench->out.state == TRIAL_UNPREPARED)
        fail_msg("%s", bench->out.reason);
    assert_int_equal(bench->out.state, TRIAL_MEASURED);
    assert_true(tally_is_balanced(&bench->out.tally));
    assert_true(bench->out.elapsed_ns >= bench->config.trial_time_ns);
    return &bench->out.tally;
}
