/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_VERIFY_REPORT_H
#define PARSE_VERIFY_REPORT_H

#include <jansson.h>

#include "parse/paper.h"
#include "parse/verify.h"

/* How the table was read, what was found, what was checked. `path` is for people. */
void verify_report_print(const struct verify *verify, const char *path, const struct paper *paper);
/* The same. New reference. */
json_t *verify_report_json(const struct verify *verify, const char *path);

#endif
