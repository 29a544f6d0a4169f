/* SPDX-License-Identifier: Apache-2.0 */
#include "nullserver/nullwire.h"

#include <string.h>

enum { OP_REPLY = 1, OP_QUERY = 2004, OP_MSG = 2013 };
enum { MSG_CHECKSUM_PRESENT = 1, MSG_MORE_TO_COME = 2 };

int32_t nullwire_int32(const uint8_t *bytes)
{
    return (int32_t)(bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24);
}

static void put_int32(uint8_t *bytes, int32_t value)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)((uint32_t)value >> (8 * i));
}

/* Size of a BSON value of that type, -1 when it is unknown or does not fit. */
static int64_t value_size(uint8_t type, const uint8_t *value, size_t left)
{
    static const int8_t fixed[] = {[0x01] = 8, [0x06] = 0, [0x07] = 12, [0x08] = 1, [0x09] = 8,
                                   [0x0A] = 0, [0x10] = 4, [0x11] = 8,  [0x12] = 8, [0x13] = 16};
    if (type == 0xFF || type == 0x7F || type == 0x06 || type == 0x0A)
        return 0;
    if (type < sizeof fixed && fixed[type] > 0)
        return fixed[type];
    if (left < 4)
        return -1;
    int64_t length = nullwire_int32(value);
    switch (type) {
    case 0x02:
    case 0x0D:
    case 0x0E:
        return 4 + length;
    case 0x05:
        return 5 + length;
    case 0x0C:
        return 16 + length;
    case 0x03:
    case 0x04:
    case 0x0F:
        return length;
    case 0x0B: {
        size_t pattern = strnlen((const char *)value, left);
        if (pattern == left)
            return -1;
        return (int64_t)(pattern + 1 + strnlen((const char *)value + pattern + 1, left - pattern - 1) + 1);
    }
    default:
        return -1;
    }
}

bool nullwire_next(const uint8_t *document, size_t *at, struct nullwire_element *element)
{
    size_t size = (size_t)nullwire_int32(document);
    if (*at + 2 > size || document[*at] == 0)
        return false;
    element->type = document[*at];
    element->key = (const char *)document + *at + 1;
    size_t key_size = strnlen(element->key, size - *at - 1) + 1;
    size_t value_at = *at + 1 + key_size;
    if (value_at > size)
        return false;
    element->value = document + value_at;
    int64_t length = value_size(element->type, element->value, size - value_at);
    if (length < 0 || (size_t)length > size - value_at)
        return false;
    element->value_size = (size_t)length;
    *at = value_at + (size_t)length;
    return true;
}

static bool document_fits(const uint8_t *document, size_t left)
{
    if (left < 5)
        return false;
    int32_t size = nullwire_int32(document);
    return size >= 5 && (size_t)size <= left && document[size - 1] == 0;
}

bool nullwire_find(const uint8_t *document, const char *key, struct nullwire_element *element)
{
    for (size_t at = 4; nullwire_next(document, &at, element);)
        if (strcmp(element->key, key) == 0)
            return true;
    return false;
}

const uint8_t *nullwire_as_document(const struct nullwire_element *element)
{
    bool is_document = element->type == 0x03 || element->type == 0x04;
    return is_document && document_fits(element->value, element->value_size) ? element->value : NULL;
}

const char *nullwire_as_string(const struct nullwire_element *element)
{
    bool is_string = element->type == 0x02 && element->value_size > 4 && element->value[element->value_size - 1] == 0;
    return is_string ? (const char *)element->value + 4 : NULL;
}

const char *nullwire_find_string(const uint8_t *document, const char *key)
{
    struct nullwire_element element;
    return nullwire_find(document, key, &element) ? nullwire_as_string(&element) : NULL;
}

static uint32_t count_array(const uint8_t *array)
{
    struct nullwire_element element;
    uint32_t count = 0;
    for (size_t at = 4; nullwire_next(array, &at, &element);)
        count++;
    return count;
}

