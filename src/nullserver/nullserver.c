/* SPDX-License-Identifier: Apache-2.0 */
#include "nullserver/nullserver.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "nullserver/nullcatalog.h"
#include "nullserver/nullconn.h"
#include "nullserver/nulllog.h"
#include "nullserver/nullreply.h"

struct nullserver {
    struct nullserver_config config;
    struct nullreply_identity identity;
    unsigned *script_uses;
    atomic_int fault, role;
    _Atomic(const char *) members, primary;
    _Atomic uint64_t term;
    atomic_bool is_stopping;
    atomic_bool is_listening;
    uint64_t faults_done;
    struct nulllog log;
    struct nullcatalog *catalog;      /* NULL: of no age */
    int listen_fd, epoll_fd, wake_fd; /* an eventfd: something was set that the thread is to look at */
    struct nullconn **conns;          /* by descriptor */
    size_t conn_capacity;
    size_t due_count; /* of them that wait for a time */
    pthread_t thread;
    bool has_thread;
};

static void close_conn(struct nullserver *server, struct nullconn *conn)
{
    if (conn->due_ns)
        server->due_count--;
    server->conns[conn->fd] = NULL;
    nullconn_free(conn);
}

static void accept_all(struct nullserver *server)
{
    int fd;
    while ((fd = accept4(server->listen_fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        int one = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        if ((size_t)fd >= server->conn_capacity) {
            size_t capacity = (size_t)fd * 2;
            server->conns = memory_resize(server->conns, capacity, sizeof(struct nullconn *));
            memset(server->conns + server->conn_capacity, 0,
                   (capacity - server->conn_capacity) * sizeof(struct nullconn *));
            server->conn_capacity = capacity;
        }
        server->conns[fd] = nullconn_new(fd);
        struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.fd = fd};
        epoll_ctl(server->epoll_fd, EPOLL_CTL_ADD, fd, &event);
    }
}

/* The script whose turn it is for that command. */
static const struct nullserver_script *find_script(struct nullserver *server, const char *command)
{
    for (size_t i = 0; i < server->config.script_count; i++) {
        const struct nullserver_script *script = &server->config.scripts[i];
        if (strcmp(script->command, command) != 0 || (script->times && server->script_uses[i] == script->times))
            continue;
        server->script_uses[i]++;
        return script;
    }
    return NULL;
}

static void append_answer(struct nullserver *server, struct buffer *out, const struct nullwire_request *request)
{
    const struct nullserver_script *script = find_script(server, request->command);
    struct nullreply_identity identity = server->identity;
    if (strcmp(request->command, "replSetStepDown") == 0)
        atomic_store(&server->role, (int)NULLSERVER_SECONDARY);
    identity.role = (enum nullserver_role)atomic_load(&server->role);
    identity.members = atomic_load(&server->members);
    identity.primary = atomic_load(&server->primary);
    identity.term = atomic_load(&server->term);
    if (!script && nullreply_is_write(request->command) && identity.role > NULLSERVER_MONGOS) {
        nullreply_append_not_primary(out, request);
        return;
    }
    if (!script && server->catalog && nullcatalog_answer(server->catalog, out, request))
        return;
    if (!script) {
        nullreply_append(out, request, &identity);
        return;
    }
    size_t start = nullwire_reply_begin(out, request);
    buffer_append(out, script->reply, script->reply_size);
    nullwire_reply_end(out, start);
}

static enum nullserver_fault choose_fault(struct nullserver *server, struct nullconn *conn, const char *command)
{
    enum nullserver_fault fault = (enum nullserver_fault)atomic_load_explicit(&server->fault, memory_order_relaxed);
    if (fault == NULLSERVER_OK || fault == NULLSERVER_MUTE || fault >= NULLSERVER_HANGUP)
        return fault;
    if (fault == NULLSERVER_LOCKED)
        return nullreply_is_about_itself(command) ? NULLSERVER_OK : NULLSERVER_LOCKED;
    if (!nullreply_is_write(command) || conn->writes++ < server->config.fault_after)
        return NULLSERVER_OK;
    if (server->config.fault_times && server->faults_done == server->config.fault_times)
        return NULLSERVER_OK;
    server->faults_done++;
    return fault;
}

static void hold_back(struct nullserver *server, struct nullconn *conn)
{
    conn->due_ns = clock_mono_ns() + server->config.slow_ms * CLOCK_NS_PER_MS;
}

/* Spoils the good answer that stands in the output from `start` on. */
static void apply_fault(struct nullserver *server, struct nullconn *conn, const struct nullwire_request *request,
                        enum nullserver_fault fault, size_t start)
{
    struct buffer *out = &conn->out;
    switch (fault) {
    case NULLSERVER_OK:
    case NULLSERVER_UNASKED:
        break;
    case NULLSERVER_NEVER_ANSWER:
    case NULLSERVER_MUTE:
    case NULLSERVER_LOCKED:
        out->size = start;
        break;
    case NULLSERVER_CLOSE:
    case NULLSERVER_HANGUP:
    case NULLSERVER_REFUSE:
        out->size = start;
        conn->close_at_end = true;
        break;
    case NULLSERVER_CLOSE_MIDDLE:
        out->size = start + (out->size - start) / 2;
        conn->close_at_end = true;
        break;
    case NULLSERVER_GARBAGE_LENGTH:
        memset(out->data + start, 0xEE, 4);
        break;
    case NULLSERVER_WRONG_ID:
        out->data[start + 8] ^= 1;
        break;
    case NULLSERVER_NOT_PRIMARY:
        out->size = start;
        nullreply_append_not_primary(out, request);
        break;
    case NULLSERVER_SLOW:
        hold_back(server, conn);
        break;
    case NULLSERVER_PIECES:
        conn->in_pieces = true;
        break;
    }
}

static bool handle_message(struct nullserver *server, struct nullconn *conn, const uint8_t *message, size_t size)
{
    struct nullwire_request request;
    if (!nullwire_parse(message, size, &request))
        return false;
    nulllog_add(&server->log, request.command, message, size);
    enum nullserver_fault fault = choose_fault(server, conn, request.command);
    size_t start = conn->out.size;
    append_answer(server, &conn->out, &request);
    apply_fault(server, conn, &request, fault, start);
    if (!request.wants_reply && fault != NULLSERVER_UNASKED)
        conn->out.size = start;
    return true;
}

/* Everything that has come whole; an answer that is held back stops it. */
static bool handle_messages(struct nullserver *server, struct nullconn *conn)
{
    size_t size = 0;
    bool is_broken = false;
    const uint8_t *message = NULL;
    while (!conn->due_ns && !conn->close_at_end && (message = nullconn_next(conn, &size, &is_broken))) {
        if (!handle_message(server, conn, message, size))
            return false;
    }
    return !is_broken;
}

/* What was left unhandled is handled too, whether or not more has come. Reading on after a short read is not needed:
 * edge-triggered, what comes later is a new event. */
static bool read_and_answer(struct nullserver *server, struct nullconn *conn)
{
    size_t room = 0;
    do {
        if (!nullconn_fill(conn))
            return false;
        room = conn->in.capacity - conn->in.size;
        if (!handle_messages(server, conn))
            return false;
    } while (room == 0 && !conn->due_ns);
    return nullconn_flush(conn);
}

static void serve(struct nullserver *server, struct nullconn *conn)
{
    if (conn->due_ns)
        return;
    bool alive = nullconn_flush(conn) && read_and_answer(server, conn);
    if (conn->due_ns)
        server->due_count++;
    if (!alive)
        close_conn(server, conn);
}

/* Goes on with the connections whose time has come; milliseconds until the next one, -1: none. */
static int serve_due(struct nullserver *server)
{
    int64_t next_ns = INT64_MAX;
    int64_t now_ns = server->due_count ? clock_mono_ns() : 0;
    for (size_t fd = 0; server->due_count && fd < server->conn_capacity; fd++) {
        struct nullconn *conn = server->conns[fd];
        if (conn && conn->due_ns && conn->due_ns <= now_ns) {
            conn->due_ns = 0;
            server->due_count--;
            serve(server, conn);
            conn = server->conns[fd];
        }
        if (conn && conn->due_ns && conn->due_ns < next_ns)
            next_ns = conn->due_ns;
    }
    if (next_ns == INT64_MAX)
        return -1;
    return next_ns <= now_ns ? 0 : (int)((next_ns - now_ns) / CLOCK_NS_PER_MS) + 1;
}

static void close_all(struct nullserver *server)
{
    for (size_t fd = 0; fd < server->conn_capacity; fd++) {
        if (server->conns[fd])
            close_conn(server, server->conns[fd]);
    }
}

static void watch(struct nullserver *server, int fd)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    epoll_ctl(server->epoll_fd, EPOLL_CTL_ADD, fd, &event);
}

