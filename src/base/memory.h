/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Allocation that does not fail: when the system has no memory left the program ends with one line on stderr and exit
 * code 1. Every other layer may take that for granted. Results are released with free().
 */
void *memory_zeroed(size_t count, size_t size) __attribute__((returns_nonnull));
/* Overflow of count * size counts as out of memory. */
void *memory_resize(void *old, size_t count, size_t size) __attribute__((returns_nonnull));
/* Zeroed; `size` is a multiple of `alignment`, that a power of two. */
void *memory_aligned(size_t alignment, size_t size);
void *memory_copy(const void *bytes, size_t size) __attribute__((returns_nonnull));
char *memory_strdup(const char *text) __attribute__((returns_nonnull));
char *memory_printf(const char *format, ...) __attribute__((format(printf, 1, 2), returns_nonnull));
/* A stream that writes into *text, which holds `size` bytes and is the caller's to free once the stream is closed. */
FILE *memory_stream(char **text, size_t *size) __attribute__((returns_nonnull));
char *memory_vprintf(const char *format, va_list args) __attribute__((format(printf, 1, 0), returns_nonnull));
/* Overwrites a text that may hold a secret, and frees it; NULL does nothing. */
void memory_erase(char *text);

#endif
