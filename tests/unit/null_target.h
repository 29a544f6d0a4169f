/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_NULL_TARGET_H
#define TESTS_NULL_TARGET_H

#include <sys/uio.h>

#include "engine/target.h"
#include "nullserver/nullserver.h"

/* A null server and a target that leads to it, for tests of what lies between them. */
struct null_target {
    struct nullserver *server;
    struct target target;
};

/* Starts the server. `options` is put after the URI's '?', "" for none. */
void null_target_init(struct null_target *it, const struct nullserver_config *config, const char *options);
/* Stops the server if it still runs. */
void null_target_release(struct null_target *it);
void null_target_stop_server(struct null_target *it);
/* On the same port as before. */
void null_target_restart_server(struct null_target *it, const struct nullserver_config *config);

/* Appends an OP_MSG that inserts one document with a string of `padding` bytes. */
void null_target_append_insert(struct buffer *out, int32_t id, size_t padding);
/* "responseTo" and the number under `key` of a reply; -1: none. */
int32_t null_target_response_to(const uint8_t *message);
int64_t null_target_number(const uint8_t *message, size_t size, const char *key);

#endif
