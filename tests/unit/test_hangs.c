/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that never come back: of the name service, and of libmongoc. The functions with their names stand in for
 * theirs. */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "engine/connector.h"
#include "engine/resolve.h"
#include "null_target.h"

#include "unit.h"

enum { HANG_S = 120 };

/* What hangs goes on when the test is over. */
struct hang {
    atomic_bool is_on;
    atomic_int inside, calls;
};
static struct hang name_service, library;

static void hang_in(struct hang *hang)
{
    atomic_fetch_add(&hang->calls, 1);
    atomic_fetch_add(&hang->inside, 1);
    while (atomic_load(&hang->is_on))
        clock_sleep_ns(CLOCK_NS_PER_MS);
    atomic_fetch_sub(&hang->inside, 1);
}

static void begin(struct hang *hang)
{
    atomic_store(&hang->is_on, true);
}

static void end(struct hang *hang)
{
    atomic_store(&hang->is_on, false);
    while (atomic_load(&hang->inside) > 0)
        clock_sleep_ns(CLOCK_NS_PER_MS);
}

static void *real(const char *name)
{
    void *symbol = dlsym(RTLD_NEXT, name);
    assert_non_null(symbol);
    return symbol;
}

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **list)
{
    int (*call)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    void *symbol = real("getaddrinfo");
    memcpy(&call, &symbol, sizeof call);
    if (!(hints->ai_flags & AI_NUMERICHOST))
        hang_in(&name_service);
    return call(name, service, hints, list);
}

mongoc_server_description_t *mongoc_client_select_server(mongoc_client_t *client, bool for_writes,
                                                         const mongoc_read_prefs_t *prefs, bson_error_t *error)
{
    mongoc_server_description_t *(*call)(mongoc_client_t *, bool, const mongoc_read_prefs_t *, bson_error_t *);
    void *symbol = real("mongoc_client_select_server");
    memcpy(&call, &symbol, sizeof call);
    hang_in(&library);
    return call(client, for_writes, prefs, error);
}

static struct wait_terms shortly(void)
{
    return (struct wait_terms){.limit_ns = clock_mono_ns() + 50 * CLOCK_NS_PER_MS};
}

static void addresses_cost_no_look_up(void **state)
{
    (void)state;
    const struct wait_terms terms = {0};
    const char *reason = NULL;
    begin(&name_service);
    struct addrinfo *list = resolve_host("127.0.0.1", 27017, AF_UNSPEC, &terms, &reason);
    assert_non_null(list);
    assert_int_equal(list->ai_family, AF_INET);
    freeaddrinfo(list);
    list = resolve_host("::1", 27017, AF_UNSPEC, &terms, &reason);
    assert_non_null(list);
    assert_int_equal(list->ai_family, AF_INET6);
    freeaddrinfo(list);
    end(&name_service);
}

static void names_are_looked_up(void **state)
{
    (void)state;
    const struct wait_terms terms = {0};
    const char *reason = NULL;
    struct addrinfo *list = resolve_host("localhost", 27017, AF_INET, &terms, &reason);
    assert_non_null(list);
    assert_int_equal(ntohs(((const struct sockaddr_in *)(const void *)list->ai_addr)->sin_port), 27017);
    freeaddrinfo(list);
    assert_null(resolve_host("nowhere.invalid", 27017, AF_UNSPEC, &terms, &reason));
    assert_non_null(reason);
}

static void silent_name_service_is_given_up(void **state)
{
    (void)state;
    const struct wait_terms terms = shortly();
    const char *reason = NULL;
    begin(&name_service);
    assert_null(resolve_host("localhost", 27017, AF_UNSPEC, &terms, &reason));
    assert_string_equal(reason, "the name service does not answer");
    assert_int_equal(atomic_load(&name_service.inside), 1);
    end(&name_service);
}

static void a_cut_ends_the_look_up(void **state)
{
    (void)state;
    const atomic_bool cut = true;
    const struct wait_terms terms = {.cut = &cut};
    const char *reason = NULL;
    begin(&name_service);
    assert_null(resolve_host("localhost", 27017, AF_UNSPEC, &terms, &reason));
    assert_string_equal(reason, "interrupted while its address was looked up");
    end(&name_service);
}

