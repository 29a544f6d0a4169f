/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/connector.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "null_target.h"

#include "unit.h"

enum { HANG_S = 120 };

static int64_t soon(void)
{
    return clock_mono_ns() + 60 * CLOCK_NS_PER_SEC;
}

static void reserve_or_fail(struct connector_pool *pool, unsigned count)
{
    struct error err;
    error_init(&err);
    if (!connector_pool_reserve(pool, count, soon(), &err))
        fail_msg("%s", err.message);
}

static void reserves_what_is_missing(void **state)
{
    (void)state;
    struct null_target it;
    null_target_init(&it, &(struct nullserver_config){0}, "");
    struct connector_pool *pool = connector_pool_new(&it.target, 3);
    reserve_or_fail(pool, 4);
    struct transport *first = connector_take(pool, 0);
    assert_non_null(first);
    connector_give_back(pool, 0, first);
    reserve_or_fail(pool, 40);
    assert_ptr_equal(connector_take(pool, 0), first);
    struct transport *last = connector_take(pool, 39);
    assert_non_null(last);
    connector_give_back(pool, 39, last);
    connector_give_back(pool, 0, NULL);
    transport_close(first);
    reserve_or_fail(pool, 30);
    first = connector_take(pool, 0);
    assert_non_null(first);
    connector_give_back(pool, 0, first);
    assert_true(connector_pool_free(pool, CONNECTOR_END_MS));
    null_target_release(&it);
}

static void replaces_what_broke_while_idle(void **state)
{
    (void)state;
    struct null_target it;
    null_target_init(&it, &(struct nullserver_config){0}, "");
    struct connector_pool *pool = connector_pool_new(&it.target, 2);
    reserve_or_fail(pool, 8);
    null_target_stop_server(&it);
    null_target_restart_server(&it, &(struct nullserver_config){0});
    reserve_or_fail(pool, 8);
    for (unsigned i = 0; i < 8; i++) {
        struct transport *transport = connector_take(pool, i);
        assert_true(transport_is_usable(transport));
        connector_give_back(pool, i, transport);
    }
    assert_true(connector_pool_free(pool, CONNECTOR_END_MS));
    null_target_release(&it);
}

static void reserve_tells_the_first_failure(void **state)
{
    (void)state;
    struct null_target it;
    struct error err;
    null_target_init(&it, &(struct nullserver_config){0}, "");
    struct connector_pool *pool = connector_pool_new(&it.target, 2);
    null_target_stop_server(&it);
    error_init(&err);
    assert_false(connector_pool_reserve(pool, 20, soon(), &err));
    assert_non_null(strstr(err.message, "connection 1 of 20: "));
    assert_non_null(strstr(err.message, "refused"));
    null_target_restart_server(&it, &(struct nullserver_config){0});
    reserve_or_fail(pool, 20);
    assert_true(connector_pool_free(pool, CONNECTOR_END_MS));
    null_target_release(&it);
}

static void reserve_ends_at_its_deadline(void **state)
{
    (void)state;
    struct null_target it;
    struct error err;
    null_target_init(&it, &(struct nullserver_config){.fault = NULLSERVER_MUTE}, "connectTimeoutMS=1000");
    struct connector_pool *pool = connector_pool_new(&it.target, 2);
    error_init(&err);
    assert_false(connector_pool_reserve(pool, 5, clock_mono_ns() + 50 * CLOCK_NS_PER_MS, &err));
    assert_non_null(strstr(err.message, "only 0 of 5"));
    assert_true(connector_pool_free(pool, CONNECTOR_END_MS));
    null_target_release(&it);
}

static struct transport *wait_reopened(struct connector_pool *pool, unsigned index, int wake_fd, struct error *err)
{
    struct transport *transport = NULL;
    struct pollfd item = {.fd = wake_fd, .events = POLLIN};
    eventfd_t count;
    assert_int_equal(poll(&item, 1, -1), 1);
    eventfd_read(wake_fd, &count);
    assert_true(connector_poll_reopened(pool, index, &transport, err));
    return transport;
}

static void reopens_and_wakes(void **state)
{
    (void)state;
    struct null_target it;
    struct error err;
    null_target_init(&it, &(struct nullserver_config){0}, "");
    struct connector_pool *pool = connector_pool_new(&it.target, 2);
    int wake_fd = eventfd(0, 0);
    reserve_or_fail(pool, 2);
    struct transport *transport = connector_take(pool, 1);
    struct transport *ignored;
    assert_false(connector_poll_reopened(pool, 1, &ignored, NULL));
    connector_reopen(pool, 1, transport, wake_fd);
    error_init(&err);
    transport = wait_reopened(pool, 1, wake_fd, &err);
    assert_true(transport_is_usable(transport));
    assert_false(err.is_set);
    null_target_stop_server(&it);
    connector_reopen(pool, 1, transport, wake_fd);
    assert_null(wait_reopened(pool, 1, wake_fd, &err));
    assert_non_null(strstr(err.message, "refused"));
    connector_reopen(pool, 1, NULL, wake_fd);
    assert_null(wait_reopened(pool, 1, wake_fd, &err));
    connector_give_back(pool, 1, NULL);
    assert_true(connector_pool_free(pool, CONNECTOR_END_MS));
    close(wake_fd);
    null_target_release(&it);
}

static void forgotten_requests_end_in_the_pool(void **state)
{
    (void)state;
    struct null_target it;
    null_target_init(&it, &(struct nullserver_config){0}, "");
    struct connector_pool *pool = connector_pool_new(&it.target, 1);
    int wake_fd = eventfd(0, 0);
    reserve_or_fail(pool, 30);
    for (unsigned i = 0; i < 30; i++)
        connector_reopen(pool, i, connector_take(pool, i), wake_fd);
    for (unsigned i = 0; i < 30; i++)
        connector_forget(pool, i);
    close(wake_fd);
    reserve_or_fail(pool, 30);
    struct transport *last = connector_take(pool, 29);
    assert_true(transport_is_usable(last));
    connector_give_back(pool, 29, last);
    assert_true(connector_pool_free(pool, CONNECTOR_END_MS));
    null_target_release(&it);
}

int main(void)
{
    alarm(HANG_S);
    target_library_init();
    const struct CMUnitTest tests[] = {
        NAMED_TEST(reserves_what_is_missing, "reserving opens what is missing and keeps what is there"),
        NAMED_TEST(replaces_what_broke_while_idle, "a transport that broke while idle is replaced"),
        NAMED_TEST(reserve_tells_the_first_failure, "a failed reserve tells the first failure and can be repeated"),
        NAMED_TEST(reserve_ends_at_its_deadline, "reserving ends at its deadline"),
        NAMED_TEST(reopens_and_wakes, "a broken transport is reopened in the background and its worker woken"),
        NAMED_TEST(forgotten_requests_end_in_the_pool, "what comes after its request was withdrawn goes to the pool"),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    target_library_cleanup();
    return failed;
}
