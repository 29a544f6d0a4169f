/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_OUT_FOLDER_H
#define PARSE_OUT_FOLDER_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/error.h"

/* The folder that a report goes to. Nothing is written outside it: names hold no '/', and a link that lies there is
 * replaced, not followed. */
struct out_folder {
    const char *path; /* lent */
    int fd;
};

/* Makes the folder and its parents when they are missing. */
bool out_folder_open(struct out_folder *folder, const char *path, struct error *err);
void out_folder_close(struct out_folder *folder);
/* Removes what has this name, so that a writer that follows links can be let loose on it; a missing one is no error. */
bool out_folder_clear(const struct out_folder *folder, const char *name, struct error *err);
/* Begins a file anew: a descriptor to write to and to hand to out_folder_end(), -1 on failure. */
int out_folder_begin(const struct out_folder *folder, const char *name, struct error *err);
/* Closes it; false when `ok` is, or when closing has failed. */
bool out_folder_end(const struct out_folder *folder, const char *name, int fd, bool ok, struct error *err);
/* Replaces the file by the bytes of `text`. */
bool out_folder_write(const struct out_folder *folder, const char *name, const struct buffer *text, struct error *err);

#endif
