/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_OUT_FOLDER_H
#define PARSE_OUT_FOLDER_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/error.h"
#include "parse/manifest.h"

/*
 * The folder that a report goes to. Nothing is written outside it, links in it are not followed, and no file is lost
 * that benchparse did not make: the folder holds a manifest of the files that it made. They are removed when the folder
 * is opened, if they still hold what was written; another file that is in the way gets a new name. A name may have
 * "plots/" before it, and no other '/'.
 */
struct out_folder {
    const char *path; /* lent */
    int fd, plots_fd; /* the folder, and plots/ in it */
    int manifest_fd;
    struct manifest made;      /* by this run */
    struct message_list moved; /* new names of files that were in the way */
};

/* The manifest's name, which is no test's: no other file of a report ends so. */
#define OUT_FOLDER_MANIFEST "benchparse.manifest"

/* Makes the folder and its parents when they are missing, and removes what an earlier run has made. */
bool out_folder_open(struct out_folder *folder, const char *path, struct error *err);
void out_folder_close(struct out_folder *folder);

/* Gives what has this name another one, NAME.1 or the next that is free, so that a writer that follows links can be let
 * loose on it. A folder is an error. */
bool out_folder_make_room(struct out_folder *folder, const char *name, struct error *err);
/* Adds a file that such a writer has made to the manifest; a missing one is none. */
bool out_folder_add(struct out_folder *folder, const char *name, struct error *err);
/* Begins a file: a descriptor to write to and to hand to out_folder_end(), -1 on failure. */
int out_folder_begin(struct out_folder *folder, const char *name, struct error *err);
/* Closes it and adds it to the manifest; false when `ok` is, or when that has failed. */
bool out_folder_end(struct out_folder *folder, const char *name, int fd, bool ok, struct error *err);
/* A file of the bytes of `text`. */
bool out_folder_write(struct out_folder *folder, const char *name, const struct buffer *text, struct error *err);

/* Adds to `notes` what is in the folder and not of this run: files that were in the way, and all others. */
void out_folder_note_others(struct out_folder *folder, struct message_list *notes);

#endif
