/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"

/* libmongoc's own socket stream is type 1, and its SASL code looks into what has that type. */
enum { STREAM_TYPE = 100, AHEAD_SIZE = 16384 + 512 };

static struct stream *from_base(mongoc_stream_t *base)
{
    return (struct stream *)base;
}

static int64_t deadline_after(int32_t timeout_ms)
{
    return timeout_ms < 0 ? INT64_MAX : clock_mono_ns() + timeout_ms * CLOCK_NS_PER_MS;
}

/* Whether an interrupt ends a wait by now. *cut_ns is the wait's own: 0 until it has seen the interrupt. */
static bool is_cut_off(bool is_patient, int64_t *cut_ns)
{
    if (!interrupt_signal())
        return false;
    if (*cut_ns == 0)
        *cut_ns = deadline_after(is_patient ? STREAM_PATIENCE_MS : 0);
    return clock_mono_ns() >= *cut_ns;
}

/* Waits in slices, so that an interrupt is seen. True: ready (or broken). False: errno is ETIMEDOUT or EINTR. */
static bool wait_for(int fd, short events, int64_t deadline_ns, bool is_patient)
{
    int64_t cut_ns = 0;
    for (;;) {
        struct pollfd item = {.fd = fd, .events = events};
        int64_t left_ms = deadline_ns == INT64_MAX ? STREAM_WAIT_MS : (deadline_ns - clock_mono_ns()) / CLOCK_NS_PER_MS;
        int slice = left_ms < 0 ? 0 : left_ms < STREAM_WAIT_MS ? (int)left_ms + 1 : STREAM_WAIT_MS;
        int n = poll(&item, 1, slice);
        if (n > 0)
            return true;
        if (n < 0 && errno != EINTR)
            return true;
        bool is_cut = is_cut_off(is_patient, &cut_ns);
        errno = is_cut ? EINTR : ETIMEDOUT;
        if (is_cut || clock_mono_ns() >= deadline_ns)
            return false;
    }
}

static bool is_again(int code)
{
    return code == EAGAIN;
}

/* Keeps the first reason. */
static ssize_t fail(struct stream *stream, int code)
{
    if (!stream->has_failed) {
        stream->has_failed = true;
        stream->failure = code;
    }
    errno = code;
    return -1;
}

/* One recv; below 0 with EAGAIN: nothing there. */
static ssize_t receive_some(struct stream *stream, void *out, size_t size)
{
    ssize_t n;
    do {
        n = recv(stream->fd, out, size, stream->waits_for_data ? 0 : MSG_DONTWAIT);
    } while (n < 0 && errno == EINTR && (stream->is_patient || !interrupt_signal()));
    if (n > 0 || (n < 0 && (is_again(errno) || errno == EINTR)))
        return n;
    return fail(stream, n == 0 ? 0 : errno);
}

static ssize_t read_through_ahead(struct stream *stream, void *out, size_t size)
{
    if (stream->ahead_begin == stream->ahead_end) {
        ssize_t n = receive_some(stream, stream->ahead, AHEAD_SIZE);
        if (n < 0)
            return n;
        stream->ahead_begin = 0;
        stream->ahead_end = (size_t)n;
    }
    size_t here = stream->ahead_end - stream->ahead_begin;
    if (size > here)
        size = here;
    memcpy(out, stream->ahead + stream->ahead_begin, size);
    stream->ahead_begin += size;
    return (ssize_t)size;
}

static ssize_t read_some(struct stream *stream, void *out, size_t size, int64_t deadline_ns)
{
    for (;;) {
        ssize_t n = stream->ahead ? read_through_ahead(stream, out, size) : receive_some(stream, out, size);
        if (n >= 0 || !is_again(errno) || deadline_ns == 0)
            return n;
        if (!wait_for(stream->fd, POLLIN, deadline_ns, stream->is_patient)) {
            stream->timed_out = errno == ETIMEDOUT;
            return -1;
        }
    }
}

static int64_t deadline_of(const struct stream *stream, int32_t timeout_ms)
{
    return stream->limit_ns ? stream->limit_ns : deadline_after(timeout_ms);
}