/* A socket that is bound and does not listen keeps the port, and whoever connects is refused. */
static int bind_port(uint16_t port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), one = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    close(fd);
    return -1;
}

static void refuse_or_listen(struct nullserver *server)
{
    bool refuses = atomic_load(&server->fault) == NULLSERVER_REFUSE;
    bool is_listening = atomic_load(&server->is_listening);
    if (refuses && is_listening) {
        close(server->listen_fd);
        close_all(server);
        server->listen_fd = bind_port(server->identity.port);
    } else if (!refuses && !is_listening) {
        listen(server->listen_fd, SOMAXCONN);
        watch(server, server->listen_fd);
    }
    atomic_store(&server->is_listening, !refuses);
}

static void *run(void *context)
{
    struct nullserver *server = context;
    struct epoll_event events[64];
    eventfd_t ignored;
    while (!atomic_load(&server->is_stopping)) {
        refuse_or_listen(server);
        int n = epoll_wait(server->epoll_fd, events, 64, serve_due(server));
        for (int i = 0; i < n; i++) {
            int fd = events[i].data.fd;
            if (fd == server->wake_fd)
                eventfd_read(server->wake_fd, &ignored);
            else if (fd == server->listen_fd)
                accept_all(server);
            else if (server->conns[fd])
                serve(server, server->conns[fd]);
        }
    }
    return NULL;
}

