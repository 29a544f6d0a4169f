/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TRIAL_ARGS_H
#define TRIAL_ARGS_H

#include <stdio.h>

#include "model/result.h"
#include "model/run_options.h"
#include "model/testcase.h"

/* --printArgs: what the trial will do, as one line of JSON: test, parallel, seconds, trial, multidb, multicoll,
 * writeConcern as sent, ops. No user and no password. */
void trial_args_print(const struct testcase *test, const struct run_options *options, const json_t *write_concern,
                      const struct trial_result *trial, FILE *out);

#endif
