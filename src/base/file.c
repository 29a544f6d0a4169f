/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

static bool fail(struct error *err, const char *path, const char *what)
{
    error_set(err, "%s: %s: %s", path, what, strerror(errno));
    return false;
}

bool file_read_descriptor(int fd, const char *path, size_t size_limit, struct buffer *out, struct error *err)
{
    size_t start = out->size;
    for (;;) {
        buffer_reserve(out, out->size + 65536);
        ssize_t n = read(fd, out->data + out->size, 65536);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail(err, path, "cannot read");
        if (n == 0)
            return true;
        out->size += (size_t)n;
        if (out->size - start > size_limit) {
            error_set(err, "%s: larger than %zu bytes", path, size_limit);
            return false;
        }
    }
}

bool file_read(const char *path, size_t size_limit, struct buffer *out, struct error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail(err, path, "cannot open");
    bool ok = file_read_descriptor(fd, path, size_limit, out, err);
    close(fd);
    return ok;
}

bool file_write_all(int fd, const char *name, const void *bytes, size_t size, struct error *err)
{
    const char *at = bytes;
    while (size > 0) {
        ssize_t n = write(fd, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail(err, name, "cannot write");
        at += n;
        size -= (size_t)n;
    }
    return true;
}

static char *folder_of(const char *path)
{
    char *copy = memory_strdup(path);
    char *folder = memory_strdup(dirname(copy));
    free(copy);
    return folder;
}

/* Without the folder's own fsync a crash may bring the old name back; a folder that cannot be synced is no failure. */
static void sync_folder(const char *path)
{
    char *folder = folder_of(path);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(folder);
}

static bool is_special(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

static bool write_straight(const char *path, const void *bytes, size_t size, struct error *err)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return fail(err, path, "cannot open for writing");
    bool ok = file_write_all(fd, path, bytes, size, err);
    if (close(fd) != 0 && ok)
        ok = fail(err, path, "cannot write");
    return ok;
}

/* The mode that the file has, or that a plain open() would give a new one. */
static mode_t mode_for(const char *path)
{
    struct stat st;
    if (stat(path, &st) == 0)
        return st.st_mode & 07777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static bool write_beside(int fd, const char *beside, const char *path, const void *bytes, size_t size,
                         struct error *err)
{
    bool ok = file_write_all(fd, path, bytes, size, err);
    if (ok && fchmod(fd, mode_for(path)) != 0)
        ok = fail(err, path, "cannot set the mode");
    if (ok && fsync(fd) != 0)
        ok = fail(err, path, "cannot sync");
    if (close(fd) != 0 && ok)
        ok = fail(err, path, "cannot write");
    if (ok && rename(beside, path) != 0)
        ok = fail(err, path, "cannot rename into place");
    return ok;
}

bool file_replace(const char *path, const void *bytes, size_t size, struct error *err)
{
    if (is_special(path))
        return write_straight(path, bytes, size, err);
    /* A link keeps pointing at its file: what it names is replaced, not the link. */
    char *real = realpath(path, NULL);
    const char *target = real ? real : path;
    char *beside = memory_printf("%s.XXXXXX", target);
    int fd = mkostemp(beside, O_CLOEXEC);
    bool ok =
        fd >= 0 ? write_beside(fd, beside, target, bytes, size, err) : fail(err, path, "cannot make a file beside it");
    if (ok)
        sync_folder(target);
    else if (fd >= 0)
        unlink(beside);
    free(beside);
    free(real);
    return ok;
}

/* A device may open and then refuse (/dev/full). A blank line does no harm to a JSON text; a terminal is spared it. */
static bool takes_a_line(int device, const char *name, struct error *err)
{
    return isatty(device) || file_write_all(device, name, "\n", 1, err);
}

static bool check_device(const char *path, struct error *err)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return fail(err, path, "cannot open for writing");
    bool ok = takes_a_line(fd, path, err);
    close(fd);
    return ok;
}

bool file_check_descriptor(int fd, const char *name, struct error *err)
{
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) {
        error_set(err, "%s: closed, or not open for writing", name);
        return false;
    }
    struct stat st;
    return fstat(fd, &st) != 0 || !S_ISCHR(st.st_mode) || takes_a_line(fd, name, err);
}

void file_fill_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) >= 0)
            continue;
        /* The lowest free number is this one. */
        if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            return;
    }
}

bool file_check_writable(const char *path, struct error *err)
{
    struct stat st;
    bool exists = stat(path, &st) == 0;
    if (exists && S_ISDIR(st.st_mode)) {
        error_set(err, "%s: is a folder, expected a file name", path);
        return false;
    }
    if (exists && access(path, W_OK) != 0)
        return fail(err, path, "cannot write");
    if (exists && !S_ISREG(st.st_mode))
        return !S_ISCHR(st.st_mode) || check_device(path, err);
    char *folder = folder_of(path);
    bool ok = access(folder, W_OK | X_OK) == 0 || fail(err, folder, "cannot write in this folder");
    free(folder);
    return ok;
}

bool file_make_folders(const char *path, struct error *err)
{
    char *copy = memory_strdup(path);
    bool ok = true;
    for (char *at = copy + 1; ok; at++) {
        if (*at != '/' && *at != '\0')
            continue;
        char kept = *at;
        *at = '\0';
        if (mkdir(copy, 0700) != 0 && errno != EEXIST)
            ok = fail(err, copy, "cannot make the folder");
        *at = kept;
        if (kept == '\0')
            break;
    }
    free(copy);
    if (ok && !file_is_folder(path)) {
        error_set(err, "%s: exists and is not a folder", path);
        ok = false;
    }
    return ok;
}

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    (void)st;
    (void)kind;
    (void)ftw;
    return remove(path);
}

bool file_remove_tree(const char *path, struct error *err)
{
    struct stat st;
    if (lstat(path, &st) != 0 && errno == ENOENT)
        return true;
    if (nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS) != 0)
        return fail(err, path, "cannot remove");
    return true;
}

bool file_is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool file_is_regular(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

char *file_join(const char *folder, const char *name)
{
    size_t length = strlen(folder);
    const char *slash = length > 0 && folder[length - 1] == '/' ? "" : "/";
    return memory_printf("%s%s%s", folder, slash, name);
}

char *file_user_folder(const char *variable, const char *fallback)
{
    const char *named = getenv(variable);
    if (named && *named)
        return memory_strdup(named);
    const char *home = getenv("HOME");
    return home && *home ? file_join(home, fallback) : NULL;
}
