/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a definition file: complaints, or tests that are whole and do not depend on when they are read. */
#include <stdlib.h>

#include "model/testcase.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static struct testcase_set load(const uint8_t *bytes, size_t size)
{
    struct testcase_set set;
    struct message_list errors, warnings;
    testcase_set_init(&set);
    message_list_init(&errors);
    message_list_init(&warnings);
    bool ok = testcase_set_load_bytes(&set, "fuzz.json", bytes, size, 1, &errors, &warnings);
    if (ok == (errors.count > 0) || ok == (set.count == 0))
        abort();
    message_list_release(&errors);
    message_list_release(&warnings);
    return set;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct testcase_set one = load(bytes, size), again = load(bytes, size);
    for (size_t i = 0; i < one.count; i++)
        if (json_array_size(one.items[i].ops) == 0 || !json_equal(one.items[i].ops, again.items[i].ops) ||
            !json_equal(one.items[i].pre, again.items[i].pre))
            abort();
    testcase_set_release(&one);
    testcase_set_release(&again);
    return 0;
}
