/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * Where a program's data goes: a file that is replaced in one step, or something that is written straight, once:
 * standard output, a descriptor that a name stands for (/dev/stdout, /dev/fd/3, /proc/self/fd/3, links to them), a
 * pipe, a device. The strings are owned by the struct; one thread.
 */
struct output {
    char *name; /* as given, for messages */
    char *path; /* the file, behind all symbolic links; NULL: written straight */
    int fd;     /* of what is written straight, ours; -1: a pipe with a name, opened when there is something to write */
};

/*
 * `name` NULL or "-" means standard output. A symbolic link is followed to what it names, there or not; it is never
 * replaced itself. Finds out whether output_write() can work, without touching what is there (a device gets one blank
 * line). A folder, a disk, a socket, a closed descriptor, and a place where nothing can be written are errors.
 * output_close() in either case.
 */
bool output_open(struct output *output, const char *name, struct error *err);
/* Replaces the file (file_replace(), which also sets `warning`), or writes to the end of what is written straight. */
bool output_write(const struct output *output, const void *bytes, size_t size, struct error *warning,
                  struct error *err);
void output_close(struct output *output);

#endif
