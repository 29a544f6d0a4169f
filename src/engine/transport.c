/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/transport.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/memory.h"
#include "engine/member.h"
#include "engine/resolve.h"
#include "engine/secure.h"
#include "engine/transport_parts.h"

enum { HEADER_SIZE = 16, MESSAGE_MAX = 48000000, IOV_BATCH = 16 };

/* A connection to one given host is made to a secondary as well. */
static bool takes_writes(const mongoc_server_description_t *server)
{
    struct member member;
    member_init(&member, mongoc_server_description_host(server)->host_and_port,
                mongoc_server_description_hello_response(server));
    bool ok = member_takes_writes(&member);
    member_release(&member);
    return ok;
}

/* The handshake description makes libmongoc authenticate, as any command would, but starts no logical session: so
 * there is none to end when the transport is closed. */
static bool connect_to_primary(struct peer *peer, struct error *err)
{
    bson_error_t error = {0};
    mongoc_server_description_t *server = peer_greet(peer, &error), *greeted = NULL;
    if (server)
        greeted =
            mongoc_client_get_handshake_description(peer->client, mongoc_server_description_id(server), NULL, &error);
    bool ok = greeted && takes_writes(greeted) && peer->socket;
    if (greeted && !takes_writes(greeted))
        error_set(err, "%s is no primary", mongoc_server_description_host(server)->host_and_port);
    else if (!ok)
        error_set(err, "%s", error.message[0] ? error.message : "the connection to the primary was lost at once");
    if (greeted)
        mongoc_server_description_destroy(greeted);
    if (server)
        mongoc_server_description_destroy(server);
    return ok;
}

/* What an operation may take is looked after by its trial. A server that falls silent during the authentication, where
 * libmongoc asks for no other limit, must not hold a connector. */
static struct transport *open_by(mongoc_uri_t *uri, const atomic_bool *cut, struct error *err)
{
    struct transport *transport = memory_zeroed(1, sizeof *transport);
    int64_t connect_ms = mongoc_uri_get_option_as_int32(uri, MONGOC_URI_CONNECTTIMEOUTMS, 0);
    mongoc_uri_set_option_as_int32(uri, MONGOC_URI_SOCKETTIMEOUTMS, INT32_MAX);
    transport->terms.cut = cut;
    transport->terms.limit_ns = clock_mono_ns() + (RESOLVE_LIMIT_MS + 3 * connect_ms) * CLOCK_NS_PER_MS;
    transport->peer = peer_new(uri, &transport->terms, err);
    if (!transport->peer || !connect_to_primary(transport->peer, err)) {
        transport_close(transport);
        return NULL;
    }
    transport->terms = (struct wait_terms){0};
    transport->fd = transport->peer->socket->fd;
    transport->is_secure = transport->peer->top != &transport->peer->socket->base;
    return transport;
}

struct transport *transport_open(struct route *route, unsigned index, const atomic_bool *cut, struct error *err)
{
    struct error reason, look;
    struct transport *transport = NULL;
    for (int attempt = 0; !transport && attempt < 2; attempt++) {
        unsigned generation;
        mongoc_uri_t *uri = route_take(route, index, &generation);
        error_init(&reason);
        error_init(&look);
        transport = open_by(uri, cut, &reason);
        mongoc_uri_destroy(uri);
        if (!transport && !route_look(route, generation, &look))
            break;
    }
    if (!transport)
        error_set(err, "%s", look.is_set ? look.message : reason.message);
    return transport;
}

void transport_close(struct transport *transport)
{
    if (!transport)
        return;
    peer_free(transport->peer);
    if (transport->reply)
        bson_destroy(transport->reply);
    free(transport->reply);
    free(transport->command);
    free(transport->in);
    free(transport);
}

void transport_prefetch(const struct transport *transport)
{
    __builtin_prefetch(transport, 1);
    __builtin_prefetch((const char *)transport + 64, 1);
}

int transport_fd(const struct transport *transport)
{
    return transport->fd;
}

void transport_lend(struct transport *transport, uint8_t *buffer)
{
    transport->lent = buffer;
}

void transport_set_waiting(struct transport *transport, bool waits)
{
    transport->waits = waits;
    transport->peer->socket->waits_for_data = waits;
}

