/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_CELL_READER_H
#define PARSE_CELL_READER_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"
#include "parse/dataset.h"

/* What stands under a number of threads in a result file of any age. An error begins with the JSON path below
 * `object`; the cell can be released all the same. `cell` comes zeroed but for `threads`. */
bool cell_read(const json_t *object, struct cell_data *cell, struct error *err);

/* "an object", "a string", ...: for messages. */
const char *json_kind_name(const json_t *value);

#endif
