/* SPDX-License-Identifier: Apache-2.0 */
#include "base/nearest_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/nearest.h"

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Keeps the entries whose names end so, but for `name` itself: a link that leads nowhere. */
static size_t keep(struct dirent **entries, size_t count, const char *end, const char *name)
{
    size_t kept = 0, end_length = strlen(end);
    for (size_t i = 0; i < count; i++) {
        const char *entry = entries[i]->d_name;
        size_t length = strlen(entry);
        if (length >= end_length && strcmp(entry + length - end_length, end) == 0 && strcmp(entry, name) != 0)
            entries[kept++] = entries[i];
        else
            free(entries[i]);
    }
    return kept;
}

char *nearest_file(const char *path, const char *end)
{
    struct dirent **entries = NULL;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *folder = memory_printf("%.*s", (int)(name - path), path);
    int found = scandir(*folder ? folder : ".", &entries, is_visible, alphasort);
    size_t count = found > 0 ? keep(entries, (size_t)found, end, name) : 0;
    const char **names = memory_zeroed(count, sizeof *names);
    for (size_t i = 0; i < count; i++)
        names[i] = entries[i]->d_name;
    const char *nearest = nearest_find(name, names, count);
    char *meant = nearest ? memory_printf("%s%s", folder, nearest) : NULL;
    for (size_t i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    free(names);
    free(folder);
    return meant;
}

bool nearest_file_check(const char *path, struct error *err)
{
    if (access(path, F_OK) == 0)
        return true;
    const char *reason = strerror(errno);
    char *meant = nearest_file(path, "");
    error_set(err, "%s: %s%s%s%s", path, reason, meant ? "; did you mean " : "", meant ? meant : "", meant ? "?" : "");
    free(meant);
    return false;
}
