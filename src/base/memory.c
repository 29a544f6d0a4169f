/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *memory)
{
    if (!memory) {
        fprintf(stderr, "%s: out of memory\n", program_invocation_short_name);
        exit(1);
    }
    return memory;
}

void *memory_zeroed(size_t count, size_t size)
{
    return checked(calloc(count ? count : 1, size ? size : 1));
}

void *memory_resize(void *old, size_t count, size_t size)
{
    return checked(reallocarray(old, count ? count : 1, size ? size : 1));
}

void *memory_aligned(size_t alignment, size_t size)
{
    return memset(checked(aligned_alloc(alignment, size)), 0, size);
}

void *memory_copy(const void *bytes, size_t size)
{
    void *copy = memory_zeroed(1, size);
    if (size)
        memcpy(copy, bytes, size);
    return copy;
}

char *memory_strdup(const char *text)
{
    return checked(strdup(text));
}

char *memory_printf(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = memory_vprintf(format, args);
    va_end(args);
    return text;
}

FILE *memory_stream(char **text, size_t *size)
{
    return checked(open_memstream(text, size));
}

char *memory_vprintf(const char *format, va_list args)
{
    char *text = NULL;
    if (vasprintf(&text, format, args) < 0)
        checked(NULL);
    return text;
}

void memory_erase(char *text)
{
    if (text)
        explicit_bzero(text, strlen(text));
    free(text);
}
