/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_EJSON_H
#define MODEL_EJSON_H

#include <bson/bson.h>
#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"

/* What a server accepts as one document; a text in it cannot be longer either. */
#define DOCUMENT_BYTES_MAX (16 * 1024 * 1024)

/* The names that #B_DB, #B_COLL and #B_NS stand for. */
struct ejson_names {
    const char *db;
    const char *coll;
};

/*
 * Relaxed Extended JSON (v2, MongoDB specification) held by jansson, to BSON. 1 is int32, int64 if it does not fit; 1.0
 * is double; {"$oid": ..}, {"$date": ..}, {"$numberLong": ..}, ... as the specification says, an object whose first key
 * is an unknown $-word is an ordinary document ({"$set": ..}). Keys keep their order. Strings and keys go through
 * testcase_resolve_string(); `names` NULL leaves #B_ strings as they are (## and @@ lose a character all the same).
 * An object whose only key is an operator ("#RAND_INT") is an error here: docgen and plan handle those. An error begins
 * with the JSON path below `value`.
 */
bool ejson_append(bson_t *doc, const char *key, const json_t *value, const struct ejson_names *names,
                  struct error *err);
/* `object` as a whole document appended to the initialised `doc`. */
bool ejson_append_all(bson_t *doc, const json_t *object, const struct ejson_names *names, struct error *err);

/* A JSON number without a fraction, written 3 or 3.0; a double beyond 2^53 is none, since it skips whole numbers. */
bool ejson_is_whole(const json_t *value, int64_t *number);
/* Whether the value is an extended-JSON wrapper such as {"$oid": ".."}; its text is checked by ejson_append(). */
bool ejson_is_wrapper(const json_t *value);
/* Whether an object whose first key this is would be one. */
bool ejson_is_wrapper_key(const char *key);
/* The operator's name ("#RAND_INT") when the value is an object whose only key begins with one '#', else NULL. The
 * argument goes to *argument when that is not NULL. */
const char *ejson_operator(const json_t *value, const json_t **argument);

#endif
