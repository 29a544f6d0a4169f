/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/trial.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "null_set.h"
#include "plan_fixture.h"

#include "unit.h"

enum { HANG_S = 400, ROUNDS = 200, FEWER = 50 };

static struct census take_census(const struct null_set *it, const char *hosts, bool is_hurried)
{
    struct census census;
    const struct census_plan plan = {.address = it->target.address,
                                     .options = it->target.options,
                                     .app_name = it->target.app_name,
                                     .hosts = hosts,
                                     .asks_named = true,
                                     .is_hurried = is_hurried,
                                     .crew = it->target.crew};
    census_take(&census, &plan);
    return census;
}

static const struct member *find(const struct census *census, const struct null_set *it, unsigned index)
{
    char name[32];
    snprintf(name, sizeof name, "127.0.0.1:%u", nullserver_port(nullset_member(it->set, index)));
    for (size_t i = 0; i < census->count; i++)
        if (strcmp(census->members[i].host, name) == 0)
            return &census->members[i];
    fail_msg("%s was not asked", name);
    return NULL;
}

static void everybody_is_asked(void **state)
{
    (void)state;
    struct null_set it;
    null_set_init(&it, &(struct nullset_config){.members = 5, .name = "rs"}, "connectTimeoutMS=200");
    nullset_set_fault(it.set, 1, NULLSERVER_REFUSE);
    nullset_set_fault(it.set, 2, NULLSERVER_MUTE);
    nullset_set_fault(it.set, 3, NULLSERVER_HANGUP);
    char *last = memory_strdup(strrchr(nullset_hosts(it.set), ',') + 1);
    struct census census = take_census(&it, last, false);
    assert_int_equal(census.count, 5);
    assert_int_equal(find(&census, &it, 0)->state, MEMBER_PRIMARY);
    assert_non_null(strstr(find(&census, &it, 1)->cause, "connection refused"));
    assert_non_null(strstr(find(&census, &it, 2)->cause, "timeout"));
    assert_non_null(strstr(find(&census, &it, 3)->cause, "Failed to receive"));
    assert_int_equal(find(&census, &it, 4)->state, MEMBER_SECONDARY);
    census_release(&census);
    free(last);
    null_set_release(&it);
}

/* Its own words would be those of a time-out. */
static void the_silent_hold_up_nobody(void **state)
{
    (void)state;
    struct null_set it;
    null_set_init(&it, &(struct nullset_config){.members = 3, .name = "rs"}, "");
    nullset_set_fault(it.set, 1, NULLSERVER_MUTE);
    struct census census = take_census(&it, nullset_hosts(it.set), true);
    assert_int_equal(find(&census, &it, 0)->state, MEMBER_PRIMARY);
    assert_non_null(strstr(find(&census, &it, 1)->cause, ": it does not answer"));
    census_release(&census);
    null_set_release(&it);
}

static void the_later_election_counts(void **state)
{
    (void)state;
    struct null_set it;
    null_set_init(&it, &(struct nullset_config){.members = 3, .name = "rs"}, "");
    nullset_elect(it.set, 2);
    /* It was cut off, and has not noticed. */
    nullserver_set_primary(nullset_member(it.set, 0), NULL, 1);
    nullserver_set_role(nullset_member(it.set, 0), NULLSERVER_PRIMARY);
    struct census census = take_census(&it, nullset_hosts(it.set), true);
    struct discovery found;
    struct error err = {0};
    assert_int_equal(discover_judge(&census, "rs", false, &found, &err), DISCOVER_FOUND);
    assert_string_equal(found.hosts, find(&census, &it, 2)->host);
    discovery_release(&found);
    census_release(&census);
    null_set_release(&it);
}

struct seeker {
    pthread_t thread;
    struct route *route;
    unsigned generation;
    bool is_found;
};

static void *seek(void *context)
{
    struct seeker *seeker = context;
    seeker->is_found = route_look(seeker->route, seeker->generation, NULL);
    return NULL;
}

static void one_looks_for_all(void **state)
{
    (void)state;
    enum { SEEKERS = 32 };
    struct null_set it;
    struct seeker seekers[SEEKERS];
    null_set_init(&it, &(struct nullset_config){.members = 3, .name = "rs"}, "");
    nullset_elect(it.set, 1);
    uint64_t before = nullserver_count(nullset_member(it.set, 2), "isMaster");
    for (int i = 0; i < SEEKERS; i++) {
        seekers[i] = (struct seeker){.route = it.target.route, .generation = it.target.generation};
        assert_int_equal(pthread_create(&seekers[i].thread, NULL, seek, &seekers[i]), 0);
    }
    for (int i = 0; i < SEEKERS; i++) {
        pthread_join(seekers[i].thread, NULL);
        assert_true(seekers[i].is_found);
    }
    assert_int_equal(nullserver_count(nullset_member(it.set, 2), "isMaster") - before, 1);
    struct error err = {0};
    if (!target_is_alive(&it.target, &err))
        fail_msg("%s", err.message);
    null_set_release(&it);
}

