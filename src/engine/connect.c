/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/connect.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

#include "engine/resolve.h"

/* SO_SNDTIMEO would bound connect() as well, but not show an interrupt. */
static int connect_within(const struct sockaddr *address, socklen_t size, struct wait *wait)
{
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    int code = 0;
    if (connect(fd, address, size) != 0)
        code = errno;
    if (code == EINPROGRESS) {
        socklen_t code_size = sizeof code;
        if (!wait_for_descriptor(wait, fd, POLLOUT) || getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &code_size) != 0)
            code = errno;
    }
    if (code == 0) {
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
        return fd;
    }
    close(fd);
    errno = code;
    return -1;
}

int connect_address(const struct sockaddr *address, socklen_t size, const struct wait_terms *terms, int32_t timeout_ms)
{
    struct wait wait;
    wait_begin(&wait, terms, timeout_ms);
    return connect_within(address, size, &wait);
}

static int connect_local(const char *path, const struct wait_terms *terms, int32_t timeout_ms)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    return connect_address((const struct sockaddr *)&address, sizeof address, terms, timeout_ms);
}

static int connect_any(const struct addrinfo *list, const struct wait_terms *terms, int32_t timeout_ms)
{
    struct wait wait;
    int fd = -1, one = 1;
    wait_begin(&wait, terms, timeout_ms);
    for (const struct addrinfo *item = list; item && fd < 0; item = item->ai_next)
        fd = connect_within(item->ai_addr, item->ai_addrlen, &wait);
    if (fd >= 0)
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

static void report(const mongoc_host_list_t *host, bson_error_t *error)
{
    const char *cause = errno == ECONNREFUSED ? "connection refused" : strerrordesc_np(errno);
    bson_set_error(error, MONGOC_ERROR_STREAM, MONGOC_ERROR_STREAM_CONNECT, "%s: %s", host->host_and_port, cause);
}

int connect_host(const mongoc_host_list_t *host, const struct wait_terms *terms, int32_t timeout_ms,
                 bson_error_t *error)
{
    if (host->family == AF_UNIX) {
        int fd = connect_local(host->host, terms, timeout_ms);
        if (fd < 0)
            report(host, error);
        return fd;
    }
    bool is_known = host->family == AF_INET || host->family == AF_INET6;
    const char *reason = NULL;
    struct addrinfo *list = resolve_host(host->host, host->port, is_known ? host->family : AF_UNSPEC, terms, &reason);
    if (!list) {
        bson_set_error(error, MONGOC_ERROR_STREAM, MONGOC_ERROR_STREAM_CONNECT, "%s: %s", host->host, reason);
        return -1;
    }
    int fd = connect_any(list, terms, timeout_ms);
    if (fd < 0)
        report(host, error);
    freeaddrinfo(list);
    return fd;
}
