/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_WIRE_H
#define ENGINE_WIRE_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

#include "model/ejson.h"

/* The wire protocol as far as ready OP_MSG bytes need it. Everything is little-endian and unaligned. */
enum wire_opcode { WIRE_OP_REPLY = 1, WIRE_OP_COMPRESSED = 2012, WIRE_OP_MSG = 2013 };

enum wire_flag { WIRE_CHECKSUM_PRESENT = 1, WIRE_MORE_TO_COME = 2 };

/* messageLength, requestID, responseTo, opCode; then flagBits; then the kind byte of the one section. */
enum wire_place {
    WIRE_REQUEST_ID_AT = 4,
    WIRE_RESPONSE_TO_AT = 8,
    WIRE_OPCODE_AT = 12,
    WIRE_HEADER_SIZE = 16,
    WIRE_FLAGS_AT = 16,
    WIRE_KIND_AT = 20,
    WIRE_BODY_AT = 21,
};

#define WIRE_COMMAND_MAX (DOCUMENT_BYTES_MAX + (16u << 10)) /* what a server takes as one command */

/* BSON type bytes that the engine tells apart. */
enum wire_type {
    WIRE_DOUBLE = 0x01,
    WIRE_STRING = 0x02,
    WIRE_DOCUMENT = 0x03,
    WIRE_ARRAY = 0x04,
    WIRE_OBJECT_ID = 0x07,
    WIRE_BOOL = 0x08,
    WIRE_DATE = 0x09,
    WIRE_INT32 = 0x10,
    WIRE_INT64 = 0x12,
};

static inline void wire_put_u32(uint8_t *at, uint32_t value)
{
    value = htole32(value);
    memcpy(at, &value, sizeof value);
}

static inline void wire_put_u64(uint8_t *at, uint64_t value)
{
    value = htole64(value);
    memcpy(at, &value, sizeof value);
}

static inline uint32_t wire_get_u32(const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return le32toh(value);
}

static inline int32_t wire_get_i32(const uint8_t *at)
{
    return (int32_t)wire_get_u32(at);
}

static inline int64_t wire_get_i64(const uint8_t *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return (int64_t)le64toh(value);
}

static inline double wire_get_double(const uint8_t *at)
{
    int64_t bits = wire_get_i64(at);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
