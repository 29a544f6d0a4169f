/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buffer.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void buffer_reserve(struct buffer *buffer, size_t capacity)
{
    if (capacity <= buffer->capacity)
        return;
    size_t doubled = buffer->capacity * 2;
    buffer->capacity = doubled > capacity ? doubled : capacity;
    buffer->data = memory_resize(buffer->data, buffer->capacity, 1);
}

void buffer_append(struct buffer *buffer, const void *bytes, size_t size)
{
    buffer_reserve(buffer, buffer->size + size);
    if (size)
        memcpy(buffer->data + buffer->size, bytes, size);
    buffer->size += size;
}

void buffer_append_printf(struct buffer *buffer, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = memory_vprintf(format, args);
    va_end(args);
    buffer_append(buffer, text, strlen(text));
    free(text);
}

void buffer_clear(struct buffer *buffer)
{
    buffer->size = 0;
}

void buffer_release(struct buffer *buffer)
{
    free(buffer->data);
    *buffer = (struct buffer){0};
}

char *buffer_detach(struct buffer *buffer)
{
    buffer_text(buffer);
    char *text = (char *)buffer->data;
    *buffer = (struct buffer){0};
    return text;
}

const char *buffer_text(struct buffer *buffer)
{
    buffer_reserve(buffer, buffer->size + 1);
    buffer->data[buffer->size] = '\0';
    return (const char *)buffer->data;
}
