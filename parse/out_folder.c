/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/out_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static bool fail(const struct out_folder *folder, const char *name, const char *what, struct error *err)
{
    error_set(err, "%s/%s: %s: %s", folder->path, name, what, strerror(errno));
    return false;
}

bool out_folder_open(struct out_folder *folder, const char *path, struct error *err)
{
    *folder = (struct out_folder){path, -1};
    /* Parents are made for this user alone, the report is for whom the umask says. */
    if (mkdir(path, 0777) != 0 && !file_make_folders(path, err))
        return false;
    folder->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return folder->fd >= 0 || fail(folder, "", "cannot open the folder", err);
}

void out_folder_close(struct out_folder *folder)
{
    if (folder->fd >= 0)
        close(folder->fd);
    folder->fd = -1;
}

bool out_folder_clear(const struct out_folder *folder, const char *name, struct error *err)
{
    return unlinkat(folder->fd, name, 0) == 0 || errno == ENOENT || fail(folder, name, "cannot replace", err);
}

int out_folder_begin(const struct out_folder *folder, const char *name, struct error *err)
{
    if (!out_folder_clear(folder, name, err))
        return -1;
    int fd = openat(folder->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        fail(folder, name, "cannot make", err);
    return fd;
}

bool out_folder_end(const struct out_folder *folder, const char *name, int fd, bool ok, struct error *err)
{
    if (fd >= 0 && close(fd) != 0 && ok)
        return fail(folder, name, "cannot write", err);
    return ok;
}

bool out_folder_write(const struct out_folder *folder, const char *name, const struct buffer *text, struct error *err)
{
    int fd = out_folder_begin(folder, name, err);
    bool ok = fd >= 0 && file_write_all(fd, name, text->data, text->size, err);
    return out_folder_end(folder, name, fd, ok, err);
}
