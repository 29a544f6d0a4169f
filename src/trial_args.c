/* SPDX-License-Identifier: Apache-2.0 */
#include "trial_args.h"

#include <jansson.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/text.h"
#include "model/real.h"
#include "model/text.h"

void trial_args_print(const struct testcase *test, const struct run_options *options, const json_t *write_concern,
                      const struct trial_result *trial, FILE *out)
{
    json_t *args = json_object();
    json_object_set_new(args, "test", text_to_json(test->name));
    json_object_set_new(args, "parallel", json_integer(options->threads[trial->rung]));
    json_object_set_new(args, "seconds", json_real(clock_seconds(options->trial_time_ns)));
    json_object_set_new(args, "trial", json_integer(trial->trial));
    json_object_set_new(args, "multidb", json_integer(options->multidb));
    json_object_set_new(args, "multicoll", json_integer(options->multicoll));
    json_object_set_new(args, "writeConcern", json_deep_copy(write_concern));
    json_object_set(args, "ops", test->ops);
    char *text = json_dumps(args, JSON_COMPACT | JSON_ENSURE_ASCII);
    real_shorten_json(text);
    text_print_line(out, "%s", text);
    free(text);
    json_decref(args);
}
