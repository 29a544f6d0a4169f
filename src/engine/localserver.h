/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_LOCALSERVER_H
#define ENGINE_LOCALSERVER_H

#include <stdbool.h>

#include "base/error.h"

/*
 * --local: a throw-away server on a free loopback port, data in a private folder, stopped and removed at the end. A
 * mongod (the path given, MONGOD, or PATH) as a replica set of one or more members, each a process with a port and a
 * folder of its own; else the embedded server from the user's cache folder ($XDG_CACHE_HOME/benchrun, default
 * ~/.cache/benchrun), which is always alone. For each process a record (pid, start time of the process, folder) lies
 * in the run-time folder while it lives, so that the next start ends what a killed run has left behind: a process only
 * if pid and start time both match, and only if the run that started it has ended. Needs libmongoc initialised.
 */
struct localserver;
struct localserver_choice;

enum { LOCALSERVER_MEMBERS_MAX = 7 }; /* as many may vote */

/* Blocking, a few seconds; `members` from 1 to LOCALSERVER_MEMBERS_MAX; ends early on an interrupt. Without any server
 * the error names both ways to get one. A server that does not come up: its last lines are in the message. Call it on
 * the main thread: the system kills the server when the thread that started it ends. */
struct localserver *localserver_start(const char *mongod, unsigned members, struct error *err);
/* The same with a server found before (localserver_find.h), giving up after `patience_ms`. Sweeps nothing. */
struct localserver *localserver_start_choice(const struct localserver_choice *choice, unsigned members,
                                             unsigned patience_ms, struct error *err);
/* With replicaSet= where the server is one, and all its members. Owned by the server. */
const char *localserver_uri(const struct localserver *server);
/* "mongod /usr/bin/mongod" or "SecantusDB ..." for people. */
const char *localserver_name(const struct localserver *server);
/* SIGTERM, then SIGKILL after some seconds; removes folder and record. Safe with NULL. */
void localserver_stop(struct localserver *server);
/* Ends and removes what killed runs have left; called by localserver_start(). Returns how many. */
unsigned localserver_sweep(void);

#endif
