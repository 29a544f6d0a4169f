/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a result file: an error, or a deployment whose tests have names and whose cells are sorted. */
#include <stdlib.h>

#include "parse/result_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check_test(const struct test_data *test)
{
    if (!test->name || test->occurrence < 1)
        abort();
    for (size_t i = 1; i < test->cell_count; i++)
        if (test->cells[i].threads <= test->cells[i - 1].threads)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct deployment deployment;
    struct error err = {0};
    bool ok = result_reader_read_text((const char *)bytes, size, &deployment, &err);
    if (ok == err.is_set)
        abort();
    for (size_t i = 0; ok && i < deployment.test_count; i++)
        check_test(&deployment.tests[i]);
    deployment_release(&deployment);
    return 0;
}
