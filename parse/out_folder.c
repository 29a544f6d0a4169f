/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/out_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/memory.h"

#define MANIFEST_LIMIT ((size_t)1 << 28)
#define NAMES_SHOWN 3

static bool fail(const struct out_folder *folder, const char *name, const char *what, struct error *err)
{
    error_set(err, "%s/%s: %s: %s", folder->path, name, what, strerror(errno));
    return false;
}

/* The folder of a name, and what is left of the name in it. */
static int place_of(const struct out_folder *folder, const char *name, const char **base)
{
    static const char plots[] = MANIFEST_FOLDER "/";
    bool is_plots = strncmp(name, plots, sizeof plots - 1) == 0;
    *base = is_plots ? name + sizeof plots - 1 : name;
    return is_plots ? folder->plots_fd : folder->fd;
}

static int open_file(const struct out_folder *folder, const char *name)
{
    const char *base;
    int at = place_of(folder, name, &base);
    return openat(at, base, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

/* -1 when there is none: also when it is a link. */
static int open_plots(const struct out_folder *folder)
{
    return openat(folder->fd, MANIFEST_FOLDER, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static bool is_as_made(const struct out_folder *folder, const struct manifest_entry *entry)
{
    struct stat st;
    uint64_t hash;
    int fd = open_file(folder, entry->name);
    bool is_same = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
                   manifest_hash(fd, entry->name, &hash, NULL) && hash == entry->hash;
    if (fd >= 0)
        close(fd);
    return is_same;
}

static bool remove_made(const struct out_folder *folder, const struct manifest *old, struct error *err)
{
    for (size_t i = 0; i < old->count; i++) {
        const char *base, *name = old->entries[i].name;
        int at = place_of(folder, name, &base);
        if (is_as_made(folder, &old->entries[i]) && unlinkat(at, base, 0) != 0)
            return fail(folder, name, "cannot remove", err);
    }
    return true;
}

/* Empties the manifest of an earlier run after its files, or makes the first one. */
static bool open_manifest(struct out_folder *folder, struct error *err)
{
    struct buffer text = {0};
    struct manifest old = {0};
    int fd = open_file(folder, OUT_FOLDER_MANIFEST);
    bool is_there = fd >= 0 && file_read_descriptor(fd, OUT_FOLDER_MANIFEST, MANIFEST_LIMIT, &text, NULL) &&
                    manifest_parse(buffer_text(&text), &old);
    bool ok = remove_made(folder, &old, err) && (is_there || out_folder_make_room(folder, OUT_FOLDER_MANIFEST, err));
    if (fd >= 0)
        close(fd);
    if (ok)
        folder->manifest_fd = openat(folder->fd, OUT_FOLDER_MANIFEST,
                                     O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (ok && folder->manifest_fd < 0)
        ok = fail(folder, OUT_FOLDER_MANIFEST, "cannot make", err);
    buffer_clear(&text);
    manifest_begin_text(&text);
    ok = ok && file_write_all(folder->manifest_fd, OUT_FOLDER_MANIFEST, text.data, text.size, err);
    manifest_release(&old);
    buffer_release(&text);
    return ok;
}

static bool make_plots_folder(struct out_folder *folder, struct error *err)
{
    if (folder->plots_fd >= 0)
        return true;
    bool ok = out_folder_make_room(folder, MANIFEST_FOLDER, err) &&
              (mkdirat(folder->fd, MANIFEST_FOLDER, 0777) == 0 || fail(folder, MANIFEST_FOLDER, "cannot make", err));
    folder->plots_fd = ok ? open_plots(folder) : -1;
    return ok && (folder->plots_fd >= 0 || fail(folder, MANIFEST_FOLDER, "cannot open", err));
}

bool out_folder_open(struct out_folder *folder, const char *path, struct error *err)
{
    *folder = (struct out_folder){.path = path, .fd = -1, .plots_fd = -1, .manifest_fd = -1};
    /* Parents are made for this user alone, the report is for whom the umask says. */
    if (mkdir(path, 0777) != 0 && !file_make_folders(path, err))
        return false;
    folder->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->fd < 0)
        return fail(folder, "", "cannot open the folder", err);
    folder->plots_fd = open_plots(folder);
    return open_manifest(folder, err) && make_plots_folder(folder, err);
}

void out_folder_close(struct out_folder *folder)
{
    int *const files[] = {&folder->fd, &folder->plots_fd, &folder->manifest_fd};
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        if (*files[i] >= 0)
            close(*files[i]);
        *files[i] = -1;
    }
    manifest_release(&folder->made);
    message_list_release(&folder->moved);
}

bool out_folder_make_room(struct out_folder *folder, const char *name, struct error *err)
{
    struct stat st;
    const char *base;
    int at = place_of(folder, name, &base);
    if (fstatat(at, base, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT || fail(folder, name, "cannot replace", err);
    if (S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        return fail(folder, name, "cannot replace", err);
    }
    char *other = NULL;
    for (unsigned number = 1; !other || faccessat(at, other, F_OK, AT_SYMLINK_NOFOLLOW) == 0; number++) {
        free(other);
        other = memory_printf("%s.%u", base, number);
    }
    bool ok = renameat(at, base, at, other) == 0 || fail(folder, name, "cannot rename", err);
    if (ok)
        message_list_add(&folder->moved, "%.*s%s", (int)(base - name), name, other);
    free(other);
    return ok;
}

static bool add_to_manifest(struct out_folder *folder, const char *name, int fd, struct error *err)
{
    struct buffer line = {0};
    uint64_t hash;
    if (!manifest_hash(fd, name, &hash, err))
        return false;
    manifest_add(&folder->made, name, hash);
    manifest_entry_text(&line, name, hash);
    bool ok = file_write_all(folder->manifest_fd, OUT_FOLDER_MANIFEST, line.data, line.size, err);
    buffer_release(&line);
    return ok;
}

bool out_folder_add(struct out_folder *folder, const char *name, struct error *err)
{
    int fd = open_file(folder, name);
    if (fd < 0)
        return errno == ENOENT || fail(folder, name, "cannot open", err);
    bool ok = add_to_manifest(folder, name, fd, err);
    close(fd);
    return ok;
}

int out_folder_begin(struct out_folder *folder, const char *name, struct error *err)
{
    const char *base;
    if (!out_folder_make_room(folder, name, err))
        return -1;
    int at = place_of(folder, name, &base);
    int fd = openat(at, base, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        fail(folder, name, "cannot make", err);
    return fd;
}

bool out_folder_end(struct out_folder *folder, const char *name, int fd, bool ok, struct error *err)
{
    if (ok)
        ok = lseek(fd, 0, SEEK_SET) == 0 ? add_to_manifest(folder, name, fd, err)
                                         : fail(folder, name, "cannot read", err);
    if (fd >= 0 && close(fd) != 0 && ok)
        return fail(folder, name, "cannot write", err);
    return ok;
}

bool out_folder_write(struct out_folder *folder, const char *name, const struct buffer *text, struct error *err)
{
    int fd = out_folder_begin(folder, name, err);
    bool ok = fd >= 0 && file_write_all(fd, name, text->data, text->size, err);
    return out_folder_end(folder, name, fd, ok, err);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_texts(struct message_list *list)
{
    if (list->count > 1)
        qsort(list->items, list->count, sizeof *list->items, by_text);
}

static bool is_among(const struct message_list *sorted, char *text)
{
    return sorted->count > 0 && bsearch(&text, sorted->items, sorted->count, sizeof text, by_text);
}

static bool is_known(const struct out_folder *folder, char *name)
{
    return strcmp(name, MANIFEST_FOLDER) == 0 || strcmp(name, OUT_FOLDER_MANIFEST) == 0 ||
           manifest_has(&folder->made, name) || is_among(&folder->moved, name);
}

/* What is in the folder `at` and neither of this run nor moved; both lists are sorted. */
static void list_others(const struct out_folder *folder, int at, const char *prefix, struct message_list *others)
{
    int copy = openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = copy >= 0 ? fdopendir(copy) : NULL;
    struct dirent *entry;
    while (entries && (entry = readdir(entries))) {
        char *name = memory_printf("%s%s", prefix, entry->d_name);
        bool is_entry = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
        if (is_entry && !is_known(folder, name))
            message_list_add(others, "%s", name);
        free(name);
    }
    if (entries)
        closedir(entries);
    else if (copy >= 0)
        close(copy);
}

static void note(const struct out_folder *folder, const struct message_list *names, const char *what,
                 struct message_list *notes)
{
    struct buffer list = {0};
    for (size_t i = 0; i < names->count && i < NAMES_SHOWN; i++)
        buffer_append_printf(&list, "%s%s", i ? ", " : "", names->items[i]);
    if (names->count > 0)
        message_list_add(notes, "%s: %zu file%s %s: %s%s", folder->path, names->count, names->count == 1 ? "" : "s",
                         what, buffer_text(&list), names->count > NAMES_SHOWN ? ", ..." : "");
    buffer_release(&list);
}

void out_folder_note_others(struct out_folder *folder, struct message_list *notes)
{
    struct message_list others;
    message_list_init(&others);
    manifest_sort(&folder->made);
    sort_texts(&folder->moved);
    list_others(folder, folder->fd, "", &others);
    list_others(folder, folder->plots_fd, MANIFEST_FOLDER "/", &others);
    sort_texts(&others);
    note(folder, &folder->moved, "in the way, not of benchparse or changed since; kept under new names", notes);
    note(folder, &others, "not of this report; left there", notes);
    message_list_release(&others);
}