static ssize_t stream_readv(mongoc_stream_t *base, mongoc_iovec_t *iov, size_t iov_count, size_t min_bytes,
                            int32_t timeout_ms)
{
    struct stream *stream = from_base(base);
    int64_t deadline_ns = timeout_ms == 0 ? 0 : deadline_of(stream, timeout_ms);
    size_t total = 0;
    stream->timed_out = false;
    if (stream->is_dead)
        return fail(stream, ECONNABORTED);
    if (stream->backlog_begin < stream->backlog_end && !stream_flush(stream) && !is_again(errno))
        return -1;
    for (size_t i = 0; i < iov_count; i++) {
        for (size_t at = 0; at < iov[i].iov_len;) {
            if (total > 0 && total >= min_bytes)
                return (ssize_t)total;
            ssize_t n = read_some(stream, (char *)iov[i].iov_base + at, iov[i].iov_len - at, deadline_ns);
            if (n < 0)
                return -1;
            at += (size_t)n;
            total += (size_t)n;
        }
    }
    return (ssize_t)total;
}

/* What goes at once; below 0: lost. */
static ssize_t send_some(struct stream *stream, const void *bytes, size_t size)
{
    size_t sent = 0;
    while (sent < size) {
        ssize_t n = send(stream->fd, (const char *)bytes + sent, size - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (n < 0 && is_again(errno))
            break;
        if (n < 0 && errno != EINTR)
            return fail(stream, errno);
        sent += n > 0 ? (size_t)n : 0;
    }
    return (ssize_t)sent;
}

bool stream_flush(struct stream *stream)
{
    size_t left = stream->backlog_end - stream->backlog_begin;
    ssize_t n = send_some(stream, stream->backlog + stream->backlog_begin, left);
    if (n < 0)
        return false;
    stream->backlog_begin += (size_t)n;
    if ((size_t)n < left) {
        errno = EAGAIN;
        return false;
    }
    stream->backlog_begin = stream->backlog_end = 0;
    return true;
}

static void keep_backlog(struct stream *stream, const void *bytes, size_t size)
{
    size_t needed = stream->backlog_end + size;
    if (needed > stream->backlog_capacity) {
        stream->backlog_capacity = needed * 2;
        stream->backlog = memory_resize(stream->backlog, stream->backlog_capacity, 1);
    }
    memcpy(stream->backlog + stream->backlog_end, bytes, size);
    stream->backlog_end = needed;
}

/* All of it, waiting until the deadline. */
static bool write_all(struct stream *stream, const char *bytes, size_t size, int64_t deadline_ns)
{
    for (;;) {
        ssize_t n = send_some(stream, bytes, size);
        if (n < 0)
            return false;
        bytes += n;
        size -= (size_t)n;
        if (size == 0)
            return true;
        if (!wait_for(stream->fd, POLLOUT, deadline_ns, stream->is_patient)) {
            stream->timed_out = errno == ETIMEDOUT;
            return false;
        }
    }
}

static bool write_now(struct stream *stream, const char *bytes, size_t size)
{
    ssize_t n = stream->backlog_begin < stream->backlog_end ? 0 : send_some(stream, bytes, size);
    if (n < 0)
        return false;
    if ((size_t)n < size)
        keep_backlog(stream, bytes + n, size - (size_t)n);
    return true;
}

static bool write_rest(struct stream *stream, const char *bytes, size_t size, int32_t timeout_ms, int64_t deadline_ns)
{
    if (size == 0)
        return true;
    return timeout_ms == 0 ? write_now(stream, bytes, size) : write_all(stream, bytes, size, deadline_ns);
}

/* A command comes in several parts, and each send() would be a packet of its own. */
static ssize_t send_together(struct stream *stream, mongoc_iovec_t *iov, size_t iov_count)
{
    struct msghdr message = {.msg_iov = (struct iovec *)iov, .msg_iovlen = iov_count};
    ssize_t n = sendmsg(stream->fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n < 0 && !is_again(errno) && errno != EINTR)
        return fail(stream, errno);
    return n < 0 ? 0 : n;
}

static ssize_t stream_writev(mongoc_stream_t *base, mongoc_iovec_t *iov, size_t iov_count, int32_t timeout_ms)
{
    struct stream *stream = from_base(base);
    int64_t deadline_ns = deadline_of(stream, timeout_ms);
    ssize_t total = 0;
    stream->timed_out = false;
    if (stream->is_dead)
        return fail(stream, ECONNABORTED);
    if (timeout_ms != 0 && stream->backlog_begin < stream->backlog_end) {
        if (!write_all(stream, (char *)stream->backlog + stream->backlog_begin,
                       stream->backlog_end - stream->backlog_begin, deadline_ns))
            return -1;
        stream->backlog_begin = stream->backlog_end = 0;
    }
    ssize_t n = stream->backlog_begin < stream->backlog_end ? 0 : send_together(stream, iov, iov_count);
    if (n < 0)
        return -1;
    size_t gone = (size_t)n;
    for (size_t i = 0; i < iov_count; i++) {
        size_t skip = gone < iov[i].iov_len ? gone : iov[i].iov_len;
        gone -= skip;
        if (!write_rest(stream, (const char *)iov[i].iov_base + skip, iov[i].iov_len - skip, timeout_ms, deadline_ns))
            return -1;
        total += (ssize_t)iov[i].iov_len;
    }
    return total;
}

static int stream_close(mongoc_stream_t *base)
{
    struct stream *stream = from_base(base);
    int result = stream->fd < 0 ? 0 : close(stream->fd);
    stream->fd = -1;
    stream->is_dead = true;
    return result;
}

static void stream_destroy(mongoc_stream_t *base)
{
    struct stream *stream = from_base(base);
    stream_close(base);
    if (stream->holder)
        *stream->holder = NULL;
    free(stream->ahead);
    free(stream->backlog);
    free(stream);
}

static int stream_flush_nothing(mongoc_stream_t *base)
{
    (void)base;
    return 0;
}

static int stream_setsockopt(mongoc_stream_t *base, int level, int name, void *value, mongoc_socklen_t size)
{
    return setsockopt(from_base(base)->fd, level, name, value, size);
}

static bool stream_check_closed(mongoc_stream_t *base)
{
    struct stream *stream = from_base(base);
    char byte;
    if (stream->is_dead || stream->has_failed)
        return true;
    if (stream->ahead_begin < stream->ahead_end)
        return false;
    ssize_t n = recv(stream->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return n == 0 || (n < 0 && !is_again(errno));
}

/* Events of libmongoc's streams are those of poll(2). What has been read ahead is readable. */
static ssize_t stream_poll(mongoc_stream_poll_t *items, size_t count, int32_t timeout_ms)
{
    int64_t deadline_ns = deadline_after(timeout_ms);
    struct pollfd *fds = memory_zeroed(count + 1, sizeof *fds);
    bool is_patient = count > 0 && from_base(items[0].stream)->is_patient;
    int64_t cut_ns = 0;
    int ready = 0;
    do {
        ready = 0;
        for (size_t i = 0; i < count; i++) {
            const struct stream *stream = from_base(items[i].stream);
            fds[i] = (struct pollfd){.fd = stream->fd, .events = (short)items[i].events};
            ready += (items[i].events & POLLIN) && stream->ahead_begin < stream->ahead_end;
        }
        int n = poll(fds, count, ready || timeout_ms == 0 ? 0 : STREAM_WAIT_MS);
        ready = n > 0 ? n : ready;
    } while (!ready && clock_mono_ns() < deadline_ns && !is_cut_off(is_patient, &cut_ns));
    for (size_t i = 0; i < count; i++) {
        const struct stream *stream = from_base(items[i].stream);
        items[i].revents = fds[i].revents;
        if ((items[i].events & POLLIN) && stream->ahead_begin < stream->ahead_end)
            items[i].revents |= POLLIN;
    }
    free(fds);
    return ready;
}

static bool stream_timed_out(mongoc_stream_t *base)
{
    return from_base(base)->timed_out;
}

static bool stream_should_retry(mongoc_stream_t *base)
{
    (void)base;
    return is_again(errno);
}

void stream_read_ahead(struct stream *stream)
{
    if (!stream->ahead)
        stream->ahead = memory_zeroed(AHEAD_SIZE, 1);
}

/* The socket itself stays a blocking one: every call that must not wait says MSG_DONTWAIT, and a recv that may wait is
 * bounded by SO_RCVTIMEO. */
static void set_options(int fd, int family)
{
    struct timeval limit = {.tv_usec = STREAM_WAIT_MS * 1000};
    int one = 1;
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
    if (family != AF_UNIX)
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
}

/* A socket connected to that address, or -1 with errno. SO_SNDTIMEO would bound connect() as well, but not show an
 * interrupt. */
static int connect_to(const struct sockaddr *address, socklen_t size, int64_t deadline_ns, bool is_patient)
{
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    int code = 0;
    if (connect(fd, address, size) != 0)
        code = errno;
    if (code == EINPROGRESS) {
        socklen_t code_size = sizeof code;
        if (!wait_for(fd, POLLOUT, deadline_ns, is_patient))
            code = errno;
        else if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &code_size) != 0)
            code = errno;
    }
    if (code != 0) {
        close(fd);
        errno = code;
        return -1;
    }
    return fd;
}

