/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_RESULT_READER_H
#define PARSE_RESULT_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "parse/dataset.h"

/*
 * Reads a result file of benchrun, or of mongo-perf from 2014 to the newest, from a path or, for "-", from standard
 * input. An error names the file and either line and column or the JSON path. Whether it is the system's (no such file)
 * or the file's is the same to the caller: there is no result. `label` NULL: the file's name without folder and
 * ".json". What could be read but is odd is in the deployment's warnings.
 */
bool result_reader_read(const char *path, const char *label, struct deployment *deployment, struct error *err);
/* The same from memory, without the file's name in the error and the warnings. */
bool result_reader_read_text(const char *text, size_t size, struct deployment *deployment, struct error *err);

#endif
