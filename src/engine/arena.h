/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_ARENA_H
#define ENGINE_ARENA_H

#include <stddef.h>

/* Blocks that live and die together: what is made while a plan is compiled and read until it is freed. `{0}` is an
 * empty arena. */
struct arena {
    void **blocks;
    size_t count;
    size_t capacity;
};

/* Zeroed, aligned for any type. */
void *arena_alloc(struct arena *arena, size_t size);
/* A copy of the bytes followed by a NUL that does not belong to them. */
void *arena_copy(struct arena *arena, const void *bytes, size_t size);
void arena_release(struct arena *arena);

#endif
