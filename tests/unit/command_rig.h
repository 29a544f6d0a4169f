/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_COMMAND_RIG_H
#define TESTS_COMMAND_RIG_H

#include "engine/target.h"
#include "nullserver/nullserver.h"

/* A scripted null server, an open target on it, and what target->client has sent since. */
struct rig_reply {
    const char *command;
    const char *json; /* Extended JSON; "ok" is part of it */
    unsigned times;   /* 0: always */
};

enum { RIG_REPLIES_MAX = 16, RIG_COMMANDS_MAX = 256 };

struct rig {
    struct nullserver *server;
    struct target target;
    struct nullserver_script scripts[RIG_REPLIES_MAX];
    bson_t *replies[RIG_REPLIES_MAX];
    size_t reply_count;
    char *commands[RIG_COMMANDS_MAX]; /* Relaxed Extended JSON without lsid, $db and the like; the run's id is RUN */
    size_t command_count;
    struct buffer trace;
};

void rig_init(struct rig *rig, const struct rig_reply *replies, size_t count);
/* The same on a server that is told more. */
void rig_init_on(struct rig *rig, const struct nullserver_config *base, const struct rig_reply *replies, size_t count);
void rig_release(struct rig *rig);
/* "ping admin\ncreate test0.c\n...": commands with database and collection, since the start or rig_forget(). */
const char *rig_trace(struct rig *rig);
/* The k-th command of that name. */
const char *rig_command(const struct rig *rig, const char *name, size_t k);
void rig_forget(struct rig *rig);

#endif
