/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_RESOLVE_H
#define ENGINE_RESOLVE_H

#include <netdb.h>
#include <stdint.h>

#include "engine/wait.h"

/* A name service that does not answer is given up after this time. */
#define RESOLVE_LIMIT_MS 10000

/* The addresses of a host for TCP; freeaddrinfo() releases them. An address that is written as one costs no look-up;
 * another one may be left behind on a thread of its own. NULL: *reason says why, and lives for ever. */
struct addrinfo *resolve_host(const char *host, uint16_t port, int family, const struct wait_terms *terms,
                              const char **reason);

#endif
