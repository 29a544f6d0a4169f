/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_DOCVALUE_H
#define MODEL_DOCVALUE_H

#include <bson/bson.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/rng.h"
#include "model/ejson.h"
#include "model/operator.h"

/*
 * A value of an insert template, compiled: what is the same in every document is BSON already, the rest is a tree of
 * generators. docgen.c makes documents of it; each kind of generator is a row of one const table (docvalue_compile.c).
 */

/* While a template is compiled. */
struct docvalue_scope {
    const struct ejson_names *names;
    uint64_t seed;
    uint64_t sites;    /* operators met so far that need a random key of their own */
    bool inside_array; /* an #ARRAY is around */
};

/* While a document is made. */
struct docvalue_now {
    struct rng rng;
    uint64_t doc;     /* number of the document */
    uint64_t item;    /* number of the element of the innermost #ARRAY */
    int64_t wall_ms;  /* the same for all documents of a docgen */
    size_t pad_bytes; /* length of the text that @pad makes; 0 before the document's other bytes are known */
    size_t pad_to;    /* set by @pad: what the document's size is to be */
    unsigned pads;    /* how many @pad the document has */
};

struct docvalue_kind;
struct docvalue_index;

struct docvalue {
    const struct docvalue_kind *kind;
    char *key; /* as a field of a document: its name, NULL for a run of constant fields */
    bool key_holds_number;
    struct docvalue *children; /* fields, elements, or the values of an operator's argument */
    size_t child_count;
    union {
        bson_t *constant; /* fields of a run, or one field with an empty name */
        struct docvalue_index *index;
        struct {
            int64_t low, high, factor;
        } integer;
        struct {
            double low, step;
            uint64_t steps;
        } real;
        struct {
            uint64_t size, key;
        } shuffle;
        struct {
            char *letters; /* ASCII */
            uint32_t letter_count, length;
        } string;
        struct {
            uint8_t middle[5];
            bool is_item;
        } oid;
        int64_t offset_ms;
        struct {
            size_t to;
            char letter;
        } pad;
    } as;
};

/* Fills `value` from an expanded value (testcase.h). */
void docvalue_compile(struct docvalue *value, const json_t *json, struct docvalue_scope *scope);
/* `json` is an object that becomes the document itself, or a #CYCLE of such. */
void docvalue_compile_document(struct docvalue *value, const json_t *json, struct docvalue_scope *scope);
/* Whether documents have a maker for the operator: for those that stay in documents (operator.h). */
bool docvalue_has_maker(enum operator_id id);
void docvalue_release(struct docvalue *value);

/* Appends the value under `key`. */
bool docvalue_append(const struct docvalue *value, bson_t *doc, const char *key, struct docvalue_now *now,
                     struct error *err);
/* Appends the fields of a value of docvalue_compile_document(). */
bool docvalue_append_fields(const struct docvalue *value, bson_t *doc, struct docvalue_now *now, struct error *err);

/* The value as a whole number, a fraction cut off. */
bool docvalue_number(const struct docvalue *value, struct docvalue_now *now, int64_t *number, struct error *err);
/* A new last child, all zero; moves the others. */
struct docvalue *docvalue_add_child(struct docvalue *parent);
/* Compiles each element of `list` as a child. */
void docvalue_compile_children(struct docvalue *value, const json_t *list, struct docvalue_scope *scope);
bool docvalue_too_large(struct error *err);

#endif
