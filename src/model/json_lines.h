/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_JSON_LINES_H
#define MODEL_JSON_LINES_H

#include <stddef.h>

/*
 * Where things stand in a JSON text. The parser keeps lines for syntax errors only; this looks at the text a second
 * time, when there is something to report.
 */

/* One step of a path: into a member, or, with `key` NULL, into element `index`. Keys are not owned. */
struct json_step {
    const char *key;
    size_t index;
};

struct json_path {
    struct json_step *steps;
    size_t count;
    size_t capacity;
};

void json_path_push(struct json_path *path, const char *key, size_t index);
void json_path_release(struct json_path *path);
/* "/tests/0/ops", "~0" and "~1" for ~ and / in keys (RFC 6901); "/" for the whole text. The caller frees. */
char *json_path_text(const struct json_path *path);

/* The line (from 1) of the member's key, or where the element begins. `text` is valid JSON; of a path that is not there
 * the line of the longest part that is. */
unsigned json_lines_find(const char *text, size_t size, const struct json_path *path);

/* The path of the innermost value that is open at `offset` of a text which need not be valid. The caller frees. */
char *json_lines_path_at(const char *text, size_t size, size_t offset);

#endif
