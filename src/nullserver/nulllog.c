/* SPDX-License-Identifier: Apache-2.0 */
#include "nullserver/nulllog.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void nulllog_init(struct nulllog *log, bool keep)
{
    *log = (struct nulllog){.keep = keep};
    pthread_mutex_init(&log->lock, NULL);
}

void nulllog_release(struct nulllog *log)
{
    for (size_t i = 0; i < log->count; i++) {
        struct nulllog_command *command = &log->commands[i];
        for (uint64_t k = 0; log->keep && k < command->count; k++)
            buffer_release(&command->messages[k]);
        free(command->messages);
        free(command->name);
    }
    free(log->commands);
    pthread_mutex_destroy(&log->lock);
}

static struct nulllog_command *find(const struct nulllog *log, const char *name)
{
    for (size_t i = 0; i < log->count; i++) {
        if (strcmp(log->commands[i].name, name) == 0)
            return &log->commands[i];
    }
    return NULL;
}

static struct nulllog_command *add(struct nulllog *log, const char *name)
{
    log->commands = memory_resize(log->commands, log->count + 1, sizeof *log->commands);
    struct nulllog_command *command = &log->commands[log->count++];
    *command = (struct nulllog_command){.name = memory_strdup(name)};
    return command;
}

void nulllog_add(struct nulllog *log, const char *name, const uint8_t *message, size_t size)
{
    pthread_mutex_lock(&log->lock);
    struct nulllog_command *command = find(log, name);
    if (!command)
        command = add(log, name);
    if (log->keep) {
        command->messages = memory_resize(command->messages, command->count + 1, sizeof *command->messages);
        command->messages[command->count] = (struct buffer){0};
        buffer_append(&command->messages[command->count], message, size);
    }
    command->count++;
    pthread_mutex_unlock(&log->lock);
}

uint64_t nulllog_count(struct nulllog *log, const char *name)
{
    pthread_mutex_lock(&log->lock);
    const struct nulllog_command *command = find(log, name);
    uint64_t count = command ? command->count : 0;
    pthread_mutex_unlock(&log->lock);
    return count;
}

bool nulllog_message(struct nulllog *log, const char *name, size_t k, struct buffer *message)
{
    pthread_mutex_lock(&log->lock);
    const struct nulllog_command *command = find(log, name);
    bool found = log->keep && command && k < command->count;
    if (found)
        buffer_append(message, command->messages[k].data, command->messages[k].size);
    pthread_mutex_unlock(&log->lock);
    return found;
}