enum transport_status transport_lose(struct transport *transport, int cause, const char *format, ...)
{
    if (!transport->is_lost) {
        va_list args;
        va_start(args, format);
        vsnprintf(transport->text, sizeof transport->text, format, args);
        va_end(args);
        transport->is_lost = true;
        transport->cause = cause;
    }
    return TRANSPORT_CLOSED;
}

static enum transport_status lose_by(struct transport *transport, int cause)
{
    if (cause == 0)
        return transport_lose(transport, 0, "connection closed by the server");
    return transport_lose(transport, cause, "connection lost: %s", strerror(cause));
}

/* A TLS error that is not the socket's is a broken record. */
static enum transport_status lose_tls(struct transport *transport)
{
    const struct stream *socket = transport->peer->socket;
    if (socket->has_failed)
        return lose_by(transport, socket->failure);
    const char *reason = secure_reason();
    return transport_lose(transport, EPROTO, "connection lost: TLS error%s%s", reason ? ": " : "",
                          reason ? reason : "");
}

/* The next vectors that have not gone yet; returns how many, *size their bytes. */
static int next_batch(const struct transport *transport, struct iovec batch[IOV_BATCH], size_t *size)
{
    size_t skip = transport->sent;
    int count = 0;
    *size = 0;
    for (int i = 0; i < transport->iov_count && count < IOV_BATCH; i++) {
        size_t length = transport->iov[i].iov_len;
        if (skip >= length) {
            skip -= length;
            continue;
        }
        batch[count].iov_base = (char *)transport->iov[i].iov_base + skip;
        batch[count].iov_len = length - skip;
        *size += batch[count++].iov_len;
        skip = 0;
    }
    return count;
}

