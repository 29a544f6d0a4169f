/* SPDX-License-Identifier: Apache-2.0 */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/memory.h"

#define LINKS_MAX 40 /* as many as Linux follows */

static bool fail(struct error *err, const char *name, const char *what)
{
    error_set(err, "%s: %s: %s", name, what, strerror(errno));
    return false;
}

/* Whether it, and not what a link names, is on /proc: a link there leads to an open file itself, whatever its text
 * says.
 */
static bool is_on_proc(const char *path)
{
    struct statfs system;
    int fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    bool is_there = fd >= 0 && fstatfs(fd, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
    if (fd >= 0)
        close(fd);
    return is_there;
}

/* What the link names, seen from here; NULL with errno. */
static char *read_link(const char *link)
{
    char target[PATH_MAX];
    ssize_t length = readlink(link, target, sizeof target - 1);
    if (length < 0)
        return NULL;
    target[length] = '\0';
    const char *slash = target[0] == '/' ? NULL : strrchr(link, '/');
    return memory_printf("%.*s%s", slash ? (int)(slash + 1 - link) : 0, link, target);
}

/* The end of the links that begin with `name`: no link, or one that stands for an open file. realpath() cannot tell: it
 * fails when the last one leads nowhere, and takes the text of a link on /proc for a path. */
static char *follow_links(const char *name, bool *is_open_file, struct error *err)
{
    char *path = memory_strdup(name);
    *is_open_file = false;
    for (int links = 0; path && links <= LINKS_MAX; links++) {
        struct stat st;
        if (lstat(path, &st) != 0 || !S_ISLNK(st.st_mode))
            return path;
        *is_open_file = is_on_proc(path);
        if (*is_open_file)
            return path;
        char *target = read_link(path);
        free(path);
        path = target;
    }
    if (path)
        errno = ELOOP;
    fail(err, name, "cannot follow the link");
    free(path);
    return NULL;
}

/* N of "/dev/fd/N" and the like where that is this process's own; -1: it is another's. */
static int own_descriptor(const char *link)
{
    static const char *const ours[] = {"/proc/self/fd", "/proc/thread-self/fd"};
    char *folder = file_folder(link), *there = realpath(folder, NULL);
    bool is_own = false;
    for (size_t i = 0; i < COUNT_OF(ours) && there; i++) {
        char *own = realpath(ours[i], NULL);
        is_own |= own && strcmp(own, there) == 0;
        free(own);
    }
    free(folder);
    free(there);
    return is_own ? atoi(strrchr(link, '/') + 1) : -1;
}

/* A device may open and then refuse (/dev/full). A blank line does no harm to a JSON text; a terminal is spared it. */
static bool takes_a_line(int fd, const char *name, struct error *err)
{
    struct stat st;
    return fstat(fd, &st) != 0 || !S_ISCHR(st.st_mode) || isatty(fd) || file_write_all(fd, name, "\n", 1, err);
}

/* A descriptor is shared with whoever opened it, with its place in the file: it is written where it stands. */
static bool open_descriptor(struct output *output, int fd, struct error *err)
{
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY || (flags & O_PATH)) {
        error_set(err, "%s: closed, or not open for writing", output->name);
        return false;
    }
    output->fd = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (output->fd < 0)
        return fail(err, output->name, "cannot open for writing");
    return takes_a_line(output->fd, output->name, err);
}

/* O_APPEND: in the file of another process nothing is overwritten. */
static bool open_special(struct output *output, const char *path, struct error *err)
{
    output->fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
    if (output->fd < 0)
        return fail(err, output->name, "cannot open for writing");
    return takes_a_line(output->fd, output->name, err);
}

static bool refuse(struct error *err, const char *name, const char *what)
{
    error_set(err, "%s: is %s, expected a file name", name, what);
    return false;
}

/* A file that is mounted by itself (docker run -v FILE:FILE) cannot be renamed over. */
static bool is_mounted(const char *path)
{
    struct statx st;
    return statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, 0, &st) == 0 && st.stx_attributes & STATX_ATTR_MOUNT_ROOT;
}

