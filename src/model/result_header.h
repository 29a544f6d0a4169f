/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_RESULT_HEADER_H
#define MODEL_RESULT_HEADER_H

#include <jansson.h>

#include "model/run_options.h"
#include "model/testbed.h"

/* The member "format": grows when a member changes its meaning. */
#define RESULT_FORMAT 1

/*
 * The members of the result file that are known before the first trial, in their order: basicFields (absent with
 * --exclude-testbed, as is all of testbed but the product's name), storageEngine, format, program, run_id,
 * command_line, options, seed, testbed. `write_concern` as sent with each write. Never a secret of the URI
 * (uri_secrets.h). New reference: result.header.
 */
json_t *result_header_new(const struct run_options *options, const struct testbed *testbed, const json_t *write_concern,
                          const char *run_id);

/* mongo-perf's crudOptions: what is done, whatever was asked for. New reference. */
json_t *result_header_crud_options(const json_t *write_concern);

#endif