static bool listen_on(struct nullserver *server, uint16_t port, struct error *err)
{
    struct sockaddr_in address = {0};
    socklen_t size = sizeof address;
    server->listen_fd = bind_port(port);
    if (server->listen_fd < 0 || listen(server->listen_fd, SOMAXCONN) != 0) {
        error_set(err, "null server: port %u on 127.0.0.1: %s", port, strerror(errno));
        return false;
    }
    getsockname(server->listen_fd, (struct sockaddr *)&address, &size);
    server->identity.port = ntohs(address.sin_port);
    return true;
}

struct nullserver *nullserver_start(const struct nullserver_config *config, struct error *err)
{
    struct nullserver *server = memory_zeroed(1, sizeof *server);
    server->config = *config;
    server->identity.replica_set = config->replica_set;
    server->identity.era = config->era;
    server->identity.me = config->me;
    server->identity.version = config->version;
    atomic_init(&server->members, config->members);
    atomic_init(&server->primary, config->primary);
    atomic_init(&server->term, 0);
    atomic_init(&server->is_stopping, false);
    atomic_init(&server->is_listening, true);
    atomic_init(&server->role, (int)config->role);
    server->script_uses = memory_zeroed(config->script_count + 1, sizeof *server->script_uses);
    atomic_init(&server->fault, (int)config->fault);
    nulllog_init(&server->log, config->record);
    if (config->era != NULLSERVER_NO_ERA)
        server->catalog = nullcatalog_new(config->era);
    server->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    server->wake_fd = eventfd(0, EFD_CLOEXEC);
    if (!listen_on(server, config->port, err)) {
        nullserver_stop(server);
        return NULL;
    }
    watch(server, server->listen_fd);
    watch(server, server->wake_fd);
    int code = pthread_create(&server->thread, NULL, run, server);
    if (code != 0) {
        error_set(err, "null server: cannot start a thread: %s", strerror(code));
        nullserver_stop(server);
        return NULL;
    }
    server->has_thread = true;
    return server;
}

void nullserver_stop(struct nullserver *server)
{
    if (!server)
        return;
    if (server->has_thread) {
        atomic_store(&server->is_stopping, true);
        eventfd_write(server->wake_fd, 1);
        pthread_join(server->thread, NULL);
    }
    close_all(server);
    close(server->listen_fd);
    close(server->epoll_fd);
    close(server->wake_fd);
    nulllog_release(&server->log);
    nullcatalog_free(server->catalog);
    free(server->conns);
    free(server->script_uses);
    free(server);
}

uint16_t nullserver_port(const struct nullserver *server)
{
    return server->identity.port;
}

void nullserver_set_fault(struct nullserver *server, enum nullserver_fault fault)
{
    atomic_store(&server->fault, (int)fault);
    eventfd_write(server->wake_fd, 1);
    /* Whoever connects next is to find it so. */
    while (atomic_load(&server->fault) == (int)fault &&
           atomic_load(&server->is_listening) != (fault != NULLSERVER_REFUSE))
        clock_sleep_ns(CLOCK_NS_PER_MS);
}

void nullserver_set_role(struct nullserver *server, enum nullserver_role role)
{
    atomic_store(&server->role, (int)role);
}

void nullserver_set_members(struct nullserver *server, const char *members)
{
    atomic_store(&server->members, members);
}

void nullserver_set_primary(struct nullserver *server, const char *primary, uint64_t term)
{
    atomic_store(&server->primary, primary);
    atomic_store(&server->term, term);
}

uint64_t nullserver_count(struct nullserver *server, const char *command)
{
    return nulllog_count(&server->log, command);
}

bool nullserver_recorded(struct nullserver *server, const char *command, size_t k, struct buffer *message)
{
    return nulllog_message(&server->log, command, k, message);
}
