/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_CONNECT_H
#define ENGINE_CONNECT_H

#include <mongoc/mongoc.h>
#include <stdint.h>
#include <sys/socket.h>

#include "engine/wait.h"

/* A blocking socket, connected to that address within `timeout_ms`; -1: errno says why. */
int connect_address(const struct sockaddr *address, socklen_t size, const struct wait_terms *terms, int32_t timeout_ms);
/* The same to a host: every address of its name in turn, all of them within `timeout_ms`; looking up the name comes on
 * top, RESOLVE_LIMIT_MS at most. -1: `error` names the host and says why. */
int connect_host(const mongoc_host_list_t *host, const struct wait_terms *terms, int32_t timeout_ms,
                 bson_error_t *error);

#endif