static uint32_t count_in_body(const uint8_t *body)
{
    struct nullwire_element element;
    for (size_t at = 4; nullwire_next(body, &at, &element);) {
        if (element.type == 0x04 && nullwire_as_document(&element) &&
            (strcmp(element.key, "documents") == 0 || strcmp(element.key, "updates") == 0 ||
             strcmp(element.key, "deletes") == 0))
            return count_array(element.value);
    }
    return 0;
}

/* A document sequence: size, name, documents. */
static bool parse_sequence(const uint8_t *bytes, size_t left, size_t *taken, struct nullwire_request *request)
{
    if (left < 5)
        return false;
    int32_t size = nullwire_int32(bytes);
    if (size < 5 || (size_t)size > left)
        return false;
    size_t at = 4 + strnlen((const char *)bytes + 4, (size_t)size - 4) + 1;
    while (at < (size_t)size) {
        if (!document_fits(bytes + at, (size_t)size - at))
            return false;
        at += (size_t)nullwire_int32(bytes + at);
        request->statements++;
    }
    request->sequence = bytes;
    *taken = (size_t)size;
    return at == (size_t)size;
}

static bool parse_sections(const uint8_t *bytes, size_t left, struct nullwire_request *request)
{
    while (left > 0) {
        uint8_t kind = *bytes++;
        left--;
        size_t taken = 0;
        if (kind == 0 && document_fits(bytes, left)) {
            request->body = bytes;
            taken = (size_t)nullwire_int32(bytes);
        } else if (kind != 1 || !parse_sequence(bytes, left, &taken, request)) {
            return false;
        }
        bytes += taken;
        left -= taken;
    }
    return request->body;
}

static bool parse_msg(struct nullwire_request *request)
{
    if (request->size < NULLWIRE_HEADER_SIZE + 4)
        return false;
    uint32_t flags = (uint32_t)nullwire_int32(request->message + NULLWIRE_HEADER_SIZE);
    size_t tail = flags & MSG_CHECKSUM_PRESENT ? 4 : 0;
    size_t begin = NULLWIRE_HEADER_SIZE + 4;
    if (request->size < begin + tail)
        return false;
    request->wants_reply = !(flags & MSG_MORE_TO_COME);
    return parse_sections(request->message + begin, request->size - begin - tail, request);
}

/* flags, collection name, skip, limit, document */
static bool parse_query(struct nullwire_request *request)
{
    size_t at = NULLWIRE_HEADER_SIZE + 4;
    if (request->size <= at)
        return false;
    at += strnlen((const char *)request->message + at, request->size - at) + 1 + 8;
    if (at > request->size || !document_fits(request->message + at, request->size - at))
        return false;
    request->is_query = true;
    request->wants_reply = true;
    request->body = request->message + at;
    return true;
}

bool nullwire_next_inserted(const struct nullwire_request *request, size_t *at, const uint8_t **document)
{
    struct nullwire_element list, element;
    const uint8_t *sequence = request->sequence;
    if (sequence) {
        size_t size = (size_t)nullwire_int32(sequence);
        *at = *at ? *at : 4 + strlen((const char *)sequence + 4) + 1;
        if (*at >= size)
            return false;
        *document = sequence + *at;
        *at += (size_t)nullwire_int32(*document);
        return true;
    }
    *at = *at ? *at : 4;
    if (!nullwire_find(request->body, "documents", &list) || !nullwire_as_document(&list) ||
        !nullwire_next(list.value, at, &element))
        return false;
    *document = nullwire_as_document(&element);
    return *document != NULL;
}

bool nullwire_parse(const uint8_t *message, size_t size, struct nullwire_request *request)
{
    *request = (struct nullwire_request){.message = message, .size = size, .id = nullwire_int32(message + 4)};
    int32_t op = nullwire_int32(message + 12);
    if (!(op == OP_MSG ? parse_msg(request) : op == OP_QUERY && parse_query(request)))
        return false;
    struct nullwire_element first;
    size_t at = 4;
    if (!nullwire_next(request->body, &at, &first))
        return false;
    request->command = first.key;
    if (request->statements == 0)
        request->statements = count_in_body(request->body);
    return true;
}

