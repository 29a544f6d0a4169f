/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a published table: an error, or findings about its rows. */
#include <stdint.h>
#include <stdlib.h>

#include "parse/verify_report.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct csv_table table;
    struct verify verify = {0};
    struct error err = {0};
    bool ok = csv_table_read(&table, (const char *)bytes, size, &err) && verify_init(&verify, &table, NULL, &err);
    if (ok == err.is_set || (verify.finding_count > 0 && !ok))
        abort();
    if (ok) {
        json_t *json = verify_report_json(&verify, "table");
        char *text = json_dumps(json, 0);
        if (!text)
            abort();
        free(text);
        json_decref(json);
    }
    verify_release(&verify);
    csv_table_release(&table);
    return 0;
}
