/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/manifest.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/memory.h"

#define HASH_DIGITS 16
#define PIECE 16384

static const char first_line[] =
    "# Files that benchparse made: it removes them, while they hold what it wrote, before it "
    "writes here again.\n";

void manifest_release(struct manifest *manifest)
{
    for (size_t i = 0; i < manifest->count; i++)
        free(manifest->entries[i].name);
    free(manifest->entries);
    *manifest = (struct manifest){0};
}

void manifest_add(struct manifest *manifest, const char *name, uint64_t hash)
{
    if (manifest->count == manifest->capacity) {
        manifest->capacity = manifest->capacity ? manifest->capacity * 2 : 64;
        manifest->entries = memory_resize(manifest->entries, manifest->capacity, sizeof *manifest->entries);
    }
    manifest->entries[manifest->count++] = (struct manifest_entry){memory_strdup(name), hash};
}

static int by_name(const void *a, const void *b)
{
    const struct manifest_entry *x = a, *y = b;
    return strcmp(x->name, y->name);
}

void manifest_sort(struct manifest *manifest)
{
    if (manifest->count > 1)
        qsort(manifest->entries, manifest->count, sizeof *manifest->entries, by_name);
}

bool manifest_has(const struct manifest *manifest, const char *name)
{
    struct manifest_entry key = {.name = (char *)(uintptr_t)name};
    return manifest->count > 0 && bsearch(&key, manifest->entries, manifest->count, sizeof key, by_name);
}

void manifest_begin_text(struct buffer *out)
{
    buffer_append(out, first_line, sizeof first_line - 1);
}

void manifest_entry_text(struct buffer *out, const char *name, uint64_t hash)
{
    buffer_append_printf(out, "%0*" PRIx64 " %s\n", HASH_DIGITS, hash, name);
}

static bool is_plain(const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";
    return name[0] && name[0] != '.' && name[strspn(name, plain)] == '\0';
}

static bool is_inside(const char *name)
{
    static const char folder[] = MANIFEST_FOLDER "/";
    return is_plain(strncmp(name, folder, sizeof folder - 1) == 0 ? name + sizeof folder - 1 : name);
}

static void parse_line(const char *line, struct manifest *manifest)
{
    char *end;
    uint64_t hash = strtoull(line, &end, 16);
    if (end == line + HASH_DIGITS && *end == ' ' && is_inside(end + 1))
        manifest_add(manifest, end + 1, hash);
}

bool manifest_parse(const char *text, struct manifest *manifest)
{
    if (strncmp(text, first_line, sizeof first_line - 1) != 0)
        return false;
    char *copy = memory_strdup(text + sizeof first_line - 1), *rest = copy, *line;
    while ((line = strsep(&rest, "\n")))
        if (rest) /* a last line without its end was cut off */
            parse_line(line, manifest);
    free(copy);
    return true;
}

bool manifest_hash(int fd, const char *name, uint64_t *hash, struct error *err)
{
    XXH3_state_t *state = XXH3_createState();
    char piece[PIECE];
    ssize_t got = state && XXH3_64bits_reset(state) == XXH_OK ? 1 : -1;
    while (got > 0) {
        got = read(fd, piece, PIECE);
        if (got > 0)
            XXH3_64bits_update(state, piece, (size_t)got);
        else if (got < 0 && errno == EINTR)
            got = 1;
    }
    if (got < 0)
        error_set(err, "%s: cannot read: %s", name, strerror(errno));
    else
        *hash = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    return got == 0;
}