size_t nullwire_reply_begin(struct buffer *out, const struct nullwire_request *request)
{
    uint8_t head[NULLWIRE_HEADER_SIZE + 20] = {0};
    size_t start = out->size;
    put_int32(head + 4, request->id);
    put_int32(head + 8, request->id);
    put_int32(head + 12, request->is_query ? OP_REPLY : OP_MSG);
    /* OP_REPLY: flags, cursor, first, count 1; OP_MSG: flags, section kind 0 */
    if (request->is_query)
        put_int32(head + 32, 1);
    buffer_append(out, head, NULLWIRE_HEADER_SIZE + (request->is_query ? 20 : 5));
    return start;
}

void nullwire_reply_end(struct buffer *out, size_t start)
{
    put_int32(out->data + start, (int32_t)(out->size - start));
}

size_t nullwire_document_begin(struct buffer *out)
{
    size_t start = out->size;
    buffer_append(out, "\0\0\0", 4);
    return start;
}

void nullwire_document_end(struct buffer *out, size_t start)
{
    buffer_append(out, "", 1);
    put_int32(out->data + start, (int32_t)(out->size - start));
}

static void append_element(struct buffer *out, uint8_t type, const char *key, const void *value, size_t size)
{
    buffer_append(out, &type, 1);
    buffer_append(out, key, strlen(key) + 1);
    if (size > 0)
        buffer_append(out, value, size);
}

size_t nullwire_nested_begin(struct buffer *out, const char *key, bool is_array)
{
    append_element(out, is_array ? 0x04 : 0x03, key, NULL, 0);
    return nullwire_document_begin(out);
}

void nullwire_append_int32(struct buffer *out, const char *key, int32_t value)
{
    uint8_t bytes[4];
    put_int32(bytes, value);
    append_element(out, 0x10, key, bytes, sizeof bytes);
}

static void append_eight(struct buffer *out, uint8_t type, const char *key, uint64_t value)
{
    uint8_t bytes[8];
    put_int32(bytes, (int32_t)(uint32_t)value);
    put_int32(bytes + 4, (int32_t)(uint32_t)(value >> 32));
    append_element(out, type, key, bytes, sizeof bytes);
}

void nullwire_append_int64(struct buffer *out, const char *key, int64_t value)
{
    append_eight(out, 0x12, key, (uint64_t)value);
}

void nullwire_append_date(struct buffer *out, const char *key, int64_t wall_ms)
{
    append_eight(out, 0x09, key, (uint64_t)wall_ms);
}

void nullwire_append_double(struct buffer *out, const char *key, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    append_eight(out, 0x01, key, bits);
}

void nullwire_append_bool(struct buffer *out, const char *key, bool value)
{
    uint8_t byte = value;
    append_element(out, 0x08, key, &byte, 1);
}

void nullwire_append_string(struct buffer *out, const char *key, const char *value)
{
    uint8_t length[4];
    put_int32(length, (int32_t)strlen(value) + 1);
    append_element(out, 0x02, key, length, sizeof length);
    buffer_append(out, value, strlen(value) + 1);
}

void nullwire_append_oid(struct buffer *out, const char *key, const uint8_t oid[NULLWIRE_OID_SIZE])
{
    append_element(out, 0x07, key, oid, NULLWIRE_OID_SIZE);
}

void nullwire_append_null(struct buffer *out, const char *key)
{
    append_element(out, 0x0A, key, NULL, 0);
}

void nullwire_append_uuid(struct buffer *out, const char *key, const uint8_t uuid[NULLWIRE_UUID_SIZE])
{
    uint8_t bytes[5 + NULLWIRE_UUID_SIZE] = {[4] = 0x04};
    put_int32(bytes, NULLWIRE_UUID_SIZE);
    memcpy(bytes + 5, uuid, NULLWIRE_UUID_SIZE);
    append_element(out, 0x05, key, bytes, sizeof bytes);
}

void nullwire_append_copy(struct buffer *out, const char *key, const struct nullwire_element *element)
{
    append_element(out, element->type, key, element->value, element->value_size);
}

void nullwire_append_document(struct buffer *out, const char *key, const uint8_t *document)
{
    append_element(out, 0x03, key, document, (size_t)nullwire_int32(document));
}