static void transport_says_so(void **state)
{
    (void)state;
    struct null_target it;
    struct error err = {0};
    null_target_init(&it, &(struct nullserver_config){0}, "");
    mongoc_uri_t *uri = mongoc_uri_new("mongodb://localhost:1/?directConnection=true");
    struct route *route = route_new_fixed(uri);
    const atomic_bool cut = true;
    begin(&name_service);
    assert_null(transport_open(route, 0, &cut, &err));
    end(&name_service);
    assert_non_null(strstr(err.message, "localhost: interrupted while its address was looked up"));
    route_free(route);
    mongoc_uri_destroy(uri);
    null_target_release(&it);
}

/* A thread that does not come back keeps what it uses. */
static void stuck_library_does_not_hold_up_the_end(void **state)
{
    (void)state;
    struct null_target it;
    struct error err = {0};
    null_target_init(&it, &(struct nullserver_config){0}, "");
    struct connector_pool *pool = connector_pool_new(&it.target, 2);
    begin(&library);
    assert_false(connector_pool_reserve(pool, 2, clock_mono_ns() + 50 * CLOCK_NS_PER_MS, &err));
    assert_string_equal(err.message, "only 0 of 2 connections could be opened in time");
    assert_false(connector_pool_free(pool, 50));
    end(&library);
    /* In the test it does come back. */
    assert_true(connector_pool_free(pool, HANG_S * 1000));
    null_target_release(&it);
}

struct listener {
    int fd;
    pthread_t thread;
};

/* Takes one connection, but no second one, and closes it when it is spoken to. */
static void *take_one(void *context)
{
    const struct listener *listener = context;
    int fd = accept(listener->fd, NULL, NULL);
    char bytes[64];
    assert_true(fd >= 0);
    close(listener->fd);
    ssize_t n = recv(fd, bytes, sizeof bytes, 0);
    (void)n;
    close(fd);
    return NULL;
}

static void listen_once(struct listener *listener, uint16_t port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int one = 1;
    listener->fd = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(listener->fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    assert_int_equal(bind(listener->fd, (const struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(listener->fd, 1), 0);
    assert_int_equal(pthread_create(&listener->thread, NULL, take_one, listener), 0);
}

static bool ping(struct peer *peer, bson_error_t *error)
{
    bson_t *command = BCON_NEW("insert", "c", "documents", "[", "{", "}", "]");
    bool ok = mongoc_client_command_simple(peer->client, "test", command, NULL, NULL, error);
    bson_destroy(command);
    return ok;
}

/*
 * libmongoc asks a server that it knows, and that has lost its connection, for a greeting; when that fails it connects
 * once more, with a lock held that it takes again if this cannot be done.
 */
static void a_lost_server_is_told_not_waited_for(void **state)
{
    (void)state;
    struct null_target it;
    struct wait_terms terms = {0};
    struct error err = {0};
    bson_error_t reason = {0};
    struct listener listener;
    null_target_init(&it, &(struct nullserver_config){.fault = NULLSERVER_NEVER_ANSWER, .fault_after = 1},
                     "directConnection=true&socketTimeoutMS=100");
    uint16_t port = mongoc_uri_get_hosts(it.target.uri)->port;
    struct peer *peer = peer_new(it.target.uri, &terms, &err);
    assert_non_null(peer);
    assert_true(ping(peer, &reason));
    assert_false(ping(peer, &reason));
    assert_int_equal(terms.timeouts, 1);
    null_target_stop_server(&it);
    listen_once(&listener, port);
    assert_false(ping(peer, &reason));
    assert_int_equal(terms.connections, 3);
    peer_explain(peer, &reason);
    assert_non_null(strstr(reason.message, "connection refused"));
    pthread_join(listener.thread, NULL);
    peer_free(peer);
    null_target_release(&it);
}

int main(void)
{
    alarm(HANG_S);
    target_library_init();
    const struct CMUnitTest tests[] = {
        NAMED_TEST(addresses_cost_no_look_up, "an address is no name to look up"),
        NAMED_TEST(names_are_looked_up, "a name is looked up, one that is none is told"),
        NAMED_TEST(silent_name_service_is_given_up, "a name service that does not answer is given up"),
        NAMED_TEST(a_cut_ends_the_look_up, "and whoever asks it can be told to stop"),
        NAMED_TEST(transport_says_so, "a connection that fails for it says so"),
        NAMED_TEST(stuck_library_does_not_hold_up_the_end,
                   "a thread that hangs in libmongoc is left behind at the end"),
        NAMED_TEST(a_lost_server_is_told_not_waited_for,
                   "a server that went away between two calls is an error at once"),
    };
    int failed = cmocka_run_group_tests_name("hangs", tests, NULL, NULL);
    target_library_cleanup();
    return failed;
}
