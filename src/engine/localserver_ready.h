/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_LOCALSERVER_READY_H
#define ENGINE_LOCALSERVER_READY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/localserver_process.h"

/* A server that has been started and does not answer yet. Borrowed strings. */
struct localserver_wait {
    const struct localserver_process *child;
    const char *log_path;
    int64_t deadline_ns; /* monotonic */
};

/* Each gives up, with the reason in `err`, when the child ends, the deadline passes, or an interrupt comes. */

/* Until the server says in its log on which port it listens: "listening on 127.0.0.1:PORT". */
bool localserver_ready_read_port(const struct localserver_wait *wait, uint16_t *port, struct error *err);
/* Until the server on that loopback port takes writes; makes a one-node replica set "rs0" of a server that waits to be
 * told. *set_name is the replica set's name, NULL for a standalone; the caller's to free. Needs libmongoc
 * initialised. */
bool localserver_ready_for_writes(const struct localserver_wait *wait, uint16_t port, char **set_name,
                                  struct error *err);

#endif
