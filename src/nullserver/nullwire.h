/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NULLSERVER_NULLWIRE_H
#define NULLSERVER_NULLWIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

/* As much of the MongoDB wire protocol and of BSON as the null server needs. */

#define NULLWIRE_HEADER_SIZE 16
#define NULLWIRE_OID_SIZE 12
#define NULLWIRE_MESSAGE_MAX 48000000

/* What a message asks for; points into the message. */
struct nullwire_request {
    const uint8_t *message;
    size_t size;
    int32_t id;
    bool is_query;       /* OP_QUERY, as old drivers greet; answered by OP_REPLY */
    bool wants_reply;    /* false: moreToCome is set */
    const char *command; /* first key of the body */
    const uint8_t *body;
    uint32_t statements; /* documents, updates or deletes that it holds */
};

int32_t nullwire_int32(const uint8_t *bytes);
/* False when the message (whole, `size` bytes) is not understood. */
bool nullwire_parse(const uint8_t *message, size_t size, struct nullwire_request *request);
/* The string value of `key` in a BSON document that has been found sound; NULL: not there or no string. */
const char *nullwire_find_string(const uint8_t *document, const char *key);

/* Begins the message that answers `request`; its one document follows, then nullwire_reply_end(). */
size_t nullwire_reply_begin(struct buffer *out, const struct nullwire_request *request);
void nullwire_reply_end(struct buffer *out, size_t start);

/* BSON writing: begin, elements, end. With a key begin_nested() opens a document (or an array) as an element. */
size_t nullwire_document_begin(struct buffer *out);
size_t nullwire_nested_begin(struct buffer *out, const char *key, bool is_array);
void nullwire_document_end(struct buffer *out, size_t start);
void nullwire_append_int32(struct buffer *out, const char *key, int32_t value);
void nullwire_append_int64(struct buffer *out, const char *key, int64_t value);
void nullwire_append_double(struct buffer *out, const char *key, double value);
void nullwire_append_bool(struct buffer *out, const char *key, bool value);
void nullwire_append_date(struct buffer *out, const char *key, int64_t wall_ms);
void nullwire_append_string(struct buffer *out, const char *key, const char *value);
void nullwire_append_oid(struct buffer *out, const char *key, const uint8_t oid[NULLWIRE_OID_SIZE]);
void nullwire_append_null(struct buffer *out, const char *key);

#endif
