/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_fixture.h"

#include "base/memory.h"
#include "engine/reply.h"
#include "engine/server_codes.h"
#include "engine/wire.h"

#include <stdlib.h>

#include "unit.h"

/* Parses in memory of exactly the message's size, so that a sanitizer sees every byte read too much. The text is copied
 * to `text`. */
static struct reply parse_bytes(const uint8_t *bytes, size_t size, char text[256])
{
    uint8_t *exact = memory_copy(bytes, size);
    struct reply reply;
    reply_parse(size ? exact : NULL, size, 5, &reply);
    snprintf(text, 256, "%.*s", (int)reply.text_size, reply.text);
    free(exact);
    return reply;
}

static struct reply parse(const char *json, char text[256])
{
    struct buffer message = {0};
    fixture_make_reply(&message, 5, json);
    struct reply reply = parse_bytes(message.data, message.size, text);
    buffer_release(&message);
    return reply;
}

static void ok_in_every_type(void **state)
{
    (void)state;
    const char *const replies[] = {"{'ok': 1.0}", "{'ok': 1}", "{'ok': {'$numberLong': '1'}}", "{'ok': true}",
                                   "{'ok': 0.5}"};
    char text[256];
    for (size_t i = 0; i < sizeof replies / sizeof *replies; i++)
        assert_int_equal(parse(replies[i], text).verdict, REPLY_SUCCEEDED);
    const char *const failures[] = {"{'ok': 0.0}", "{'ok': 0}", "{'ok': {'$numberLong': '0'}}", "{'ok': false}"};
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++)
        assert_int_equal(parse(failures[i], text).verdict, REPLY_FAILED);
}

static void counts_are_read(void **state)
{
    (void)state;
    char text[256];
    struct reply reply = parse("{'n': 5, 'nModified': {'$numberLong': '3'}, 'upserted': [{'index': 0, '_id': 1}], "
                               "'opTime': {'ts': {'$timestamp': {'t': 1, 'i': 1}}, 't': 1}, 'ok': 1.0, "
                               "'$clusterTime': {'signature': {'hash': {'$binary': {'base64': 'AAAA', 'subType': "
                               "'00'}}}}}",
                               text);
    assert_int_equal(reply.verdict, REPLY_SUCCEEDED);
    assert_int_equal(reply.n, 5);
    assert_int_equal(reply.n_modified, 3);
    assert_int_equal(reply.upserted, 1);
    assert_int_equal(parse("{'n': 2.0, 'ok': 1.0}", text).n, 2);
    assert_int_equal(parse("{'n': 2.0, 'ok': 1.0, 'writeErrors': []}", text).verdict, REPLY_SUCCEEDED);
}

static void failures_have_code_and_text(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        int32_t code;
        const char *text;
    } rows[] = {
        {"{'ok': 0.0, 'errmsg': 'no', 'code': 13, 'codeName': 'Unauthorized'}", 13, "no"},
        {"{'ok': 0.0, 'code': 13, 'codeName': 'Unauthorized'}", 13, "Unauthorized"},
        {"{'ok': 0.0}", 0, ""},
        {"{'ok': 1.0, 'n': 0, 'writeErrors': [{'index': 0, 'code': 11000, 'errmsg': 'dup'}, {'code': 5}]}", 11000,
         "dup"},
        {"{'writeErrors': [{'code': 121}], 'n': 0, 'ok': 1.0}", 121, ""},
        {"{'ok': 1.0, 'n': 1, 'writeConcernError': {'code': 64, 'errmsg': 'timed out'}}", 64, "timed out"},
        {"{'writeConcernError': {'code': 64}, 'writeErrors': [{'code': 11000, 'errmsg': 'dup'}], 'ok': 1}", 11000,
         "dup"},
        {"{'writeErrors': [{'code': 11000, 'errmsg': 'dup'}], 'ok': 0, 'code': 9, 'errmsg': 'whole'}", 9, "whole"},
    };
    char text[256];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reply reply = parse(rows[i].json, text);
        assert_int_equal(reply.verdict, REPLY_FAILED);
        assert_int_equal(reply.code, rows[i].code);
        assert_string_equal(text, rows[i].text);
    }
}

