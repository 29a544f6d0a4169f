/* SPDX-License-Identifier: Apache-2.0 */
/* The floor with one thread and epoll: all that came is read, then as much is written. */
#include "floor.h"

#include <sys/epoll.h>

enum { EVENTS_MAX = 256 };

static void send_request(int fd)
{
    if (send(fd, floor_request, FLOOR_REQUEST_SIZE, MSG_DONTWAIT) != (ssize_t)FLOOR_REQUEST_SIZE)
        floor_die("send");
}

int main(int argc, char **argv)
{
    struct floor_options options = floor_parse(argc, argv);
    struct epoll_event events[EVENTS_MAX];
    uint8_t reply[16384];
    int epoll_fd = epoll_create1(0);
    int *fds = calloc(options.sessions, sizeof *fds);
    for (unsigned i = 0; i < options.sessions; i++) {
        fds[i] = floor_connect(options.port);
        struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.fd = fds[i]};
        epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fds[i], &event);
    }
    uint64_t operations = 0;
    int64_t cpu_ns = floor_clock(CLOCK_THREAD_CPUTIME_ID);
    int64_t end_ns = floor_clock(CLOCK_MONOTONIC) + (int64_t)(options.seconds * 1e9);
    for (unsigned i = 0; i < options.sessions; i++) {
        send_request(fds[i]);
    }
    while (floor_clock(CLOCK_MONOTONIC) < end_ns) {
        int count = epoll_wait(epoll_fd, events, EVENTS_MAX, -1);
        for (int i = 0; i < count; i++) {
            if (recv(events[i].data.fd, reply, sizeof reply, MSG_DONTWAIT) <= 0)
                floor_die("recv");
        }
        for (int i = 0; i < count; i++) {
            send_request(events[i].data.fd);
            operations++;
        }
    }
    floor_print(operations, floor_clock(CLOCK_THREAD_CPUTIME_ID) - cpu_ns);
    free(fds);
    return 0;
}
