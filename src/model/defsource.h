/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_DEFSOURCE_H
#define MODEL_DEFSOURCE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* A definition file while it is read: its text, what the parser made of it, and where complaints go. */
struct defsource {
    const char *path;
    const char *text;
    size_t size;
    json_t *root;
    struct message_list *errors, *warnings;
    size_t first_error; /* errors->count before this file */
    size_t error_count; /* complaints so far, repetitions included */
    bool is_exhausted;  /* so many that no more are looked for */
    bool is_quiet;      /* complaints are dropped */
    bool is_literal;    /* a mongoebench file: no constructs, no names, no doubled # and @ */
};

/* The parameters that a value sees: one chosen object from each list of "each". */
struct defparams {
    const json_t *const *rows;
    size_t count;
    bool in_def; /* defs see none */
};

/* A value of the file and where it stands: member `key` or element `index` of `holder`; the root has no holder. A value
 * that is missing is NULL; then complaints name the holder. */
struct defref {
    const json_t *value;
    const json_t *holder;
    const char *key;
    size_t index;
    const struct defparams *params;
};

struct defref defref_member(const struct defref *object, const char *key);
struct defref defref_element(const struct defref *array, size_t index);

/* Adds "FILE:LINE: /path: message"; the same complaint is added once. After 1000 the file is exhausted. */
void defsource_error(struct defsource *source, const struct defref *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void defsource_warning(struct defsource *source, const struct defref *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds one line to a list; control characters, which could do things to a terminal, become '?'. */
void defsource_add(struct message_list *list, const char *format, ...) __attribute__((format(printf, 2, 3)));
unsigned defsource_line(const struct defsource *source, const struct defref *at);

/* Complains about `key`, which is none of `known`: names the nearest, or all. `what` is "a test", "op insert", ... */
void defsource_unknown_key(struct defsource *source, const struct defref *at, const char *what, const char *key,
                           const char *const *known, size_t count);
/* A short text of the value for "got ..": long ones are cut. The caller frees. */
char *defsource_describe(const json_t *value);

#endif
