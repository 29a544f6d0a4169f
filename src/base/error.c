/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void error_init(struct error *err)
{
    err->is_set = false;
    err->message[0] = '\0';
}

void error_set(struct error *err, const char *format, ...)
{
    if (!err || err->is_set)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    err->is_set = true;
}

void error_prefix(struct error *err, const char *format, ...)
{
    if (!err || !err->is_set)
        return;
    va_list args;
    va_start(args, format);
    char *where = memory_vprintf(format, args);
    va_end(args);
    char *whole = memory_printf("%s: %s", where, err->message);
    snprintf(err->message, sizeof err->message, "%s", whole);
    free(whole);
    free(where);
}

void error_prefix_path(struct error *err, const char *step)
{
    if (!err || !err->is_set)
        return;
    char *whole = memory_printf("/%s%s%s", step, err->message[0] == '/' ? "" : ": ", err->message);
    snprintf(err->message, sizeof err->message, "%s", whole);
    free(whole);
}

void message_list_init(struct message_list *list)
{
    *list = (struct message_list){0};
}

void message_list_add(struct message_list *list, const char *format, ...)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? list->capacity * 2 : 8;
        list->items = memory_resize(list->items, list->capacity, sizeof *list->items);
    }
    va_list args;
    va_start(args, format);
    list->items[list->count++] = memory_vprintf(format, args);
    va_end(args);
}

void message_list_release(struct message_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i]);
    free(list->items);
    message_list_init(list);
}
