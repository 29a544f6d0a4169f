/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"

/* Messages name the path and the system's reason. Paths are NUL-terminated; what is returned is the caller's to free.
 */

/* Appends the whole file to `out`. More than `size_limit` bytes is an error. */
bool file_read(const char *path, size_t size_limit, struct buffer *out, struct error *err);
/* What is left to read from a descriptor, likewise. `name` is for the message. */
bool file_read_descriptor(int fd, const char *name, size_t size_limit, struct buffer *out, struct error *err);
/* Replaces the regular file in one step: a reader sees the old bytes or the new ones, also after a crash (write beside,
 * fsync, rename, fsync of the folder). What is written beside is "<path>" FILE_PART: one name, so that the next call
 * removes what a killed process has left; two must not replace the same file at once. `warning` is set, and nothing
 * else happens, where the file system cannot sync or cannot give the new file the mode of the old one. */
#define FILE_PART ".br-part"
bool file_replace(const char *path, const void *bytes, size_t size, struct error *warning, struct error *err);
/* Gives the file a second name, "<path>.<number>" with the first number that is free: a hard link, or where there are
 * none a copy. Nothing is overwritten or removed. *kept is the name (the caller frees), NULL on failure. */
bool file_keep(const char *path, char **kept, struct error *err);
/* Whether the errno says that the file system cannot do it (vfat, NFS, some of FUSE), and not that it failed. */
bool file_system_cannot(int error);
/* The folder that the file is in; the caller frees. */
char *file_folder(const char *path);
/* Puts something that neither reads nor writes in the place of closed standard streams: otherwise the next file or
 * socket took their numbers, and what is printed went there. To be called before anything is opened. */
void file_fill_standard_descriptors(void);
/* All bytes to a descriptor, whatever write() takes at a time. `name` is for the message; errno keeps the reason. */
bool file_write_all(int fd, const char *name, const void *bytes, size_t size, struct error *err);
/* Folder and every missing parent, mode 0700 for those made. */
bool file_make_folders(const char *path, struct error *err);
/* Removes a folder with all that is in it, not following links; a missing one is no error. */
bool file_remove_tree(const char *path, struct error *err);
bool file_is_folder(const char *path);
bool file_is_regular(const char *path);
char *file_join(const char *folder, const char *name);
/* The folder that the environment variable names, else $HOME/`fallback`; NULL when neither is set. */
char *file_user_folder(const char *variable, const char *fallback);

#endif