static void impossible_fields_are_malformed(void **state)
{
    (void)state;
    const char *const replies[] = {
        "{}",
        "{'n': 1}",
        "{'ok': 'yes'}",
        "{'ok': null}",
        "{'ok': 1, 'n': -1}",
        "{'ok': 1, 'n': 'many'}",
        "{'ok': 1, 'n': 1e30}",
        "{'ok': 1, 'n': {'$numberDouble': 'NaN'}}",
        "{'ok': 1, 'nModified': []}",
        "{'ok': 1, 'upserted': 1}",
        "{'ok': 1, 'writeErrors': 1}",
        "{'ok': 1, 'writeErrors': [1]}",
        "{'ok': 1, 'writeConcernError': 1}",
    };
    char text[256];
    for (size_t i = 0; i < sizeof replies / sizeof *replies; i++) {
        assert_int_equal(parse(replies[i], text).verdict, REPLY_MALFORMED);
        assert_true(strlen(text) > 0);
    }
}

static void envelope_is_checked(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        uint32_t value;
        const char *text;
    } rows[] = {
        {0, 15, "length field"},
        {WIRE_RESPONSE_TO_AT, 6, "another request"},
        {WIRE_OPCODE_AT, WIRE_OP_REPLY, "OP_REPLY"},
        {WIRE_OPCODE_AT, WIRE_OP_COMPRESSED, "compressed"},
        {WIRE_OPCODE_AT, 0xFFFFFFFF, "opcode"},
        {WIRE_FLAGS_AT, WIRE_MORE_TO_COME, "more replies"},
        {WIRE_FLAGS_AT, 4, "flags"},
        {WIRE_FLAGS_AT, WIRE_CHECKSUM_PRESENT, "length"},
        {WIRE_KIND_AT, 0x01000001, "begin with its document"},
        {WIRE_BODY_AT, 0xFFFFFFFF, "length"},
        {WIRE_BODY_AT, 4, "length"},
    };
    struct buffer message = {0};
    char text[256];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture_make_reply(&message, 5, "{'n': 1, 'ok': 1.0}");
        wire_put_u32(message.data + rows[i].at, rows[i].value);
        assert_int_equal(parse_bytes(message.data, message.size, text).verdict, REPLY_MALFORMED);
        if (!strstr(text, rows[i].text))
            fail_msg("\"%s\" does not say \"%s\"", text, rows[i].text);
    }
    buffer_release(&message);
}

/* Bits from 16 up may be ignored; a checksum at the end is no part of the document. */
static void optional_flags_and_checksum(void **state)
{
    (void)state;
    struct buffer message = {0};
    char text[256];
    fixture_make_reply(&message, 5, "{'n': 1, 'ok': 1.0}");
    buffer_append(&message, "crc!", 4);
    wire_put_u32(message.data, (uint32_t)message.size);
    wire_put_u32(message.data + WIRE_FLAGS_AT, 1u << 16 | WIRE_CHECKSUM_PRESENT);
    assert_int_equal(parse_bytes(message.data, message.size, text).verdict, REPLY_SUCCEEDED);
    buffer_release(&message);
}

static const char *const everything =
    "{'a': 1.5, 'b': 'text', 'c': {'d': [1, {'e': null}]}, 'f': {'$binary': {'base64': 'AAAA', 'subType': '00'}}, "
    "'g': {'$oid': '0123456789abcdef01234567'}, 'h': true, 'i': {'$date': '2026-01-01T00:00:00Z'}, "
    "'j': {'$regularExpression': {'pattern': 'x', 'options': 'i'}}, 'k': {'$code': 'f()'}, "
    "'l': {'$timestamp': {'t': 1, 'i': 2}}, 'm': {'$numberLong': '5'}, 'o': {'$numberDecimal': '1.5'}, "
    "'p': {'$minKey': 1}, 'q': {'$maxKey': 1}, 'r': {'$undefined': true}, 'writeErrors': [{'code': 3, 'errmsg': 'x'}], "
    "'upserted': [{'index': 0}], 'n': 1, 'ok': 1.0}";