/* In a sticky folder (/tmp) a name can be removed by the owner of the file or of the folder. */
static bool is_held_by_others(const char *folder, const struct stat *file)
{
    struct stat st;
    uid_t we = geteuid();
    return we != 0 && stat(folder, &st) == 0 && st.st_mode & S_ISVTX && st.st_uid != we && file->st_uid != we;
}

/* Whether a file can be renamed over the name, or the name be removed. */
static bool check_name(const char *path, const char *folder, struct error *err)
{
    struct stat st;
    if (lstat(path, &st) != 0)
        return true;
    if (S_ISDIR(st.st_mode))
        error_set(err, "%s: is a folder, and the file is first written under this name", path);
    else if (is_mounted(path))
        error_set(err, "%s: is a mount point, which cannot be replaced; mount its folder instead", path);
    else if (is_held_by_others(folder, &st))
        error_set(err, "%s: belongs to another user, and its folder lets nobody else replace it", path);
    else
        return true;
    return false;
}

static bool check_names(const char *path, const char *folder, struct error *err)
{
    char *part = memory_printf("%s" FILE_PART, path);
    bool ok = check_name(path, folder, err) && check_name(part, folder, err);
    free(part);
    return ok;
}

static bool check_file(const char *path, bool exists, struct error *err)
{
    if (exists && access(path, W_OK) != 0)
        return fail(err, path, "cannot write");
    char *folder = file_folder(path), *real = realpath(folder, NULL);
    bool ok = (access(folder, W_OK | X_OK) == 0 || fail(err, folder, "cannot write in this folder")) &&
              check_names(path, folder, err);
    if (ok && real && is_on_proc(real))
        ok = refuse(err, path, "no descriptor that is open");
    free(real);
    free(folder);
    return ok;
}

static bool open_path(struct output *output, const char *path, bool is_open_file, struct error *err)
{
    struct stat st;
    bool exists = stat(path, &st) == 0, is_folder = path[strlen(path) - 1] == '/';
    if (!exists && errno != ENOENT)
        return fail(err, path, "cannot look at it");
    if (is_folder || (exists && S_ISDIR(st.st_mode)))
        return refuse(err, output->name, "a folder");
    if (exists && S_ISBLK(st.st_mode))
        return refuse(err, output->name, "a disk");
    if (exists && S_ISSOCK(st.st_mode) && !is_open_file)
        return refuse(err, output->name, "a socket");
    if (is_open_file) {
        int fd = own_descriptor(path);
        return fd >= 0 ? open_descriptor(output, fd, err) : open_special(output, path, err);
    }
    if (exists && S_ISCHR(st.st_mode))
        return open_special(output, path, err);
    if (exists && S_ISFIFO(st.st_mode))
        return access(path, W_OK) == 0 || fail(err, output->name, "cannot write");
    output->path = memory_strdup(path);
    return check_file(path, exists, err);
}

bool output_open(struct output *output, const char *name, struct error *err)
{
    bool is_stdout = !name || strcmp(name, "-") == 0, is_open_file;
    *output = (struct output){.name = memory_strdup(is_stdout ? "standard output" : name), .fd = -1};
    if (is_stdout)
        return open_descriptor(output, STDOUT_FILENO, err);
    char *path = follow_links(name, &is_open_file, err);
    bool ok = path && open_path(output, path, is_open_file, err);
    free(path);
    return ok;
}

static bool write_pipe(const struct output *output, const void *bytes, size_t size, struct error *err)
{
    int fd = open(output->name, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return fail(err, output->name, "cannot open for writing");
    bool ok = file_write_all(fd, output->name, bytes, size, err);
    close(fd);
    return ok;
}

bool output_write(const struct output *output, const void *bytes, size_t size, struct error *warning, struct error *err)
{
    if (output->path)
        return file_replace(output->path, bytes, size, warning, err);
    if (output->fd >= 0)
        return file_write_all(output->fd, output->name, bytes, size, err);
    return write_pipe(output, bytes, size, err);
}

void output_close(struct output *output)
{
    if (output->fd >= 0)
        close(output->fd);
    free(output->name);
    free(output->path);
    *output = (struct output){.fd = -1};
}