static void an_election_is_seen_while_one_is_silent(void **state)
{
    (void)state;
    struct null_set it;
    null_set_init(&it, &(struct nullset_config){.members = 3, .name = "rs"}, "");
    struct nullserver *two = nullset_member(it.set, 2);
    struct seeker seeker = {.route = it.target.route, .generation = it.target.generation};
    nullset_set_fault(it.set, 1, NULLSERVER_MUTE);
    nullset_elect(it.set, -1);
    uint64_t before = nullserver_count(two, "isMaster");
    assert_int_equal(pthread_create(&seeker.thread, NULL, seek, &seeker), 0);
    while (nullserver_count(two, "isMaster") == before)
        clock_sleep_ns(CLOCK_NS_PER_MS);
    nullset_elect(it.set, 2);
    pthread_join(seeker.thread, NULL);
    assert_true(seeker.is_found);
    null_set_release(&it);
}

/* As a run waits for its server. */
static void await_primary(struct null_set *it)
{
    struct outage outage;
    struct error err;
    int64_t asked_ns;
    outage_init(&outage, 60 * CLOCK_NS_PER_SEC, NULL, NULL);
    do {
        error_init(&err);
        asked_ns = clock_mono_ns();
        if (target_is_alive(&it->target, &err))
            return;
    } while (outage_goes_on(&outage, asked_ns, err.message));
    fail_msg("%s", err.message);
}

static void no_primary_is_said_by_member(void **state)
{
    (void)state;
    struct null_set it;
    struct error err = {0};
    null_set_init(&it, &(struct nullset_config){.members = 2, .name = "rs"}, "");
    nullset_elect(it.set, -1);
    assert_false(target_is_alive(&it.target, &err));
    char *expected =
        memory_printf("the replica set rs has no primary: 127.0.0.1:%u: SECONDARY; 127.0.0.1:%u: SECONDARY",
                      nullserver_port(nullset_member(it.set, 0)), nullserver_port(nullset_member(it.set, 1)));
    assert_string_equal(err.message, expected);
    free(expected);
    nullset_elect(it.set, 1);
    await_primary(&it);
    null_set_release(&it);
}

static void set_up_follows_the_primary(void **state)
{
    (void)state;
    struct null_set it;
    struct error err = {0};
    null_set_init(&it, &(struct nullset_config){.members = 3, .name = "rs"}, "");
    for (int i = 0; i < 6; i++) {
        nullset_elect(it.set, i % 3);
        uint64_t before = nullserver_count(nullset_member(it.set, (unsigned)i % 3), "fsync");
        bson_t *command = BCON_NEW("fsync", BCON_INT32(1));
        if (!target_is_alive(&it.target, &err) || !target_command(&it.target, "admin", command, NULL, NULL, &err))
            fail_msg("%s", err.message);
        bson_destroy(command);
        assert_int_equal(nullserver_count(nullset_member(it.set, (unsigned)i % 3), "fsync"), before + 1);
    }
    null_set_release(&it);
}

static void routers_share_the_connections(void **state)
{
    (void)state;
    struct error err = {0};
    struct nullserver *one = nullserver_start(&(struct nullserver_config){.role = NULLSERVER_MONGOS}, &err);
    struct nullserver *two = nullserver_start(&(struct nullserver_config){.role = NULLSERVER_MONGOS}, &err);
    assert_true(one && two);
    char *uri =
        memory_printf("mongodb://127.0.0.1:%u,127.0.0.1:1,127.0.0.1:%u", nullserver_port(one), nullserver_port(two));
    struct target target;
    const struct run_options options = {.patience_ns = CLOCK_NS_PER_SEC};
    if (!target_open(&target, &options, uri, NULL, NULL, &err))
        fail_msg("%s", err.message);
    for (unsigned i = 0; i < 4; i++) {
        unsigned generation;
        mongoc_uri_t *place = route_take(target.route, i, &generation);
        assert_null(mongoc_uri_get_hosts(place)->next);
        assert_true(mongoc_uri_get_option_as_bool(place, MONGOC_URI_DIRECTCONNECTION, false));
        assert_int_equal(mongoc_uri_get_hosts(place)->port, nullserver_port(i % 2 ? two : one));
        mongoc_uri_destroy(place);
    }
    nullserver_stop(one);
    struct transport *transport = transport_open(target.route, 0, NULL, &err);
    if (!transport)
        fail_msg("%s", err.message);
    transport_close(transport);
    assert_true(target_close(&target));
    nullserver_stop(two);
    free(uri);
}

struct stress {
    struct null_set it;
    struct connector_pool *pool;
    struct fixture fixture;
    struct trial_config config;
};

