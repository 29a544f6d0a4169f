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

#include "base/array.h"
#include "base/clock.h"
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

#define FULL_PIPE_WAIT_NS 1000000

bool file_write_all(int fd, const char *name, const void *bytes, size_t size, struct error *err)
{
    const char *at = bytes;
    while (size > 0) {
        ssize_t n = write(fd, at, size);
        bool is_full = n < 0 && errno == EAGAIN;
        if (is_full) /* another process has made the pipe or terminal non-blocking (ssh, Node.js) */
            clock_sleep_ns(FULL_PIPE_WAIT_NS);
        if (is_full || (n < 0 && errno == EINTR))
            continue;
        if (n < 0)
            return fail(err, name, "cannot write");
        at += n;
        size -= (size_t)n;
    }
    return true;
}

char *file_folder(const char *path)
{
    char *copy = memory_strdup(path);
    char *folder = memory_strdup(dirname(copy));
    free(copy);
    return folder;
}

/* Without the folder's own fsync a crash may bring the old name back; a folder that cannot be synced is no failure. */
static void sync_folder(const char *path)
{
    char *folder = file_folder(path);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(folder);
}

bool file_system_cannot(int error)
{
    static const int refusals[] = {EPERM, EINVAL, ENOSYS, ENOTSUP, ENOLCK, ENOTTY};
    for (size_t i = 0; i < COUNT_OF(refusals); i++)
        if (error == refusals[i])
            return true;
    return false;
}

/* What the file system cannot do is a warning, anything else an error. */
static bool judge(const char *path, const char *what, struct error *warning, struct error *err)
{
    if (!file_system_cannot(errno))
        return fail(err, path, what);
    fail(warning, path, what);
    return true;
}

/* The mode of the file that is replaced; a new one gets what the umask leaves. */
static bool keep_mode(int fd, const char *path, struct error *warning, struct error *err)
{
    struct stat old, part;
    if (stat(path, &old) != 0 || fstat(fd, &part) != 0 || (old.st_mode & 07777) == (part.st_mode & 07777))
        return true;
    return fchmod(fd, old.st_mode & 07777) == 0 || judge(path, "cannot set the mode", warning, err);
}

/* A new file, which nobody may read who may not read `path`, if that is there. */
static int create_like(const char *path, const char *name)
{
    struct stat old;
    mode_t mode = stat(path, &old) == 0 ? old.st_mode & 0666 : 0666;
    return open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
}

static bool write_part(int fd, const char *path, const void *bytes, size_t size, struct error *warning,
                       struct error *err)
{
    bool ok = file_write_all(fd, path, bytes, size, err) && keep_mode(fd, path, warning, err) &&
              (fsync(fd) == 0 || judge(path, "cannot sync", warning, err));
    if (close(fd) != 0 && ok)
        ok = fail(err, path, "cannot write");
    return ok;
}

bool file_replace(const char *path, const void *bytes, size_t size, struct error *warning, struct error *err)
{
    char *part = memory_printf("%s" FILE_PART, path);
    unlink(part); /* of a process that was killed */
    int fd = create_like(path, part);
    bool ok = fd >= 0 ? write_part(fd, path, bytes, size, warning, err) : fail(err, part, "cannot make the file");
    if (ok && rename(part, path) != 0)
        ok = fail(err, path, "cannot rename into place");
    if (ok)
        sync_folder(path);
    else if (fd >= 0)
        unlink(part);
    free(part);
    return ok;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Where there are no hard links. False with errno EEXIST where `copy` is taken. */
static bool copy_file(const char *path, const char *copy, struct error *err)
{
    struct buffer bytes = {0};
    int fd = create_like(path, copy);
    if (fd < 0)
        return errno != EEXIST && fail(err, copy, "cannot make the file");
    bool ok = file_read(path, SIZE_MAX, &bytes, err) && write_part(fd, copy, bytes.data, bytes.size, NULL, err);
    if (!ok)
        unlink(copy);
    buffer_release(&bytes);
    return ok;
}

/* Gives the file this name, too. False without an error: the name is taken. */
static bool keep_as(const char *path, const char *name, struct error *err)
{
    if (link(path, name) == 0)
        return true;
    if (errno == EEXIST)
        return is_same_file(path, name); /* of a process that was killed right after the link */
    if (!file_system_cannot(errno))
        return fail(err, path, "cannot keep it under another name");
    return copy_file(path, name, err);
}

bool file_keep(const char *path, char **kept, struct error *err)
{
    *kept = NULL;
    for (unsigned number = 1; !*kept; number++) {
        char *name = memory_printf("%s.%u", path, number);
        struct error cause;
        error_init(&cause);
        if (keep_as(path, name, &cause)) {
            *kept = name;
            continue;
        }
        free(name);
        if (cause.is_set) {
            error_set(err, "%s", cause.message);
            return false;
        }
    }
    sync_folder(path);
    return true;
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
