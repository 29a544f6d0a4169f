/* SPDX-License-Identifier: Apache-2.0 */
#include "nullserver/nullconn.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "nullserver/nullwire.h"

enum { READ_SIZE = 16384, PIECE_SIZE = 7 };

struct nullconn *nullconn_new(int fd)
{
    struct nullconn *conn = memory_zeroed(1, sizeof *conn);
    conn->fd = fd;
    return conn;
}

void nullconn_free(struct nullconn *conn)
{
    close(conn->fd);
    buffer_release(&conn->in);
    buffer_release(&conn->out);
    free(conn);
}

static void drop_handled(struct nullconn *conn)
{
    if (conn->in_begin == 0)
        return;
    memmove(conn->in.data, conn->in.data + conn->in_begin, conn->in.size - conn->in_begin);
    conn->in.size -= conn->in_begin;
    conn->in_begin = 0;
}

bool nullconn_fill(struct nullconn *conn)
{
    drop_handled(conn);
    if (conn->in.capacity - conn->in.size < READ_SIZE)
        buffer_reserve(&conn->in, conn->in.size + (conn->in.size > READ_SIZE ? conn->in.size : READ_SIZE));
    ssize_t n = recv(conn->fd, conn->in.data + conn->in.size, conn->in.capacity - conn->in.size, MSG_DONTWAIT);
    if (n > 0)
        conn->in.size += (size_t)n;
    return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

const uint8_t *nullconn_next(struct nullconn *conn, size_t *size, bool *is_broken)
{
    size_t left = conn->in.size - conn->in_begin;
    if (left < NULLWIRE_HEADER_SIZE)
        return NULL;
    const uint8_t *message = conn->in.data + conn->in_begin;
    int32_t length = nullwire_int32(message);
    *is_broken = length < NULLWIRE_HEADER_SIZE || length > NULLWIRE_MESSAGE_MAX;
    if (*is_broken || (size_t)length > left)
        return NULL;
    *size = (size_t)length;
    conn->in_begin += *size;
    return message;
}

static bool wants_write(const struct nullconn *conn)
{
    return conn->out_begin < conn->out.size;
}

bool nullconn_flush(struct nullconn *conn)
{
    if (conn->due_ns)
        return true;
    if (wants_write(conn)) {
        size_t size = conn->out.size - conn->out_begin;
        if (conn->in_pieces && size > PIECE_SIZE)
            size = PIECE_SIZE;
        ssize_t n = send(conn->fd, conn->out.data + conn->out_begin, size, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            return false;
        conn->out_begin += n > 0 ? (size_t)n : 0;
    }
    if (wants_write(conn)) {
        if (conn->in_pieces)
            conn->due_ns = clock_mono_ns() + CLOCK_NS_PER_MS;
        return true;
    }
    buffer_clear(&conn->out);
    conn->out_begin = 0;
    return !conn->close_at_end;
}
