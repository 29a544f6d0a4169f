/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_DEPLOYMENT_H
#define CLI_DEPLOYMENT_H

#include <stdbool.h>

#include "base/error.h"
#include "benchrun_cli.h"

/* Fills run.uri from --uri, else from --host, --port and --replset, else from MONGODB_URI, else with localhost:27017;
 * with --local leaves it alone. What is malformed is an error. */
bool cli_deployment_resolve(struct benchrun_cli *cli, struct error *err);

#endif
