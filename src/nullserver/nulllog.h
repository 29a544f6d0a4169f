/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NULLSERVER_NULLLOG_H
#define NULLSERVER_NULLLOG_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

struct nulllog_command {
    char *name;
    uint64_t count;
    struct buffer *messages; /* with `keep` */
};

/* What has arrived, by command name. Written by the server's thread, read by others. */
struct nulllog {
    pthread_mutex_t lock;
    struct nulllog_command *commands;
    size_t count;
    bool keep;
};

void nulllog_init(struct nulllog *log, bool keep);
void nulllog_release(struct nulllog *log);
void nulllog_add(struct nulllog *log, const char *command, const uint8_t *message, size_t size);
uint64_t nulllog_count(struct nulllog *log, const char *command);
/* Appends the k-th message of that name. */
bool nulllog_message(struct nulllog *log, const char *command, size_t k, struct buffer *message);

#endif
