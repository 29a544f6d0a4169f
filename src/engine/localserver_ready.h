/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_LOCALSERVER_READY_H
#define ENGINE_LOCALSERVER_READY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/localserver_process.h"

/* What has been started and does not answer yet. Borrowed. */
struct localserver_wait {
    const struct localserver_process *children;
    unsigned count;
    int64_t deadline_ns; /* monotonic */
};

/* Each gives up, with the reason in `err`, when a child ends, the deadline passes, or an interrupt comes. */

/* Until the server says in its log on which port it listens: "listening on 127.0.0.1:PORT". */
bool localserver_ready_read_port(const struct localserver_wait *wait, const char *log_path, uint16_t *port,
                                 struct error *err);
/* Until the servers on those loopback ports, wait->count of them, take writes; makes one replica set "rs0" of servers
 * that wait to be told, and then waits until the first knows a primary. *set_name is the replica set's name, NULL for a
 * standalone; the caller's to free. Needs libmongoc initialised. */
bool localserver_ready_for_writes(const struct localserver_wait *wait, const uint16_t ports[], char **set_name,
                                  struct error *err);

#endif
