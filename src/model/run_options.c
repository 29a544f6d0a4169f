/* SPDX-License-Identifier: Apache-2.0 */
#include "model/run_options.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"

void filter_groups_release(struct filter_groups *groups)
{
    for (size_t i = 0; i < groups->count; i++) {
        for (size_t k = 0; k < groups->items[i].count; k++)
            free(groups->items[i].words[k]);
        free(groups->items[i].words);
    }
    free(groups->items);
    *groups = (struct filter_groups){0};
}

void run_options_release(struct run_options *options)
{
    for (size_t i = 0; i < options->file_count; i++)
        free(options->files[i]);
    free(options->files);
    free(options->threads);
    filter_groups_release(&options->include);
    filter_groups_release(&options->exclude);
    memory_erase(options->uri);
    memory_erase(options->password);
    char *texts[] = {options->mongod, options->password_source, options->w_name, options->out, options->command_line};
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        free(texts[i]);
    *options = (struct run_options){0};
}