/* For one vector, the most frequent case, the kernel does less when it need not fetch a list. */
static ssize_t send_vectors(int fd, struct iovec *iov, int count)
{
    if (count == 1)
        return send(fd, iov->iov_base, iov->iov_len, MSG_DONTWAIT | MSG_NOSIGNAL);
    struct msghdr message = {.msg_iov = iov, .msg_iovlen = (size_t)count};
    return sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static enum transport_status send_plain(struct transport *transport)
{
    struct iovec batch[IOV_BATCH];
    size_t size;
    int count;
    while ((count = next_batch(transport, batch, &size)) > 0) {
        ssize_t n = send_vectors(transport_fd(transport), batch, count);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno == EAGAIN ? TRANSPORT_WANT_WRITE : lose_by(transport, errno);
        transport->sent += (size_t)n;
        if (transport->sent == transport->send_size)
            break;
    }
    return TRANSPORT_DONE;
}

/* The stream below takes everything that TLS makes of the bytes, so each of them is written once. */
static enum transport_status send_tls(struct transport *transport)
{
    struct iovec batch[IOV_BATCH];
    size_t size;
    int count;
    while ((count = next_batch(transport, batch, &size)) > 0) {
        if (mongoc_stream_writev(transport->peer->top, batch, (size_t)count, 0) != (ssize_t)size)
            return lose_tls(transport);
        transport->sent += size;
    }
    if (stream_flush(transport->peer->socket))
        return TRANSPORT_DONE;
    return errno == EAGAIN ? TRANSPORT_WANT_WRITE : lose_tls(transport);
}

enum transport_status transport_send(struct transport *transport, const struct iovec *iov, int iov_count)
{
    if (transport->is_lost)
        return TRANSPORT_CLOSED;
    if (iov) {
        transport->iov = iov;
        transport->iov_count = iov_count;
        transport->sent = transport->send_size = 0;
        for (int i = 0; i < iov_count; i++)
            transport->send_size += iov[i].iov_len;
    }
    return transport->is_secure ? send_tls(transport) : send_plain(transport);
}

/* Makes place for a message of `size` bytes that begins at in_begin. */
static void make_room(struct transport *transport, size_t size)
{
    if (transport->in_begin + size <= transport->in_capacity)
        return;
    if (transport->in_begin > 0)
        memmove(transport->in, transport->in + transport->in_begin, transport->in_end - transport->in_begin);
    transport->in_end -= transport->in_begin;
    transport->in_begin = 0;
    if (size > transport->in_capacity) {
        transport->in_capacity = size > TRANSPORT_INPUT_SIZE ? size : TRANSPORT_INPUT_SIZE;
        transport->in = memory_resize(transport->in, transport->in_capacity, 1);
    }
}

/* Reads once. DONE: something came, and *is_short tells that no more is there now. */
static enum transport_status read_once(struct transport *transport, uint8_t *out, size_t room, size_t *size,
                                       bool *is_short)
{
    ssize_t n;
    if (transport->is_secure) {
        const struct stream *socket = transport->peer->socket;
        n = mongoc_stream_read(transport->peer->top, out, room, 1, 0);
        if (n <= 0)
            return !socket->has_failed && mongoc_stream_should_retry(transport->peer->top) ? TRANSPORT_WANT_READ
                                                                                           : lose_tls(transport);
        *is_short = false;
    } else {
        n = recv(transport->fd, out, room, transport->waits ? 0 : MSG_DONTWAIT);
        if (n <= 0)
            return n < 0 && (errno == EAGAIN || errno == EINTR) ? TRANSPORT_WANT_READ
                                                                : lose_by(transport, n == 0 ? 0 : errno);
        *is_short = (size_t)n < room;
    }
    *size = (size_t)n;
    return TRANSPORT_DONE;
}

static enum transport_status read_more(struct transport *transport, bool *is_short)
{
    size_t size = 0;
    enum transport_status status = read_once(transport, transport->in + transport->in_end,
                                             transport->in_capacity - transport->in_end, &size, is_short);
    transport->in_end += size;
    return status;
}

static int32_t read_length(const uint8_t *bytes)
{
    return (int32_t)(bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24);
}

static void drop_handed_out(struct transport *transport)
{
    transport->in_begin += transport->handed_out;
    transport->handed_out = 0;
    if (transport->in_begin == transport->in_end)
        transport->in_begin = transport->in_end = 0;
}

/* Into the lent buffer, which all transports of a worker share and which therefore stays in the CPU's cache: nearly
 * every reply comes in one piece and alone. What does not goes on in the transport's own. */
static enum transport_status read_lent(struct transport *transport, size_t *whole, bool *is_short)
{
    size_t size = 0;
    *whole = 0;
    enum transport_status status = read_once(transport, transport->lent, TRANSPORT_INPUT_SIZE, &size, is_short);
    if (status != TRANSPORT_DONE)
        return status;
    if (size >= HEADER_SIZE && read_length(transport->lent) == (int32_t)size) {
        *whole = size;
        return status;
    }
    make_room(transport, size);
    memcpy(transport->in, transport->lent, size);
    transport->in_end = size;
    return status;
}

enum transport_status transport_receive(struct transport *transport, const uint8_t **message, size_t *size)
{
    bool is_short = false;
    if (transport->is_lost)
        return TRANSPORT_CLOSED;
    drop_handed_out(transport);
    if (transport->lent && transport->in_end == 0) {
        enum transport_status status = read_lent(transport, size, &is_short);
        if (status != TRANSPORT_DONE)
            return status;
        *message = transport->lent;
        if (*size > 0)
            return TRANSPORT_DONE;
    }
    for (;;) {
        size_t here = transport->in_end - transport->in_begin;
        size_t needed = HEADER_SIZE;
        if (here >= HEADER_SIZE) {
            int32_t length = read_length(transport->in + transport->in_begin);
            if (length < HEADER_SIZE || length > MESSAGE_MAX)
                return transport_lose(transport, EPROTO, "the server sent a message with the length %d", (int)length);
            needed = (size_t)length;
        }
        if (here >= HEADER_SIZE && here >= needed) {
            *message = transport->in + transport->in_begin;
            *size = transport->handed_out = needed;
            return TRANSPORT_DONE;
        }
        if (is_short)
            return TRANSPORT_WANT_READ;
        make_room(transport, needed);
        enum transport_status status = read_more(transport, &is_short);
        if (status != TRANSPORT_DONE)
            return status;
    }
}

bool transport_has_buffered(const struct transport *transport)
{
    return transport->in_end - transport->in_begin > transport->handed_out;
}

/* Bytes under TLS may be the server's tickets, which no reply announces. */
bool transport_is_usable(const struct transport *transport)
{
    char byte;
    if (transport->is_lost || transport_has_buffered(transport) || transport->sent < transport->send_size ||
        !transport->peer->socket || transport->peer->socket->fd != transport->fd)
        return false;
    ssize_t n = recv(transport_fd(transport), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return n < 0 ? errno == EAGAIN : n > 0 && transport->is_secure;
}

int transport_errno(const struct transport *transport)
{
    return transport->cause;
}

const char *transport_error(const struct transport *transport)
{
    return transport->text;
}
