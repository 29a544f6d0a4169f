/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_MISSING_H
#define PARSE_MISSING_H

#include "base/buffer.h"
#include "parse/report_data.h"

/* Appends missing.csv: benchparse(1), FILES. Returns how many lines it has below the heading. */
size_t missing_append(const struct report_data *data, struct buffer *out);

#endif
