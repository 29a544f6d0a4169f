/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_FILE_KIND_H
#define PARSE_FILE_KIND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * What a file is that was given for a result file: the one home of the messages that name it and say what to do. Sees
 * bytes only; whether the JSON is a result is the reader's question.
 */

/* Whether `text` can be one JSON object. If not, `err` says what it is: empty, compressed, UTF-16, damaged (NUL bytes),
 * a list, or a text in which JSON begins further down, as in captured output. */
bool file_kind_check(const char *text, size_t size, struct error *err);

/* What a JSON object is that has a member of this name at its top level and no "results": "a file of test-case
 * definitions"; NULL when the name says nothing. */
const char *file_kind_of_member(const char *name);

#endif
