/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_JSON_PIECES_H
#define PARSE_JSON_PIECES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "parse/json_scan.h"

/*
 * A JSON object read member by member, and one array in it element by element, so that only one piece at a time is held
 * as jansson's tree (which takes some nine times the room of its text).
 */
struct json_pieces_reader {
    const char *array; /* the member whose elements come one by one */
    struct json_thinning thinning;
    bool array_found; /* set when it was there, also when it was empty */
    void *context;    /* for the two calls */
    /* Both lend `value`; false ends the reading with their error. */
    bool (*member)(void *context, const char *name, json_t *value, struct error *err);
    bool (*element)(void *context, size_t index, json_t *value, struct error *err);
};

/* The whole of `text`. An error of syntax begins with "line L, column C". A member that stands twice is an error. When
 * `array` is there but is no array it comes as a member. */
bool json_pieces_read(const char *text, size_t size, struct json_pieces_reader *reader, struct error *err);

#endif
