/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_BENCHCOMPARE_VERIFY_H
#define PARSE_BENCHCOMPARE_VERIFY_H

#include "parse/benchcompare_cli.h"

/* --verify: reads the table (from standard input for "-") and prints what was found. Returns the exit status: 0 nothing
 * found, 1 findings, 2 trouble or nothing that could be checked, which is said on stderr. */
int benchcompare_verify(const struct benchcompare_cli *cli);

#endif
