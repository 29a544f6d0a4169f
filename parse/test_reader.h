/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_TEST_READER_H
#define PARSE_TEST_READER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "parse/dataset.h"

/* How many cells of a file have the same oddity, and the first of them for people; freed by who asks. */
struct cell_finding {
    size_t count;
    char *first;
};

struct cell_findings {
    struct cell_finding refused; /* an impossible number */
    struct cell_finding claimed; /* a mean that its trials do not give */
};

/* One element of "results" of any age. An error begins with the JSON path below `object`; the test can be released all
 * the same. `test` comes zeroed. */
bool test_read(const json_t *object, struct test_data *test, struct cell_findings *findings, struct error *err);

#endif