static int connect_local(const mongoc_host_list_t *host, int64_t deadline_ns, bool is_patient)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(host->host) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, host->host);
    return connect_to((const struct sockaddr *)&address, sizeof address, deadline_ns, is_patient);
}

/* Every address of the name in turn. Below 0: *reason says what is wrong with the name, else errno. */
static int connect_inet(const mongoc_host_list_t *host, int64_t deadline_ns, bool is_patient, const char **reason)
{
    char port[8];
    struct addrinfo hints = {.ai_family =
                                 host->family == AF_INET || host->family == AF_INET6 ? host->family : AF_UNSPEC,
                             .ai_socktype = SOCK_STREAM};
    struct addrinfo *list = NULL;
    snprintf(port, sizeof port, "%u", host->port);
    int code = getaddrinfo(host->host, port, &hints, &list);
    if (code == EAI_NONAME || code == EAI_NODATA) {
        *reason = "no address is known for this name";
        return -1;
    }
    if (code != 0) {
        *reason = code == EAI_SYSTEM ? strerror(errno) : gai_strerror(code);
        return -1;
    }
    int fd = -1;
    for (const struct addrinfo *item = list; item && fd < 0; item = item->ai_next)
        fd = connect_to(item->ai_addr, item->ai_addrlen, deadline_ns, is_patient);
    code = errno;
    freeaddrinfo(list);
    errno = code;
    return fd;
}