/* With header and document lengths made to agree, so that the cut is met inside. */
static void every_cut_is_malformed(void **state)
{
    (void)state;
    struct buffer message = {0};
    char text[256];
    fixture_make_reply(&message, 5, everything);
    assert_int_equal(parse_bytes(message.data, message.size, text).verdict, REPLY_FAILED);
    for (size_t size = 0; size < message.size; size++) {
        assert_int_equal(parse_bytes(message.data, size, text).verdict, REPLY_MALFORMED);
        if (size < WIRE_BODY_AT + 5)
            continue;
        uint8_t *cut = memory_copy(message.data, size);
        wire_put_u32(cut, (uint32_t)size);
        wire_put_u32(cut + WIRE_BODY_AT, (uint32_t)(size - WIRE_BODY_AT));
        cut[size - 1] = 0;
        struct reply reply = parse_bytes(cut, size, text);
        assert_true(reply.verdict != REPLY_SUCCEEDED);
        free(cut);
    }
    buffer_release(&message);
}

/* Any byte may hold anything: whatever the verdict, nothing outside is read (run under a sanitizer). */
static void every_byte_may_be_wrong(void **state)
{
    (void)state;
    struct buffer message = {0};
    char text[256];
    fixture_make_reply(&message, 5, everything);
    const uint8_t values[] = {0x00, 0x01, 0x03, 0x04, 0x05, 0x0C, 0x0F, 0x7F, 0x80, 0xFF};
    int malformed = 0;
    for (size_t at = 0; at < message.size; at++) {
        uint8_t saved = message.data[at];
        for (size_t i = 0; i < sizeof values; i++) {
            message.data[at] = values[i];
            malformed += parse_bytes(message.data, message.size, text).verdict == REPLY_MALFORMED;
        }
        message.data[at] = saved;
    }
    assert_true(malformed > 100);
    buffer_release(&message);
}

static void not_primary_codes(void **state)
{
    (void)state;
    const int32_t codes[] = {10107, 13435, 13436, 11602, 189, 91, 11600, 10058};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        assert_true(server_code_is_not_primary(codes[i]));
    assert_false(server_code_is_not_primary(0));
    assert_false(server_code_is_not_primary(11000));
}

static void missing_codes(void **state)
{
    (void)state;
    const int32_t missing[] = {2,   9,   14,  20,  59,  67,  72,   73,    115,   166,
                               168, 197, 238, 303, 323, 352, 8000, 17381, 40324, 40415};
    const int32_t refused[] = {0, 13, 18, 26, 48, 50, 68, 85, 91, 121, 11000, 17280};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        assert_true(server_code_is_missing(missing[i]));
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_false(server_code_is_missing(refused[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(ok_in_every_type, "ok may be double, int32, int64 or bool"),
        NAMED_TEST(counts_are_read, "n, nModified and the length of upserted are read"),
        NAMED_TEST(failures_have_code_and_text, "a failure has the code and text of what decided"),
        NAMED_TEST(impossible_fields_are_malformed, "a reply without ok or with impossible values is malformed"),
        NAMED_TEST(envelope_is_checked, "header, flags and section are checked, each with its own text"),
        NAMED_TEST(optional_flags_and_checksum, "optional flags and a checksum are accepted"),
        NAMED_TEST(every_cut_is_malformed, "a reply cut anywhere is malformed"),
        NAMED_TEST(every_byte_may_be_wrong, "a wrong byte anywhere does no harm"),
        NAMED_TEST(not_primary_codes, "the codes of a server that is no primary"),
        NAMED_TEST(missing_codes, "what a server does not know is told from what it refuses"),
    };
    return cmocka_run_group_tests_name("reply", tests, NULL, NULL);
}
