/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_FLOOR_H
#define TESTS_FLOOR_H

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
 * The floor: the least that a client can do who writes the bytes of one insert and reads the bytes of its reply, over
 * and over. What benchrun costs is measured against it. Usage: PROGRAM PORT SESSIONS SECONDS; prints
 * "OPERATIONS CPU_NS". The checks are few: this is a measure, not a client.
 */
struct floor_options {
    uint16_t port;
    unsigned sessions;
    double seconds;
};

static inline void floor_die(const char *what)
{
    perror(what);
    exit(1);
}

static inline struct floor_options floor_parse(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: %s PORT SESSIONS SECONDS\n", argv[0]);
        exit(2);
    }
    return (struct floor_options){(uint16_t)atoi(argv[1]), (unsigned)atoi(argv[2]), atof(argv[3])};
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

/* {insert: "Insert_Empty0", ordered: true, writeConcern: {j: false}, $db: "test0"}, then {} as a document sequence. */
static const uint8_t floor_request[] = "\x78\0\0\0\x01\0\0\0\0\0\0\0\xdd\x07\0\0\0\0\0\0\0\x4f\0\0\0"
                                       "\x02insert\0\x0e\0\0\0Insert_Empty0\0"
                                       "\x08ordered\0\x01"
                                       "\x03writeConcern\0\x09\0\0\0\x08j\0\0\0"
                                       "\x02$db\0\x06\0\0\0test0\0\0"
                                       "\x01\x13\0\0\0documents\0\x05\0\0\0\0";
#define FLOOR_REQUEST_SIZE (sizeof floor_request - 1)

static inline void floor_print(uint64_t operations, int64_t cpu_ns)
{
    printf("%llu %lld\n", (unsigned long long)operations, (long long)cpu_ns);
}

#endif