static void stress_init(struct stress *stress, unsigned members, enum run_client client)
{
    static const struct nullset_config timing = {.name = "rs", .election_ms = 50, .vacancy_ms = 5};
    struct nullset_config config = timing;
    config.members = members;
    *stress = (struct stress){0};
    null_set_init(&stress->it, &config, "connectTimeoutMS=60&socketTimeoutMS=200");
    stress->pool = connector_pool_new(&stress->it.target, 4);
    fixture_init(&stress->fixture, "[{'op': 'insert', 'doc': {'x': 1}}]");
    stress->fixture.config.sessions = 8;
    fixture_compile(&stress->fixture, 0);
    stress->config = (struct trial_config){.target = &stress->it.target,
                                           .pool = stress->pool,
                                           .plan = stress->fixture.plan,
                                           .sessions = 8,
                                           .client = client,
                                           .seed = 1,
                                           .trial_time_ns = 40 * CLOCK_NS_PER_MS,
                                           .grace_ns = 20 * CLOCK_NS_PER_MS};
}

static void stress_release(struct stress *stress)
{
    assert_true(connector_pool_free(stress->pool, CONNECTOR_END_MS));
    fixture_release(&stress->fixture);
    null_set_release(&stress->it);
}

/* Some trials are measured, others find no primary: what matters is that each comes to its end, and adds up. */
static unsigned run_rounds(struct stress *stress, unsigned rounds, bool waits,
                           void (*disturb)(struct nullset *set, unsigned round))
{
    unsigned measured = 0;
    for (unsigned i = 0; i < rounds; i++) {
        struct trial_result out = {0};
        disturb(stress->it.set, i);
        tally_init(&out.tally);
        assert_true(trial_execute(&stress->config, &out));
        assert_true(tally_is_balanced(&out.tally));
        assert_true(out.state == TRIAL_MEASURED || *out.reason);
        measured += out.state == TRIAL_MEASURED && out.tally.succeeded > 0;
        if (waits)
            await_primary(&stress->it);
        else
            target_is_alive(&stress->it.target, NULL);
    }
    return measured;
}

/* The faults go round with the elections, so that each of them is also the primary's. */
static void disturb_three(struct nullset *set, unsigned round)
{
    static const enum nullserver_fault faults[] = {NULLSERVER_REFUSE, NULLSERVER_MUTE, NULLSERVER_HANGUP};
    for (unsigned i = 0; i < 3; i++)
        nullset_set_fault(set, i, faults[(i + round) % 3]);
}

static void disturb_all_but_one(struct nullset *set, unsigned round)
{
    static const enum nullserver_fault faults[] = {NULLSERVER_REFUSE, NULLSERVER_MUTE, NULLSERVER_HANGUP,
                                                   NULLSERVER_OK};
    for (unsigned i = 0; i < 4; i++)
        nullset_set_fault(set, i, faults[(i + round / 4) % 4]);
}

static void disturb_nobody(struct nullset *set, unsigned round)
{
    (void)set;
    (void)round;
}

static void ends_without_a_primary(void **state)
{
    (void)state;
    struct stress stress;
    stress_init(&stress, 3, RUN_CLIENT_OWN);
    run_rounds(&stress, ROUNDS, false, disturb_three);
    stress_release(&stress);
}

static void ends_with_one_that_moves(void **state)
{
    (void)state;
    struct stress stress;
    stress_init(&stress, 4, RUN_CLIENT_OWN);
    run_rounds(&stress, ROUNDS, true, disturb_all_but_one);
    stress_release(&stress);
}

static void measures_through_elections(void **state)
{
    (void)state;
    struct stress stress;
    stress_init(&stress, 3, RUN_CLIENT_OWN);
    assert_true(run_rounds(&stress, FEWER, true, disturb_nobody) > FEWER / 2);
    stress_release(&stress);
}

static void the_driver_too(void **state)
{
    (void)state;
    struct stress stress;
    stress_init(&stress, 3, RUN_CLIENT_DRIVER);
    assert_true(run_rounds(&stress, FEWER / 2, true, disturb_nobody) > 0);
    run_rounds(&stress, FEWER / 2, false, disturb_three);
    stress_release(&stress);
}

int main(void)
{
    alarm(HANG_S);
    target_library_init();
    const struct CMUnitTest tests[] = {
        NAMED_TEST(everybody_is_asked, "every member is asked, whoever refuses, is silent or closes"),
        NAMED_TEST(the_silent_hold_up_nobody, "a silent member does not hold up who has found the primary"),
        NAMED_TEST(the_later_election_counts, "of two that call themselves primary the later elected one is it"),
        NAMED_TEST(one_looks_for_all, "one looks for the primary while all others wait"),
        NAMED_TEST(an_election_is_seen_while_one_is_silent, "who has answered is asked again while one is silent"),
        NAMED_TEST(no_primary_is_said_by_member, "a set without a primary is described member by member"),
        NAMED_TEST(set_up_follows_the_primary, "set-up goes where the primary is"),
        NAMED_TEST(routers_share_the_connections, "connections are shared among the routers that answer"),
        NAMED_TEST(ends_without_a_primary, "trials on three members that refuse, are silent and close all end"),
        NAMED_TEST(ends_with_one_that_moves, "trials end when one more member is well, each in turn"),
        NAMED_TEST(measures_through_elections, "trials are measured through elections every 50 ms"),
        NAMED_TEST(the_driver_too, "so are those of the driver"),
    };
    int failed = cmocka_run_group_tests_name("failover", tests, NULL, NULL);
    target_library_cleanup();
    return failed;
}
