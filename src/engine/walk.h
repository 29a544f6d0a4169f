/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_WALK_H
#define ENGINE_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A walk over the elements of one BSON document in bytes that nobody has checked. It never reads outside them,
 * allocates nothing and copies nothing; it does not look into a nested document unless walk_enter() is called.
 *
 *   walk_begin(); while (walk_next()) { walk->key, walk_number(), ... }   ended: came to the proper end
 */
struct walk {
    const uint8_t *next, *end; /* end: the document's final NUL */
    const char *key;           /* NUL-terminated */
    uint8_t type;
    const uint8_t *value;
    size_t value_size;
    bool ended;
};

/* `size` bytes are to be exactly one document. */
bool walk_begin(struct walk *walk, const uint8_t *bytes, size_t size);
/* False: the end (`ended`), or the bytes are no BSON. */
bool walk_next(struct walk *walk);
bool walk_key_is(const struct walk *walk, const char *key);

/* Of the element just met. False: it is of another type. */
bool walk_enter(const struct walk *walk, struct walk *inside); /* document or array; also false when it is malformed */
bool walk_number(const struct walk *walk, int64_t *value);     /* double (whole part, within int64), int32, int64 */
bool walk_truth(const struct walk *walk, bool *value);         /* bool or number */
bool walk_text(const struct walk *walk, const char **text, size_t *size);

#endif
