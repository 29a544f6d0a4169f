/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_FLOOR_H
#define TESTS_FLOOR_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

/*
 * The floor: the least that a client can do that writes the bytes of a request and reads the bytes of its reply, over
 * and over. What benchrun costs is measured against it. Usage: PROGRAM PORT SESSIONS SECONDS < REQUEST; prints
 * "OPERATIONS CPU_NS". The checks are few: this is a measure, not a client.
 */
struct floor_options {
    uint16_t port;
    unsigned sessions;
    int64_t time_ns;
    uint8_t request[16384];
    size_t size; /* of the request */
};

static inline void floor_die(const char *what)
{
    perror(what);
    exit(1);
}

static inline void floor_parse(struct floor_options *options, int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: %s PORT SESSIONS SECONDS < REQUEST\n", argv[0]);
        exit(2);
    }
    options->port = (uint16_t)atoi(argv[1]);
    options->sessions = (unsigned)atoi(argv[2]);
    options->time_ns = (int64_t)(atof(argv[3]) * 1e9);
    options->size = fread(options->request, 1, sizeof options->request, stdin);
    if (options->size < 16 || options->size == sizeof options->request)
        floor_die("request");
}

static inline int64_t floor_clock(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static inline int floor_connect(uint16_t port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int one = 1;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0)
        floor_die("connect");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

static inline void floor_send(const struct floor_options *options, int fd, int flags)
{
    if (send(fd, options->request, options->size, flags) != (ssize_t)options->size)
        floor_die("send");
}

static inline void floor_receive(int fd, int flags)
{
    uint8_t reply[16384];
    if (recv(fd, reply, sizeof reply, flags) <= 0)
        floor_die("recv");
}

static inline void floor_print(uint64_t operations, int64_t cpu_ns)
{
    printf("%llu %lld\n", (unsigned long long)operations, (long long)cpu_ns);
}

#endif
