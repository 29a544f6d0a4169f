/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/stream.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/connect.h"

/* libmongoc's own socket stream is type 1, and its SASL code looks into what has that type. */
enum { STREAM_TYPE = 100, AHEAD_SIZE = 16384 + 512 };

static struct stream *from_base(mongoc_stream_t *base)
{
    return (struct stream *)base;
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
    } while (n < 0 && errno == EINTR && (stream->terms->is_patient || !interrupt_signal()));
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

static bool wait_until_ready(struct stream *stream, struct wait *wait, short events)
{
    if (wait_for_descriptor(wait, stream->fd, events))
        return true;
    stream->timed_out = errno == ETIMEDOUT;
    stream->terms->timeouts += stream->timed_out;
    return false;
}

/* `wait` NULL: what is there now, or EAGAIN. */
static ssize_t read_some(struct stream *stream, void *out, size_t size, struct wait *wait)
{
    for (;;) {
        ssize_t n = stream->ahead ? read_through_ahead(stream, out, size) : receive_some(stream, out, size);
        if (n >= 0 || !is_again(errno) || !wait)
            return n;
        if (!wait_until_ready(stream, wait, POLLIN))
            return -1;
    }
}

static ssize_t stream_readv(mongoc_stream_t *base, mongoc_iovec_t *iov, size_t iov_count, size_t min_bytes,
                            int32_t timeout_ms)
{
    struct stream *stream = from_base(base);
    struct wait wait;
    size_t total = 0;
    stream->timed_out = false;
    if (stream->is_dead)
        return fail(stream, ECONNABORTED);
    if (timeout_ms != 0)
        wait_begin(&wait, stream->terms, timeout_ms);
    if (stream->backlog_begin < stream->backlog_end && !stream_flush(stream) && !is_again(errno))
        return -1;
    for (size_t i = 0; i < iov_count; i++) {
        for (size_t at = 0; at < iov[i].iov_len;) {
            if (total > 0 && total >= min_bytes)
                return (ssize_t)total;
            ssize_t n =
                read_some(stream, (char *)iov[i].iov_base + at, iov[i].iov_len - at, timeout_ms != 0 ? &wait : NULL);
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

static bool write_all(struct stream *stream, const char *bytes, size_t size, struct wait *wait)
{
    for (;;) {
        ssize_t n = send_some(stream, bytes, size);
        if (n < 0)
            return false;
        bytes += n;
        size -= (size_t)n;
        if (size == 0)
            return true;
        if (!wait_until_ready(stream, wait, POLLOUT))
            return false;
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

/* `wait` NULL: what the socket does not take now is kept. */
static bool write_rest(struct stream *stream, const char *bytes, size_t size, struct wait *wait)
{
    if (size == 0)
        return true;
    return wait ? write_all(stream, bytes, size, wait) : write_now(stream, bytes, size);
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

static bool write_backlog(struct stream *stream, struct wait *wait)
{
    size_t left = stream->backlog_end - stream->backlog_begin;
    if (left > 0 && !write_all(stream, (char *)stream->backlog + stream->backlog_begin, left, wait))
        return false;
    stream->backlog_begin = stream->backlog_end = 0;
    return true;
}

static ssize_t write_vectors(struct stream *stream, mongoc_iovec_t *iov, size_t iov_count, struct wait *wait)
{
    ssize_t n = stream->backlog_begin < stream->backlog_end ? 0 : send_together(stream, iov, iov_count);
    ssize_t total = 0;
    if (n < 0)
        return -1;
    size_t gone = (size_t)n;
    for (size_t i = 0; i < iov_count; i++) {
        size_t skip = gone < iov[i].iov_len ? gone : iov[i].iov_len;
        gone -= skip;
        if (!write_rest(stream, (const char *)iov[i].iov_base + skip, iov[i].iov_len - skip, wait))
            return -1;
        total += (ssize_t)iov[i].iov_len;
    }
    return total;
}

static ssize_t stream_writev(mongoc_stream_t *base, mongoc_iovec_t *iov, size_t iov_count, int32_t timeout_ms)
{
    struct stream *stream = from_base(base);
    struct wait wait;
    stream->timed_out = false;
    if (stream->is_dead)
        return fail(stream, ECONNABORTED);
    if (timeout_ms == 0)
        return write_vectors(stream, iov, iov_count, NULL);
    wait_begin(&wait, stream->terms, timeout_ms);
    return write_backlog(stream, &wait) ? write_vectors(stream, iov, iov_count, &wait) : -1;
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
    if (stream->holder && *stream->holder == stream)
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

/* Of what is there without asking the system. */
static int events_at_hand(const mongoc_stream_poll_t *item)
{
    const struct stream *stream = from_base(item->stream);
    if (stream->is_dead)
        return POLLERR | POLLHUP;
    return stream->ahead_begin < stream->ahead_end ? item->events & POLLIN : 0;
}

/* Events of libmongoc's streams are those of poll(2). */
static ssize_t stream_poll(mongoc_stream_poll_t *items, size_t count, int32_t timeout_ms)
{
    static const struct wait_terms nobody = {0};
    struct wait wait;
    struct pollfd *fds = memory_zeroed(count + 1, sizeof *fds);
    int ready = 0;
    wait_begin(&wait, count > 0 ? from_base(items[0].stream)->terms : &nobody, timeout_ms);
    for (size_t i = 0; i < count; i++) {
        fds[i] = (struct pollfd){.fd = from_base(items[i].stream)->fd, .events = (short)items[i].events};
        ready += events_at_hand(&items[i]) != 0;
    }
    do {
        int n = poll(fds, count, ready || timeout_ms == 0 ? 0 : wait_slice_ms(&wait));
        ready = n > 0 ? n : ready;
    } while (!ready && wait_goes_on(&wait));
    /* libmongoc would ask again and again until its own time is over. */
    bool is_cut = !ready && errno == EINTR;
    for (size_t i = 0; i < count; i++)
        items[i].revents = is_cut ? POLLERR : fds[i].revents | events_at_hand(&items[i]);
    free(fds);
    return is_cut ? (ssize_t)count : ready;
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
static void set_options(int fd)
{
    struct timeval limit = {.tv_usec = WAIT_SLICE_MS * 1000};
    int one = 1;
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
}

static struct stream *stream_new(int fd, struct wait_terms *terms)
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
    stream->terms = terms;
    return stream;
}

struct stream *stream_connect(const mongoc_host_list_t *host, int32_t timeout_ms, struct wait_terms *terms,
                              struct stream **holder, bson_error_t *error)
{
    int fd = connect_host(host, terms, timeout_ms, error);
    if (fd < 0)
        return NULL;
    set_options(fd);
    struct stream *stream = stream_new(fd, terms);
    *holder = stream;
    stream->holder = holder;
    return stream;
}

struct stream *stream_lost(struct wait_terms *terms)
{
    struct stream *stream = stream_new(-1, terms);
    stream->is_dead = true;
    return stream;
}
