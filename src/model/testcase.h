/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_TESTCASE_H
#define MODEL_TESTCASE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * A test case after expansion: parameters, @use, @list, @fields, @string and @pad of fixed documents are gone, every
 * key and type is validated, and what is left are literals (Relaxed Extended JSON, a leading # or @ of a literal still
 * doubled), the names #B_COLL, #B_NS, #B_DB, and operators. benchrun-testcase(5) is the language.
 *
 *   pre, post   array of steps, each an object with one of: drop, create, index, command, insert (see the manual)
 *   ops         array of operations, each an object with "op" and its fields
 */
struct testcase {
    char *name;
    char *file; /* as it was given */
    char **tags;
    size_t tag_count;
    json_t *pre, *ops, *post; /* arrays, never NULL; post may be empty */
    char fingerprint[17];     /* xxh3 of the expanded definition, hexadecimal; independent of seed, file and layout */
};

struct testcase_set {
    struct testcase *items;
    size_t count;
    size_t capacity;
};

void testcase_set_init(struct testcase_set *set);
void testcase_set_release(struct testcase_set *set);

/*
 * Reads a definition file, expands and validates it, and appends its tests in file order. Everything wrong in the file
 * is added to `errors`, one line each: "FILE:LINE: /json/path: what was expected". Things that work but look wrong go
 * to `warnings`. Returns false when it added an error; then the set has nothing of this file. `seed` draws the random
 * constants of ops.
 */
bool testcase_set_load(struct testcase_set *set, const char *path, uint64_t seed, struct message_list *errors,
                       struct message_list *warnings);
/* The same from memory; `path` only names it. */
bool testcase_set_load_bytes(struct testcase_set *set, const char *path, const void *bytes, size_t size, uint64_t seed,
                             struct message_list *errors, struct message_list *warnings);
/* After all files: a name in two files is an error that names both. */
bool testcase_set_check_names(const struct testcase_set *set, struct message_list *errors);

/* "#B_COLL_x" -> "<coll>_x", "#B_NS", "#B_DB" likewise (left as they are when `db` is NULL); "##x" -> "#x",
 * "@@x" -> "@x"; else a copy. The caller frees. */
char *testcase_resolve_string(const char *text, const char *db, const char *coll);
/* <name with . as _><coll index>: the collection of test `name`, the caller frees. */
char *testcase_collection_name(const char *name, unsigned coll_index);

#endif
