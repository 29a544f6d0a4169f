/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_DEFEXPAND_H
#define MODEL_DEFEXPAND_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "model/defsource.h"

/* A file's expansion stays below this, each value counted as its text and DEFEXPAND_VALUE_BYTES. */
#define DEFEXPAND_BYTES_MAX (UINT64_C(64) << 20)
#define DEFEXPAND_VALUE_BYTES 64
/* And each use of a parameter, which costs time even where its text is empty. */
#define DEFEXPAND_PARAMETER_BYTES 256
#define DEFEXPAND_DEPTH_MAX 128

/* Where a value stands decides which operators it may hold. */
enum defplace {
    DEFPLACE_OPTIONS,  /* options, keys, commands: read once; data operators are evaluated now */
    DEFPLACE_OP,       /* a field of an operation: the eight operators stay, data operators are evaluated now */
    DEFPLACE_TEMPLATE, /* documents of an insert step: operators stay */
};

/* What "of": "item" counts: nothing, a round of @list (known), or the elements of an #ARRAY (later). */
struct defitem {
    enum { DEFITEM_NONE, DEFITEM_ROUND, DEFITEM_ARRAY } kind;
    uint64_t number;
};

/* The fields of @fields around a value, the innermost first. */
struct deffield {
    uint64_t number;
    const struct deffield *outer;
};

/* The state of one expansion. Complaints go to `source`; functions that return a json_t * return NULL after one. */
struct defexpand {
    struct defsource *source;
    const json_t *defs; /* NULL: none */
    json_t *used_defs;
    uint64_t spent;        /* of DEFEXPAND_BYTES_MAX */
    struct defref over_at; /* where it became too large */
    bool is_over;          /* too large: everything returns NULL from now on */
    unsigned depth;
    struct rng rng; /* draws the constants */
    bool has_drawn;
    json_t *variables; /* what the lets so far have set: opvalue_store() */
    /* the scope of the value that is being expanded */
    enum defplace place;
    const uint64_t *round; /* of the innermost counting @list, NULL: none; what {} stands for */
    struct defitem item;
    const struct deffield *field;
    const char *member; /* the key that the value will have, NULL: an element */
    unsigned pads;      /* @pad met so far in this document */
    unsigned raw;       /* inside an extended JSON wrapper: no escapes */
};

/* Counts `bytes` `times` over; false (and a complaint at `at`) when that is too much. */
bool defexpand_spend(struct defexpand *expand, const struct defref *at, uint64_t bytes, uint64_t times);

/* Follows "${p}" and {"@use": ".."} without other keys to what they stand for. */
bool defexpand_resolve(struct defexpand *expand, struct defref *ref);

/* The members of an object, with @use merged in: those of the def in its order, replaced ones in place, new ones after
 * them. `key` as in the file. */
struct defview {
    struct defref *members;
    size_t count;
    size_t capacity;
};

bool defexpand_open(struct defexpand *expand, const struct defref *object, struct defview *view);
void defview_release(struct defview *view);
/* NULL when there is none. */
const struct defref *defview_find(const struct defview *view, const char *key);
/* Complains about keys that are none of `known`; `what` is "@list", "a test", ... */
bool defview_check_keys(struct defexpand *expand, const struct defview *view, const char *what,
                        const char *const *known, size_t count);

/* A new reference to the expanded value. */
json_t *defexpand_value(struct defexpand *expand, const struct defref *ref);
typedef json_t *defexpand_element(struct defexpand *expand, const struct defref *ref, void *context);
/* A list with its @list spliced in; each element is made by `element`, or by defexpand_value() when that is NULL. */
json_t *defexpand_array(struct defexpand *expand, const struct defref *ref, defexpand_element *element, void *context);
/* A whole number, written as integer or double, within the bounds; `what` is named in the complaint. */
bool defexpand_whole(struct defexpand *expand, const struct defref *ref, const char *what, int64_t min, int64_t max,
                     int64_t *number);

#endif
