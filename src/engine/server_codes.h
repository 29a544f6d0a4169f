/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_SERVER_CODES_H
#define ENGINE_SERVER_CODES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The error codes of servers that benchrun tells apart, and nowhere else. Names and numbers are those of MongoDB's
 * error_codes.yml; those beyond it have only ever had a number there.
 */
enum server_code {
    SERVER_BAD_VALUE = 2,
    SERVER_UNKNOWN_ERROR = 8,
    SERVER_FAILED_TO_PARSE = 9,
    SERVER_UNAUTHORIZED = 13,
    SERVER_TYPE_MISMATCH = 14,
    SERVER_ILLEGAL_OPERATION = 20,
    SERVER_ALREADY_INITIALIZED = 23,
    SERVER_NAMESPACE_NOT_FOUND = 26,
    SERVER_NAMESPACE_EXISTS = 48,
    SERVER_COMMAND_NOT_FOUND = 59,
    SERVER_WRITE_CONCERN_FAILED = 64,
    SERVER_CANNOT_CREATE_INDEX = 67,
    SERVER_INDEX_ALREADY_EXISTS = 68,
    SERVER_INVALID_OPTIONS = 72,
    SERVER_INVALID_NAMESPACE = 73,
    SERVER_UNKNOWN_WRITE_CONCERN = 79,
    SERVER_INDEX_OPTIONS_CONFLICT = 85,
    SERVER_SHUTDOWN_IN_PROGRESS = 91,
    SERVER_UNSATISFIABLE_WRITE_CONCERN = 100,
    SERVER_COMMAND_NOT_SUPPORTED = 115,
    SERVER_COMMAND_NOT_SUPPORTED_ON_VIEW = 166,
    SERVER_INVALID_PIPELINE_OPERATOR = 168,
    SERVER_PRIMARY_STEPPED_DOWN = 189,
    SERVER_INVALID_INDEX_SPECIFICATION_OPTION = 197,
    SERVER_NOT_IMPLEMENTED = 238,
    SERVER_FEATURE_NOT_SUPPORTED = 303, /* DocumentDB's word for it */
    SERVER_API_STRICT_ERROR = 323,
    SERVER_UNSUPPORTED_OP_QUERY_COMMAND = 352,
    SERVER_ATLAS_ERROR = 8000, /* what a hosted service keeps to itself */
    SERVER_LEGACY_NOT_PRIMARY = 10058,
    SERVER_NOT_WRITABLE_PRIMARY = 10107,
    SERVER_INTERRUPTED_AT_SHUTDOWN = 11600,
    SERVER_INTERRUPTED_BY_STATE_CHANGE = 11602,
    SERVER_NOT_PRIMARY_NO_SECONDARY_OK = 13435,
    SERVER_NOT_PRIMARY_OR_SECONDARY = 13436, /* it is recovering */
    SERVER_NAME_OVER_120_BYTES = 17381,      /* servers up to 4.2 */
    SERVER_UNKNOWN_PIPELINE_STAGE = 40324,
    SERVER_UNKNOWN_FIELD = 40415,
};

/* Whether the server does not know or support what was asked of it, as against refusing it to this user, for these
 * data, or at this time. */
bool server_code_is_missing(int32_t code);
/* Whether the server is no primary (any more) or is going down. */
bool server_code_is_not_primary(int32_t code);

#endif
