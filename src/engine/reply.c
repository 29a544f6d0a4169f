/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/reply.h"

#include <string.h>

#include "engine/walk.h"
#include "engine/wire.h"

static void malformed(struct reply *reply, const char *cause)
{
    *reply = (struct reply){.verdict = REPLY_MALFORMED, .text = cause, .text_size = strlen(cause)};
}

/* NULL when the header and the section are as they should be; then *body is the document. */
static const char *check_envelope(const uint8_t *message, size_t size, uint32_t request_id, struct walk *body)
{
    if (size < WIRE_HEADER_SIZE)
        return "the reply is shorter than a message header";
    if (wire_get_u32(message) != size)
        return "the reply's length field does not agree with its length";
    uint32_t opcode = wire_get_u32(message + WIRE_OPCODE_AT);
    if (opcode == WIRE_OP_REPLY)
        return "the server answered with OP_REPLY; expected OP_MSG";
    if (opcode == WIRE_OP_COMPRESSED)
        return "the server answered with a compressed message that was not agreed on";
    if (opcode != WIRE_OP_MSG)
        return "the reply's opcode is not OP_MSG";
    if (wire_get_u32(message + WIRE_RESPONSE_TO_AT) != request_id)
        return "the reply answers another request";
    if (size < WIRE_BODY_AT)
        return "the reply ends before its document";
    uint32_t flags = wire_get_u32(message + WIRE_FLAGS_AT);
    if (flags & WIRE_MORE_TO_COME)
        return "the server announced more replies to one request";
    if (flags & 0xFFFF & ~(uint32_t)WIRE_CHECKSUM_PRESENT)
        return "the reply has flags that are not known";
    size_t end = flags & WIRE_CHECKSUM_PRESENT ? size - 4 : size;
    if (message[WIRE_KIND_AT] != 0)
        return "the reply does not begin with its document";
    if (end <= WIRE_BODY_AT || !walk_begin(body, message + WIRE_BODY_AT, end - WIRE_BODY_AT))
        return "the reply's document does not agree with the reply's length";
    return NULL;
}

/* code and errmsg of an element of writeErrors, or of writeConcernError. False: malformed. */
static bool read_error_document(struct walk *walk, struct reply *reply)
{
    while (walk_next(walk)) {
        int64_t code;
        if (walk_key_is(walk, "code") && walk_number(walk, &code))
            reply->code = (int32_t)code;
        else if (walk_key_is(walk, "errmsg"))
            walk_text(walk, &reply->text, &reply->text_size);
    }
    return walk->ended;
}

/* One command is one operation, so its first write error stands for all. */
static bool read_write_errors(const struct walk *errors, struct reply *reply)
{
    struct walk list, first;
    if (!walk_enter(errors, &list))
        return false;
    if (!walk_next(&list))
        return list.ended;
    reply->verdict = REPLY_FAILED;
    return walk_enter(&list, &first) && read_error_document(&first, reply);
}

static bool count_elements(const struct walk *element, int64_t *count)
{
    struct walk list;
    if (!walk_enter(element, &list))
        return false;
    while (walk_next(&list))
        (*count)++;
    return list.ended;
}

/* The fields of a reply that were met, until it is known which of them decides. */
struct findings {
    bool has_ok, ok, has_concern_error;
    struct walk write_errors, concern_error, code_name;
    bool has_write_errors, has_code_name;
};

static bool read_count(const struct walk *element, int64_t *count)
{
    return walk_number(element, count) && *count >= 0;
}

/* False: a field that matters has a type or value that it cannot have. */
static bool read_field(const struct walk *walk, struct findings *found, struct reply *reply)
{
    int64_t number;
    switch (walk->key[0]) {
    case 'n':
        if (walk_key_is(walk, "n"))
            return read_count(walk, &reply->n);
        if (walk_key_is(walk, "nModified"))
            return read_count(walk, &reply->n_modified);
        return true;
    case 'o':
        if (!walk_key_is(walk, "ok"))
            return true;
        found->has_ok = true;
        return walk_truth(walk, &found->ok);
    case 'u':
        return !walk_key_is(walk, "upserted") || count_elements(walk, &reply->upserted);
    case 'w':
        if (walk_key_is(walk, "writeErrors")) {
            found->has_write_errors = true;
            found->write_errors = *walk;
        } else if (walk_key_is(walk, "writeConcernError")) {
            found->has_concern_error = true;
            found->concern_error = *walk;
        }
        return true;
    case 'c':
        if (walk_key_is(walk, "code") && walk_number(walk, &number)) {
            reply->code = (int32_t)number;
        } else if (walk_key_is(walk, "codeName")) {
            found->has_code_name = true;
            found->code_name = *walk;
        }
        return true;
    case 'e':
        if (walk_key_is(walk, "errmsg"))
            walk_text(walk, &reply->text, &reply->text_size);
        return true;
    default:
        return true;
    }
}

/* ok 0 is about the whole command; then write errors; then the write concern. False: malformed. */
static bool judge(const struct findings *found, struct reply *reply)
{
    if (!found->ok) {
        reply->verdict = REPLY_FAILED;
    } else {
        reply->code = 0;
        reply->text_size = 0;
        if (found->has_write_errors && !read_write_errors(&found->write_errors, reply))
            return false;
        struct walk inside;
        if (reply->verdict == REPLY_SUCCEEDED && found->has_concern_error) {
            reply->verdict = REPLY_FAILED;
            if (!walk_enter(&found->concern_error, &inside) || !read_error_document(&inside, reply))
                return false;
        }
    }
    if (reply->verdict == REPLY_FAILED && reply->text_size == 0 && found->has_code_name)
        walk_text(&found->code_name, &reply->text, &reply->text_size);
    return true;
}

static void parse_fields(struct walk *walk, struct reply *reply)
{
    struct findings found;
    found.has_ok = found.ok = found.has_concern_error = found.has_write_errors = found.has_code_name = false;
    while (walk_next(walk)) {
        if (!read_field(walk, &found, reply)) {
            malformed(reply, "a field of the reply has an impossible value");
            return;
        }
    }
    if (!walk->ended)
        malformed(reply, "the reply's document is not well formed");
    else if (!found.has_ok)
        malformed(reply, "the reply says neither ok 1 nor ok 0");
    else if (!judge(&found, reply))
        malformed(reply, "the reply's list of errors is not well formed");
}

void reply_parse(const uint8_t *message, size_t size, uint32_t request_id, struct reply *reply)
{
    *reply = (struct reply){.verdict = REPLY_SUCCEEDED, .text = ""};
    struct walk walk;
    const char *cause = check_envelope(message, size, request_id, &walk);
    if (cause)
        malformed(reply, cause);
    else
        parse_fields(&walk, reply);
}

void reply_parse_document(const uint8_t *document, size_t size, struct reply *reply)
{
    *reply = (struct reply){.verdict = REPLY_SUCCEEDED, .text = ""};
    struct walk walk;
    if (walk_begin(&walk, document, size))
        parse_fields(&walk, reply);
    else
        malformed(reply, "the reply is no document");
}