static void clear_nonblocking(int fd)
{
    int flags = fcntl(fd, F_GETFL);
    fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
}

static struct stream *stream_new(int fd)
{
    struct stream *stream = memory_zeroed(1, sizeof *stream);
    stream->base = (mongoc_stream_t){.type = STREAM_TYPE,
                                     .destroy = stream_destroy,
                                     .close = stream_close,
                                     .flush = stream_flush_nothing,
                                     .writev = stream_writev,
                                     .readv = stream_readv,
                                     .setsockopt = stream_setsockopt,
                                     .check_closed = stream_check_closed,
                                     .poll = stream_poll,
                                     .failed = stream_destroy,
                                     .timed_out = stream_timed_out,
                                     .should_retry = stream_should_retry};
    stream->fd = fd;
    return stream;
}

static struct stream *connect_stream(const mongoc_host_list_t *host, int32_t timeout_ms, bool is_patient,
                                     bson_error_t *error)
{
    int64_t deadline_ns = deadline_after(timeout_ms);
    const char *reason = NULL;
    int fd = host->family == AF_UNIX ? connect_local(host, deadline_ns, is_patient)
                                     : connect_inet(host, deadline_ns, is_patient, &reason);
    if (fd < 0) {
        const char *cause = errno == ECONNREFUSED ? "connection refused" : strerror(errno);
        bson_set_error(error, MONGOC_ERROR_STREAM, MONGOC_ERROR_STREAM_CONNECT, "%s: %s",
                       reason ? host->host : host->host_and_port, reason ? reason : cause);
        return NULL;
    }
    clear_nonblocking(fd);
    set_options(fd, host->family);
    struct stream *stream = stream_new(fd);
    stream->is_patient = is_patient;
    return stream;
}

struct stream *stream_connect(const mongoc_host_list_t *host, int32_t timeout_ms, struct stream **holder,
                              bson_error_t *error)
{
    struct stream *stream = connect_stream(host, timeout_ms, false, error);
    *holder = stream;
    if (stream)
        stream->holder = holder;
    return stream;
}

struct stream *stream_connect_patiently(const mongoc_host_list_t *host, int32_t timeout_ms, bson_error_t *error)
{
    return connect_stream(host, timeout_ms, true, error);
}
