/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_DOCGEN_H
#define MODEL_DOCGEN_H

#include <bson/bson.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/rng.h"
#include "model/ejson.h"

/*
 * Makes the documents of an {"insert": ..} step of pre. Compiled once, then asked document by document. Belongs to one
 * thread. The document equals mongo-perf's: no _id is added where the template has none.
 *
 * testcase.h says what an expanded template holds. It has been checked, so nothing is complained about here but what
 * the documents themselves show: their size, and numbers that do not fit their type.
 */
struct docgen;

/* `template` is one document, or a list of documents, or a whole-document operator; it must outlive the docgen. Equal
 * seeds give equal documents. */
struct docgen *docgen_new(const json_t *template, const struct ejson_names *names, uint64_t seed);
void docgen_free(struct docgen *docgen);

/* How many documents the step means: "count" (number, or {"perThread": n} times `threads`), 1 by default; a list counts
 * its elements (times count). False: more than 2^64. */
bool docgen_step_count(const json_t *step, unsigned threads, uint64_t *count, struct error *err);

/* Document number `index` (from 0) appended to the initialised, empty `out`. In order or not, the same index gives the
 * same document. A document over 16 MiB is an error with its size. */
bool docgen_make(struct docgen *docgen, uint64_t index, bson_t *out, struct error *err);

#endif
