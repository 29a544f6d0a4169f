/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_TESTCASE_H
#define MODEL_TESTCASE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * A test case after expansion: parameters, @use, @list, @fields and @string are gone, every key and type is validated,
 * and what is left are literals (Relaxed Extended JSON, a leading # or @ of a literal key or string still doubled), the
 * names #B_COLL, #B_NS, #B_DB, and operators: the only key of their object. benchrun-testcase(5) is the language.
 *
 *   pre, post   array of steps, each an object with exactly one of
 *                 {"drop": {}}
 *                 {"create": {options}}
 *                 {"index": {key}, "options"?: {}}
 *                 {"command": {..}, "db"?: ".."}
 *                 {"insert": template | [template..], "count"?: n | {"perThread": n}}
 *               and perhaps "ns", the collection's name ("#B_COLL_lookup"; not with "command"), and "mayFail", a list
 *               of error codes of servers, integers
 *   ops         array of operations, each an object with "op" and its fields
 *
 * What is left in an operation: the eight operators of mongo-perf (#RAND_INT, #RAND_INT_PLUS_THREAD, #SEQ_INT,
 * #RAND_STRING, #CONCAT, #OID, #VARIABLE, #CUR_DATE) with arguments that are valid. Numbers in arguments may be written
 * as integer or as double, but are whole. An argument may itself be an operator in #CONCAT (any element) and in
 * #RAND_INT and #CUR_DATE (where a number is meant: #VARIABLE or a #RAND_INT).
 *
 * What is left in an insert template, evaluated once a document, i the document's number in the step from 0:
 *   {"#RAND_INT": [min, max] | [min, max, mult]}, {"#RAND_STRING": [length] | [length, "characters"]},
 *   {"#CONCAT": [v, v..]}, {"#OID": any}, {"#CUR_DATE": offset in ms}
 *   {"#INDEX": {"of", "div", "mod", "mul", "add", "as"}}   all six keys, in this order. The value is
 *       as((i div D mod M) * mul + add), M = 0: no mod. "of" is "doc", or "item": the element's number in the innermost
 *       #ARRAY around, or an integer: the number itself (of a field or a round, known already). "div" is an integer >=
 * 1, "mod" an integer >= 0, "mul" and "add" are a number or another {"#INDEX": ..} whose "as" is "double". "as" is one
 *       of double, int32, int64, decimal, date (ms since 1970), string (of a whole number: its digits).
 *   {"#CYCLE": [v..]}                v[i mod length]; may be the whole template; v are templates
 *   {"#RAND_DOUBLE": [lo, hi, step]} a double lo + k * step below hi, uniform over k
 *   {"#SHUFFLED_INT": n}             element i mod n of a permutation of 0..n-1, a double
 *   {"#ARRAY": {"count": n | {"#RAND_INT": ..} | {"#INDEX": ..}, "value": template}}
 *   {"@pad": {"to": bytes, "char": "y"}}   at most one, a field of the whole document: a string of that one-byte
 *       character that makes the document `to` bytes of BSON; too small a `to` is docgen's error
 *   a key "@doc:field{doc}"          the key after "@doc:", with the document's number for every {doc}
 */
struct testcase {
    char *name;
    char *file;    /* as it was given */
    unsigned line; /* where it begins there */
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
/* Drops the tests from number `count` on. */
void testcase_set_truncate(struct testcase_set *set, size_t count);

/*
 * Reads a definition file, expands and validates it, and appends its tests in file order (a path that is in the set
 * already is skipped with a warning). Everything wrong in the file is added to `errors`, one line each: "FILE:LINE:
 * /json/path: what was expected". Things that work but look wrong go to `warnings`. Returns false when it added an
 * error; then the set has nothing of this file. `seed` draws the random constants of ops.
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
/*
 * What an "ns" means: "<own_db>.<coll>" and a text without a dot are collections of the own database; any other dot
 * ends the database's name, as in mongo-perf. NULL: the test's own collection. The caller frees both.
 */
void testcase_resolve_namespace(const char *ns, const char *own_db, const char *own_coll, char **db, char **coll);
/* <name with . as _><coll index>: the collection of test `name`, the caller frees. */
char *testcase_collection_name(const char *name, unsigned coll_index);

#endif
