/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/transport.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "null_target.h"

#include "unit.h"

enum { HANG_S = 120 };

static struct transport *open_or_fail(const struct null_target *it)
{
    struct error err;
    error_init(&err);
    struct transport *transport = transport_open(it->target.route, 0, NULL, &err);
    if (!transport)
        fail_msg("%s", err.message);
    return transport;
}

/* With a buffer of its own, or one that others use too. */
static struct transport *open_lending(const struct null_target *it, uint8_t *buffer)
{
    struct transport *transport = open_or_fail(it);
    transport_lend(transport, buffer);
    return transport;
}

static void wait_until_possible(const struct transport *transport, enum transport_status status)
{
    struct pollfd item = {.fd = transport_fd(transport), .events = status == TRANSPORT_WANT_READ ? POLLIN : POLLOUT};
    poll(&item, 1, -1);
}

static enum transport_status send_all(struct transport *transport, const struct iovec *iov, int count)
{
    enum transport_status status = transport_send(transport, iov, count);
    while (status == TRANSPORT_WANT_WRITE) {
        wait_until_possible(transport, status);
        status = transport_send(transport, NULL, 0);
    }
    return status;
}

static enum transport_status receive(struct transport *transport, const uint8_t **message, size_t *size)
{
    enum transport_status status = transport_receive(transport, message, size);
    while (status == TRANSPORT_WANT_READ) {
        wait_until_possible(transport, status);
        status = transport_receive(transport, message, size);
    }
    return status;
}

static enum transport_status send_insert(struct transport *transport, int32_t id, size_t padding)
{
    struct buffer request = {0};
    null_target_append_insert(&request, id, padding);
    struct iovec iov = {request.data, request.size};
    enum transport_status status = send_all(transport, &iov, 1);
    buffer_release(&request);
    return status;
}

static void check_ok(struct transport *transport, int32_t id)
{
    const uint8_t *reply;
    size_t size;
    assert_int_equal(receive(transport, &reply, &size), TRANSPORT_DONE);
    assert_int_equal(null_target_response_to(reply), id);
    assert_int_equal(null_target_number(reply, size, "ok"), 1);
    assert_int_equal(null_target_number(reply, size, "n"), 1);
}

static void exchanges_messages(void **state)
{
    (void)state;
    struct null_target it;
    null_target_init(&it, &(struct nullserver_config){.record = true}, "");
    struct transport *transport = open_or_fail(&it);
    for (int32_t id = 100; id < 110; id++) {
        assert_int_equal(send_insert(transport, id, 10), TRANSPORT_DONE);
        check_ok(transport, id);
        assert_true(transport_is_usable(transport));
    }
    assert_int_equal(nullserver_count(it.server, "insert"), 10);
    transport_close(transport);
    null_target_release(&it);
}

static void finds_the_primary_of_a_replica_set(void **state)
{
    (void)state;
    struct null_target it;
    null_target_init(&it, &(struct nullserver_config){.replica_set = "rs"}, "replicaSet=rs");
    struct transport *transport = open_or_fail(&it);
    assert_int_equal(send_insert(transport, 1, 10), TRANSPORT_DONE);
    check_ok(transport, 1);
    transport_close(transport);
    null_target_release(&it);
}

static void starts_no_logical_session(void **state)
{
    (void)state;
    struct null_target it;
    null_target_init(&it, &(struct nullserver_config){.record = true}, "");
    struct transport *transport = open_or_fail(&it);
    assert_int_equal(send_insert(transport, 1, 10), TRANSPORT_DONE);
    check_ok(transport, 1);
    transport_close(transport);
    transport = open_or_fail(&it);
    transport_close(transport);
    assert_int_equal(nullserver_count(it.server, "endSessions"), 0);
    assert_int_equal(nullserver_count(it.server, "ping"), 0);
    null_target_release(&it);
}

static void sends_many_vectors(void **state)
{
    (void)state;
    struct null_target it;
    null_target_init(&it, &(struct nullserver_config){0}, "");
    struct transport *transport = open_or_fail(&it);
    struct buffer request = {0};
    null_target_append_insert(&request, 7, 3000);
    struct iovec iov[50];
    for (size_t i = 0; i < 50; i++) {
        size_t begin = request.size * i / 50;
        iov[i] = (struct iovec){request.data + begin, request.size * (i + 1) / 50 - begin};
    }
    assert_int_equal(send_all(transport, iov, 50), TRANSPORT_DONE);
    check_ok(transport, 7);
    buffer_release(&request);
    transport_close(transport);
    null_target_release(&it);
}

