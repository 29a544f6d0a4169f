/* SPDX-License-Identifier: Apache-2.0 */
/* The floor with one thread and epoll: all that came is read, then as much is written. */
#include "floor.h"

#include <sys/epoll.h>

enum { EVENTS_MAX = 256 };

static void connect_all(const struct floor_options *options, int epoll_fd, int *fds)
{
    for (unsigned i = 0; i < options->sessions; i++) {
        fds[i] = floor_connect(options->port);
        struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.fd = fds[i]};
        if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fds[i], &event) != 0)
            floor_die("epoll_ctl");
    }
}

static uint64_t exchange(const struct floor_options *options, int epoll_fd)
{
    struct epoll_event events[EVENTS_MAX];
    int count = epoll_wait(epoll_fd, events, EVENTS_MAX, -1);
    for (int i = 0; i < count; i++)
        floor_receive(events[i].data.fd, MSG_DONTWAIT);
    for (int i = 0; i < count; i++)
        floor_send(options, events[i].data.fd, MSG_DONTWAIT);
    return (uint64_t)count;
}

int main(int argc, char **argv)
{
    static struct floor_options options;
    floor_parse(&options, argc, argv);
    int epoll_fd = epoll_create1(0);
    int *fds = calloc(options.sessions, sizeof *fds);
    connect_all(&options, epoll_fd, fds);
    uint64_t operations = 0;
    int64_t end_ns = floor_clock(CLOCK_MONOTONIC) + options.time_ns;
    int64_t cpu_ns = floor_clock(CLOCK_THREAD_CPUTIME_ID);
    for (unsigned i = 0; i < options.sessions; i++)
        floor_send(&options, fds[i], MSG_DONTWAIT);
    while (floor_clock(CLOCK_MONOTONIC) < end_ns)
        operations += exchange(&options, epoll_fd);
    floor_print(operations, floor_clock(CLOCK_THREAD_CPUTIME_ID) - cpu_ns);
    free(fds);
    return 0;
}
