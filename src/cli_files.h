/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include <stdbool.h>

#include "base/error.h"
#include "model/run_options.h"

/*
 * The words of every -f as definition files, appended to options->files in order. A folder that is the only word of its
 * -f means its *.json in byte order; among other words it is skipped with a note, so that what a shell makes of a star
 * works. A relative name that is not here is looked up in the data folder and in testcases/ there. Every missing name
 * is one of `errors`.
 */
bool cli_files_resolve(struct run_options *options, const struct filter_groups *words, struct message_list *notes,
                       struct message_list *errors);

#endif
