/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/server_codes.h"

#include <stddef.h>

#include "base/array.h"

/*
 * As MongoDB's own versions and compatible servers use them for a request that is right elsewhere: an operator, a value
 * or a type that this version does not know, an unknown command, field, stage, index or option. Not here, though they
 * come in a set-up: rights (13, 18), the data (11000, 121), what is there already or is not (26, 48, 85), time (50,
 * 91).
 */
static const int32_t missing[] = {
    SERVER_BAD_VALUE,
    SERVER_FAILED_TO_PARSE,
    SERVER_TYPE_MISMATCH,
    SERVER_ILLEGAL_OPERATION,
    SERVER_COMMAND_NOT_FOUND,
    SERVER_CANNOT_CREATE_INDEX,
    SERVER_INVALID_OPTIONS,
    SERVER_INVALID_NAMESPACE,
    SERVER_COMMAND_NOT_SUPPORTED,
    SERVER_COMMAND_NOT_SUPPORTED_ON_VIEW,
    SERVER_INVALID_PIPELINE_OPERATOR,
    SERVER_INVALID_INDEX_SPECIFICATION_OPTION,
    SERVER_NOT_IMPLEMENTED,
    SERVER_FEATURE_NOT_SUPPORTED,
    SERVER_API_STRICT_ERROR,
    SERVER_UNSUPPORTED_OP_QUERY_COMMAND,
    SERVER_ATLAS_ERROR,
    SERVER_NAME_OVER_120_BYTES,
    SERVER_UNKNOWN_PIPELINE_STAGE,
    SERVER_UNKNOWN_FIELD,
};

static const int32_t not_primary[] = {
    SERVER_NOT_WRITABLE_PRIMARY,        SERVER_NOT_PRIMARY_NO_SECONDARY_OK, SERVER_NOT_PRIMARY_OR_SECONDARY,
    SERVER_INTERRUPTED_BY_STATE_CHANGE, SERVER_PRIMARY_STEPPED_DOWN,        SERVER_SHUTDOWN_IN_PROGRESS,
    SERVER_INTERRUPTED_AT_SHUTDOWN,     SERVER_LEGACY_NOT_PRIMARY,
};

static bool is_among(int32_t code, const int32_t *codes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (codes[i] == code)
            return true;
    }
    return false;
}

bool server_code_is_missing(int32_t code)
{
    return is_among(code, missing, COUNT_OF(missing));
}

bool server_code_is_not_primary(int32_t code)
{
    return is_among(code, not_primary, COUNT_OF(not_primary));
}
