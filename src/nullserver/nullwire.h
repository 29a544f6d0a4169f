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
#define NULLWIRE_UUID_SIZE 16
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
    const uint8_t *sequence; /* the section that holds them, where they are not in the body; NULL: none */
    uint32_t statements;     /* documents, updates or deletes that it holds */
};

/* One element of a document. */
struct nullwire_element {
    uint8_t type;
    const char *key;
    const uint8_t *value;
    size_t value_size;
};

int32_t nullwire_int32(const uint8_t *bytes);
/* False when the message (whole, `size` bytes) is not understood. */
bool nullwire_parse(const uint8_t *message, size_t size, struct nullwire_request *request);
/* Steps over the elements of a document whose length lies within its message; *at begins as 4. False: no more. */
bool nullwire_next(const uint8_t *document, size_t *at, struct nullwire_element *element);
bool nullwire_find(const uint8_t *document, const char *key, struct nullwire_element *element);
/* A document or list that is whole, a string that is ended; NULL: it is something else. */
const uint8_t *nullwire_as_document(const struct nullwire_element *element);
const char *nullwire_as_string(const struct nullwire_element *element);
/* Steps over the documents of an insert, wherever they are; *at begins as 0. False: no more. */
bool nullwire_next_inserted(const struct nullwire_request *request, size_t *at, const uint8_t **document);
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
void nullwire_append_uuid(struct buffer *out, const char *key, const uint8_t uuid[NULLWIRE_UUID_SIZE]);
void nullwire_append_copy(struct buffer *out, const char *key, const struct nullwire_element *element);
void nullwire_append_document(struct buffer *out, const char *key, const uint8_t *document);

#endif
