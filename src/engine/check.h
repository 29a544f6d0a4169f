/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_CHECK_H
#define ENGINE_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/testcase.h"

/* What of a definition shows only when it is made into requests and documents: their sizes above all. Needs no server.
 * `sessions` is the highest rung. On failure `err` begins with file, line and name of the test, then the JSON path in
 * it. */
bool check_test(const struct testcase *test, unsigned sessions, uint64_t seed, struct error *err);

#endif
