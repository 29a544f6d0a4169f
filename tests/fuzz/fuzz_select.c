/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the word of a filter: an error, or some of the tests. */
#include <stdlib.h>
#include <string.h>

#include "model/select.h"

static char names[][40] = {"Insert.Empty", "[CWI.query] a, b (x) .", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"};
static char tag[] = "insert";

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *tags[] = {tag};
    struct testcase tests[] = {{.name = names[0], .tags = tags, .tag_count = 1},
                               {.name = names[1]},
                               {.name = names[2], .tags = tags, .tag_count = 1}};
    struct testcase_set set = {.items = tests, .count = 3};
    char *word = strndup((const char *)bytes, size);
    if (!word)
        abort();
    struct filter_group group = {&word, 1};
    for (int exclude = 0; exclude < 2; exclude++) {
        struct run_options options = {0};
        *(exclude ? &options.exclude : &options.include) = (struct filter_groups){&group, 1};
        struct error err = {0};
        struct message_list notes = {0};
        size_t *indices, count;
        bool ok = select_tests(&set, &options, &indices, &count, &notes, &err);
        message_list_release(&notes);
        if (ok == err.is_set || ok != (count > 0) || count > set.count)
            abort();
        free(indices);
    }
    free(word);
    return 0;
}
