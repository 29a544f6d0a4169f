/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_REPORT_TESTBED_H
#define PARSE_REPORT_TESTBED_H

#include "parse/document.h"

struct dataset;

/* Where the numbers come from: files and times, what differs between the testbeds, what is the same, and the command
 * lines. */
void report_testbed_write(const struct dataset *dataset, struct document *document);

#endif
