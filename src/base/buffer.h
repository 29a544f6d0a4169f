/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_BUFFER_H
#define BASE_BUFFER_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that grow. `data` may move with every append. `{0}` is an empty buffer. */
struct buffer {
    uint8_t *data;
    size_t size;
    size_t capacity;
};

void buffer_reserve(struct buffer *buffer, size_t capacity);
void buffer_append(struct buffer *buffer, const void *bytes, size_t size);
void buffer_append_printf(struct buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Keeps the memory. */
void buffer_clear(struct buffer *buffer);
void buffer_release(struct buffer *buffer);
/* The text as the caller's to free; the buffer is empty afterwards. */
char *buffer_detach(struct buffer *buffer);
/* Appends a NUL that does not count in `size` and returns the text, owned by the buffer. */
const char *buffer_text(struct buffer *buffer);

#endif
