/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_TLS_H
#define CLI_TLS_H

#include <stdbool.h>

#include "base/error.h"
#include "benchrun_cli.h"

/* Checks the files that run.uri names for TLS. The pass phrase of a key that wants one and has none is asked for on the
 * terminal, once, and becomes part of run.uri. */
bool cli_tls_resolve(struct benchrun_cli *cli, struct error *err);

#endif
