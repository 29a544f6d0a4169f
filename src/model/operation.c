/* SPDX-License-Identifier: Apache-2.0 */
#include "model/operation.h"

#include <stddef.h>
#include <string.h>

const char *const operation_names[OPERATION_COUNT] = {
    [OPERATION_INSERT] = "insert",
    [OPERATION_UPDATE] = "update",
    [OPERATION_LET] = "let",
};

enum operation_id operation_find(const char *name)
{
    for (size_t i = 0; i < OPERATION_COUNT; i++)
        if (strcmp(name, operation_names[i]) == 0)
            return (enum operation_id)i;
    return OPERATION_COUNT;
}
