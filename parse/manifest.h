/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_MANIFEST_H
#define PARSE_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

/* The one folder inside a report. */
#define MANIFEST_FOLDER "plots"

/* The list of the files of a report, each with a hash of what it held when it was made: a file that holds something
 * else is somebody's. */

struct manifest_entry {
    char *name; /* of letters, digits and "._+-", MANIFEST_FOLDER and a slash before it or not */
    uint64_t hash;
};

struct manifest {
    struct manifest_entry *entries;
    size_t count, capacity;
};

void manifest_release(struct manifest *manifest);
void manifest_add(struct manifest *manifest, const char *name, uint64_t hash);
void manifest_sort(struct manifest *manifest);
/* Of a sorted one. */
bool manifest_has(const struct manifest *manifest, const char *name);

/* The first line of the file. */
void manifest_begin_text(struct buffer *out);
/* The line of one entry. */
void manifest_entry_text(struct buffer *out, const char *name, uint64_t hash);
/* Adds the entries of the text to `manifest`. Lines of another form are passed over, so are names that could lead out
 * of the folder. false: the text does not begin as a manifest does. */
bool manifest_parse(const char *text, struct manifest *manifest);

/* Of what is left to read from the descriptor. `name` is for the message. */
bool manifest_hash(int fd, const char *name, uint64_t *hash, struct error *err);

#endif
