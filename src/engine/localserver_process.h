/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_LOCALSERVER_PROCESS_H
#define ENGINE_LOCALSERVER_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/* A process that a later run can tell from another one with the same pid. */
struct localserver_process {
    pid_t pid;            /* 0: none */
    uint64_t start_ticks; /* since boot: field 22 of /proc/PID/stat */
};

/* What runs under that pid now. False: nothing, or a process that has ended and is only waited for. */
bool localserver_process_look(pid_t pid, struct localserver_process *process);
bool localserver_process_is_alive(const struct localserver_process *process);

/*
 * Starts a program in `folder` as a child in a process group of its own, so that Ctrl-C on the terminal does not reach
 * it, with its folder in the environment, and with no descriptor of ours: reads nothing, writes to `log_path`. When the
 * thread that called this ends (kill -9 included), the system kills the child: call it on the thread that lives
 * longest. argv[0] is an absolute path.
 */
bool localserver_process_spawn(struct localserver_process *child, const char *const argv[], const char *folder,
                               const char *log_path, struct error *err);
/* Whether the child has ended; then *how says so, "exit status 3" or "signal 9 (Killed)"; the caller's to free. Leaves
 * it to localserver_process_end_child() to collect. */
bool localserver_process_child_ended(const struct localserver_process *child, char **how);
/* SIGTERM to its group, after `patience_ms` SIGKILL, then collects it. */
void localserver_process_end_child(const struct localserver_process *child, unsigned patience_ms);
/* The same for a process that is no child of ours, if pid and start time both match. False: it is still there. */
bool localserver_process_end_stranger(const struct localserver_process *process, unsigned patience_ms);
/* The same for what a wrapper script, that has ended itself, has left running: the processes of its group that have the
 * server's folder in their environment. */
bool localserver_process_end_group(pid_t group, const char *folder, unsigned patience_ms);

#endif
