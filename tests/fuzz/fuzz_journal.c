/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a journal: an error, or a result that can be written. */
#include <stdlib.h>

#include "model/journal.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct result result;
    struct error err = {0};
    result_init(&result);
    if (journal_read_bytes("fuzz", (const char *)bytes, size, &result, &err) == err.is_set)
        abort();
    json_t *json = result_to_json(&result);
    char *text = json_dumps(json, JSON_INDENT(4));
    if (!text)
        abort();
    free(text);
    json_decref(json);
    result_release(&result);
    return 0;
}
