/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_COMPARE_CSV_H
#define PARSE_COMPARE_CSV_H

#include "base/buffer.h"
#include "parse/compare.h"

/* One line a test case ("test" in the column level, no threads) followed by one a cell ("cell", its verdict is
 * secondary), then the test cases that one side alone has ("only_a", "only_b"). Empty: no number. */
void compare_csv_header(struct buffer *out);
void compare_csv_rows(const struct comparison *comparison, struct buffer *out);

#endif
