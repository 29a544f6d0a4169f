/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/arena.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void *arena_alloc(struct arena *arena, size_t size)
{
    if (arena->count == arena->capacity) {
        arena->capacity = arena->capacity ? arena->capacity * 2 : 16;
        arena->blocks = memory_resize(arena->blocks, arena->capacity, sizeof *arena->blocks);
    }
    void *block = memory_zeroed(1, size);
    arena->blocks[arena->count++] = block;
    return block;
}

void *arena_copy(struct arena *arena, const void *bytes, size_t size)
{
    char *copy = arena_alloc(arena, size + 1);
    if (size)
        memcpy(copy, bytes, size);
    return copy;
}

void arena_release(struct arena *arena)
{
    for (size_t i = 0; i < arena->count; i++)
        free(arena->blocks[i]);
    free(arena->blocks);
    *arena = (struct arena){0};
}