static void finishes_what_the_socket_took_in_part(void **state)
{
    (void)state;
    struct null_target it;
    null_target_init(&it, &(struct nullserver_config){0}, "");
    struct transport *transport = open_or_fail(&it);
    int size = 4096;
    setsockopt(transport_fd(transport), SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    struct buffer request = {0};
    null_target_append_insert(&request, 9, 15000000);
    struct iovec iov[2] = {{request.data, 1000}, {request.data + 1000, request.size - 1000}};
    assert_int_equal(transport_send(transport, iov, 2), TRANSPORT_WANT_WRITE);
    assert_false(transport_is_usable(transport));
    enum transport_status status = TRANSPORT_WANT_WRITE;
    while (status == TRANSPORT_WANT_WRITE) {
        wait_until_possible(transport, status);
        status = transport_send(transport, NULL, 0);
    }
    assert_int_equal(status, TRANSPORT_DONE);
    check_ok(transport, 9);
    buffer_release(&request);
    transport_close(transport);
    null_target_release(&it);
}

static void check_several_replies(uint8_t *buffer)
{
    struct null_target it;
    null_target_init(&it, &(struct nullserver_config){0}, "");
    struct transport *transport = open_lending(&it, buffer);
    struct buffer requests = {0};
    for (int32_t id = 1; id <= 5; id++)
        null_target_append_insert(&requests, id, 10);
    struct iovec iov = {requests.data, requests.size};
    assert_int_equal(send_all(transport, &iov, 1), TRANSPORT_DONE);
    wait_until_possible(transport, TRANSPORT_WANT_READ);
    for (int32_t id = 1; id <= 5; id++)
        check_ok(transport, id);
    assert_false(transport_has_buffered(transport));
    buffer_release(&requests);
    transport_close(transport);
    null_target_release(&it);
}

static void takes_several_replies_of_one_read(void **state)
{
    (void)state;
    uint8_t lent[TRANSPORT_INPUT_SIZE];
    check_several_replies(NULL);
    check_several_replies(lent);
}

static void check_pieces(uint8_t *buffer)
{
    struct null_target it;
    null_target_init(&it, &(struct nullserver_config){.fault = NULLSERVER_PIECES}, "");
    struct transport *transport = open_lending(&it, buffer);
    for (int32_t id = 1; id <= 3; id++) {
        assert_int_equal(send_insert(transport, id, 10), TRANSPORT_DONE);
        check_ok(transport, id);
    }
    transport_close(transport);
    null_target_release(&it);
}

static void puts_a_reply_together_from_pieces(void **state)
{
    (void)state;
    uint8_t lent[TRANSPORT_INPUT_SIZE];
    check_pieces(NULL);
    check_pieces(lent);
}

static void check_large_reply(uint8_t *buffer)
{
    struct null_target it;
    char *text = calloc(100001, 1);
    memset(text, 'y', 100000);
    bson_t *reply = BCON_NEW("n", BCON_INT32(1), "x", BCON_UTF8(text), "ok", BCON_DOUBLE(1));
    struct nullserver_script script = {"insert", bson_get_data(reply), reply->len, 0};
    null_target_init(&it, &(struct nullserver_config){.scripts = &script, .script_count = 1}, "");
    struct transport *transport = open_lending(&it, buffer);
    for (int32_t id = 1; id <= 3; id++) {
        assert_int_equal(send_insert(transport, id, 10), TRANSPORT_DONE);
        check_ok(transport, id);
    }
    transport_close(transport);
    null_target_release(&it);
    bson_destroy(reply);
    free(text);
}

static void takes_a_reply_larger_than_its_buffer(void **state)
{
    (void)state;
    uint8_t lent[TRANSPORT_INPUT_SIZE];
    check_large_reply(NULL);
    check_large_reply(lent);
}

static void waits_for_a_reply_when_told_to(void **state)
{
    (void)state;
    struct null_target it;
    null_target_init(&it, &(struct nullserver_config){.fault = NULLSERVER_SLOW, .slow_ms = 250}, "");
    struct transport *transport = open_or_fail(&it);
    transport_set_waiting(transport, true);
    assert_int_equal(send_insert(transport, 3, 10), TRANSPORT_DONE);
    const uint8_t *reply;
    size_t size;
    unsigned calls = 1;
    while (transport_receive(transport, &reply, &size) == TRANSPORT_WANT_READ)
        calls++;
    assert_in_range(calls, 2, 20);
    assert_int_equal(null_target_response_to(reply), 3);
    transport_close(transport);
    null_target_release(&it);
}

/* How a broken exchange is described: by `fault`, with this cause, a text that holds this. */
static void check_loss(enum nullserver_fault fault, int cause, const char *text)
{
    struct null_target it;
    null_target_init(&it, &(struct nullserver_config){.fault = fault}, "");
    struct transport *transport = open_or_fail(&it);
    assert_int_equal(send_insert(transport, 1, 10), TRANSPORT_DONE);
    const uint8_t *reply;
    size_t size;
    assert_int_equal(receive(transport, &reply, &size), TRANSPORT_CLOSED);
    assert_int_equal(transport_errno(transport), cause);
    assert_non_null(strstr(transport_error(transport), text));
    assert_int_equal(transport_receive(transport, &reply, &size), TRANSPORT_CLOSED);
    assert_int_equal(send_insert(transport, 1, 10), TRANSPORT_CLOSED);
    assert_false(transport_is_usable(transport));
    transport_close(transport);
    null_target_release(&it);
}

static void tells_how_the_connection_was_lost(void **state)
{
    (void)state;
    check_loss(NULLSERVER_CLOSE, 0, "closed by the server");
    check_loss(NULLSERVER_CLOSE_MIDDLE, 0, "closed by the server");
    check_loss(NULLSERVER_GARBAGE_LENGTH, EPROTO, "length -286331154");
}

static void knows_that_an_idle_connection_was_closed(void **state)
{
    (void)state;
    struct null_target it;
    null_target_init(&it, &(struct nullserver_config){0}, "");
    struct transport *transport = open_or_fail(&it);
    assert_true(transport_is_usable(transport));
    null_target_stop_server(&it);
    wait_until_possible(transport, TRANSPORT_WANT_READ);
    assert_false(transport_is_usable(transport));
    transport_close(transport);
    null_target_release(&it);
}

static void closes_at_once_with_a_reply_outstanding(void **state)
{
    (void)state;
    struct null_target it;
    null_target_init(&it, &(struct nullserver_config){.fault = NULLSERVER_NEVER_ANSWER}, "");
    struct transport *transport = open_or_fail(&it);
    assert_int_equal(send_insert(transport, 1, 10), TRANSPORT_DONE);
    transport_close(transport);
    null_target_release(&it);
}

static void opening_fails_with_the_address_and_the_reason(void **state)
{
    (void)state;
    struct null_target it;
    struct error err;
    null_target_init(&it, &(struct nullserver_config){0}, "");
    null_target_stop_server(&it);
    error_init(&err);
    assert_null(transport_open(it.target.route, 0, NULL, &err));
    assert_non_null(strstr(err.message, mongoc_uri_get_hosts(it.target.uri)->host_and_port));
    assert_non_null(strstr(err.message, "refused"));
    null_target_release(&it);
}

static void opening_ends_when_the_server_says_nothing(void **state)
{
    (void)state;
    struct null_target it;
    struct error err;
    null_target_init(&it, &(struct nullserver_config){.fault = NULLSERVER_MUTE},
                     "connectTimeoutMS=300&serverSelectionTimeoutMS=300&serverSelectionTryOnce=false");
    error_init(&err);
    assert_null(transport_open(it.target.route, 0, NULL, &err));
    assert_true(err.is_set);
    null_target_release(&it);
}

static void a_pool_limit_in_the_uri_limits_nothing(void **state)
{
    (void)state;
    struct null_target it;
    struct transport *transports[3];
    null_target_init(&it, &(struct nullserver_config){0}, "maxPoolSize=1");
    for (int i = 0; i < 3; i++)
        transports[i] = open_or_fail(&it);
    for (int i = 0; i < 3; i++)
        transport_close(transports[i]);
    null_target_release(&it);
}

int main(void)
{
    alarm(HANG_S);
    target_library_init();
    const struct CMUnitTest tests[] = {
        NAMED_TEST(exchanges_messages, "a transport sends requests and receives their replies"),
        NAMED_TEST(finds_the_primary_of_a_replica_set, "the primary of a replica set is reached"),
        NAMED_TEST(starts_no_logical_session, "opening and closing starts no logical session and says no farewell"),
        NAMED_TEST(sends_many_vectors, "a request of many vectors arrives whole"),
        NAMED_TEST(finishes_what_the_socket_took_in_part, "a request that the socket takes in part is finished"),
        NAMED_TEST(takes_several_replies_of_one_read, "several replies of one read are handed out one by one"),
        NAMED_TEST(puts_a_reply_together_from_pieces, "a reply may come in any pieces"),
        NAMED_TEST(takes_a_reply_larger_than_its_buffer, "a reply may be larger than the buffer"),
        NAMED_TEST(waits_for_a_reply_when_told_to, "receiving waits a bounded time when told to"),
        NAMED_TEST(tells_how_the_connection_was_lost, "a lost connection is told by its cause and stays lost"),
        NAMED_TEST(knows_that_an_idle_connection_was_closed, "a connection closed while idle is not usable"),
        NAMED_TEST(closes_at_once_with_a_reply_outstanding, "closing does not wait for an outstanding reply"),
        NAMED_TEST(opening_fails_with_the_address_and_the_reason, "a failed opening names address and reason"),
        NAMED_TEST(opening_ends_when_the_server_says_nothing, "opening ends when the server never says a word"),
        NAMED_TEST(a_pool_limit_in_the_uri_limits_nothing, "maxPoolSize in the address limits nothing"),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    target_library_cleanup();
    return failed;
}
