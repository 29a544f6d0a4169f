/* SPDX-License-Identifier: Apache-2.0 */
#include "nullserver/nullserver.h"

#include <arpa/inet.h>
#include <bson/bson.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buffer.h"

#include "unit.h"

enum { HANG_S = 60, OP_QUERY = 2004, OP_MSG = 2013 };

static struct nullserver *start(const struct nullserver_config *config)
{
    struct error err;
    error_init(&err);
    struct nullserver *server = nullserver_start(config, &err);
    if (!server)
        fail_msg("%s", err.message);
    return server;
}

static int connect_to(const struct nullserver *server)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(nullserver_port(server))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

static void append_int32(struct buffer *out, int32_t value)
{
    uint32_t little = BSON_UINT32_TO_LE((uint32_t)value);
    buffer_append(out, &little, sizeof little);
}

/* Frees `body`. */
static void append_message(struct buffer *out, int32_t id, int32_t op, uint32_t flags, bson_t *body)
{
    static const char collection[] = "admin.$cmd";
    size_t start = out->size;
    append_int32(out, 0);
    append_int32(out, id);
    append_int32(out, 0);
    append_int32(out, op);
    append_int32(out, (int32_t)flags);
    if (op == OP_QUERY) {
        buffer_append(out, collection, sizeof collection);
        append_int32(out, 0);
        append_int32(out, -1);
    } else {
        buffer_append(out, "", 1);
    }
    buffer_append(out, bson_get_data(body), body->len);
    bson_destroy(body);
    uint32_t little = BSON_UINT32_TO_LE((uint32_t)(out->size - start));
    memcpy(out->data + start, &little, sizeof little);
}

static void send_message(int fd, int32_t id, int32_t op, bson_t *body)
{
    struct buffer message = {0};
    append_message(&message, id, op, 0, body);
    assert_int_equal(send(fd, message.data, message.size, 0), message.size);
    buffer_release(&message);
}

/* The document of the next reply, which must answer `id`. */
static bson_t *read_reply(int fd, int32_t id, int32_t op)
{
    uint8_t head[36];
    int32_t words[4];
    assert_int_equal(recv(fd, head, 16, MSG_WAITALL), 16);
    memcpy(words, head, sizeof words);
    assert_int_equal(words[2], id);
    assert_int_equal(words[3], op == OP_QUERY ? 1 : OP_MSG);
    size_t extra = op == OP_QUERY ? 20 : 5;
    size_t left = (size_t)words[0] - 16 - extra;
    assert_int_equal(recv(fd, head, extra, MSG_WAITALL), extra);
    uint8_t body[4096];
    assert_in_range(left, 5, sizeof body);
    assert_int_equal(recv(fd, body, left, MSG_WAITALL), left);
    bson_t *reply = bson_new_from_data(body, left);
    assert_non_null(reply);
    return reply;
}

static bson_t *ask(int fd, bson_t *body)
{
    send_message(fd, 77, OP_MSG, body);
    return read_reply(fd, 77, OP_MSG);
}

static int64_t number(const bson_t *reply, const char *key)
{
    bson_iter_t iter, found;
    if (!bson_iter_init(&iter, reply) || !bson_iter_find_descendant(&iter, key, &found))
        return -1;
    return bson_iter_as_int64(&found);
}

static void check_number(int fd, bson_t *body, const char *key, int64_t expected)
{
    bson_t *reply = ask(fd, body);
    assert_int_equal(number(reply, "ok"), 1);
    assert_int_equal(number(reply, key), expected);
    bson_destroy(reply);
}

static void greets_in_both_ways(void **state)
{
    (void)state;
    struct nullserver *server = start(&(struct nullserver_config){.replica_set = "rs"});
    int fd = connect_to(server);
    send_message(fd, 5, OP_QUERY, BCON_NEW("isMaster", BCON_INT32(1)));
    bson_t *reply = read_reply(fd, 5, OP_QUERY);
    assert_int_equal(number(reply, "ismaster"), 1);
    assert_int_equal(number(reply, "benchrunNullServer"), 1);
    assert_true(bson_has_field(reply, "setName"));
    bson_destroy(reply);
    check_number(fd, BCON_NEW("hello", BCON_INT32(1), "$db", "admin"), "isWritablePrimary", 1);
    close(fd);
    nullserver_stop(server);
}

static void says_that_it_is_no_database(void **state)
{
    (void)state;
    struct nullserver *server = start(&(struct nullserver_config){0});
    int fd = connect_to(server);
    bson_t *reply = ask(fd, BCON_NEW("buildInfo", BCON_INT32(1), "$db", "admin"));
    bson_iter_t iter;
    assert_int_equal(number(reply, "benchrunNullServer"), 1);
    assert_true(bson_iter_init_find(&iter, reply, "version"));
    assert_string_equal(bson_iter_utf8(&iter, NULL), "0.0.0");
    bson_destroy(reply);
    close(fd);
    nullserver_stop(server);
}

static void counts_what_a_write_holds(void **state)
{
    (void)state;
    struct nullserver *server = start(&(struct nullserver_config){0});
    int fd = connect_to(server);
    check_number(fd, BCON_NEW("insert", "c", "documents", "[", "{", "}", "{", "}", "{", "}", "]", "$db", "t"), "n", 3);
    check_number(fd, BCON_NEW("update", "c", "updates", "[", "{", "}", "]", "$db", "t"), "nModified", 1);
    check_number(fd, BCON_NEW("delete", "c", "deletes", "[", "{", "}", "]", "$db", "t"), "n", 1);
    check_number(fd, BCON_NEW("find", "c", "$db", "t"), "cursor.id", 0);
    check_number(fd, BCON_NEW("dropDatabase", BCON_INT32(1), "$db", "t"), "ok", 1);
    assert_int_equal(nullserver_count(server, "insert"), 1);
    assert_int_equal(nullserver_count(server, "find"), 1);
    assert_int_equal(nullserver_count(server, "nothing"), 0);
    close(fd);
    nullserver_stop(server);
}

static void counts_documents_of_a_sequence(void **state)
{
    (void)state;
    struct nullserver *server = start(&(struct nullserver_config){0});
    int fd = connect_to(server);
    struct buffer message = {0};
    append_message(&message, 6, OP_MSG, 0, BCON_NEW("insert", "c", "$db", "t"));
    static const uint8_t sequence[] = "\x01\x18\0\0\0documents\0\x05\0\0\0\0\x05\0\0\0\0";
    buffer_append(&message, sequence, sizeof sequence - 1);
    message.data[0] = (uint8_t)message.size;
    assert_int_equal(send(fd, message.data, message.size, 0), message.size);
    bson_t *reply = read_reply(fd, 6, OP_MSG);
    assert_int_equal(number(reply, "n"), 2);
    bson_destroy(reply);
    buffer_release(&message);
    close(fd);
    nullserver_stop(server);
}

static void does_not_answer_what_wants_no_answer(void **state)
{
    (void)state;
    struct nullserver *server = start(&(struct nullserver_config){0});
    int fd = connect_to(server);
    struct buffer message = {0};
    append_message(&message, 6, OP_MSG, 2, BCON_NEW("insert", "c", "documents", "[", "{", "}", "]", "$db", "t"));
    append_message(&message, 7, OP_MSG, 0, BCON_NEW("ping", BCON_INT32(1), "$db", "t"));
    assert_int_equal(send(fd, message.data, message.size, 0), message.size);
    bson_destroy(read_reply(fd, 7, OP_MSG));
    assert_int_equal(nullserver_count(server, "insert"), 1);
    buffer_release(&message);
    close(fd);
    nullserver_stop(server);
}

static void plays_scripts_in_turn(void **state)
{
    (void)state;
    bson_t *one = BCON_NEW("ok", BCON_DOUBLE(0), "code", BCON_INT32(1));
    bson_t *two = BCON_NEW("ok", BCON_DOUBLE(0), "code", BCON_INT32(2));
    struct nullserver_script scripts[] = {{"ping", bson_get_data(one), one->len, 2},
                                          {"ping", bson_get_data(two), two->len, 1}};
    struct nullserver *server = start(&(struct nullserver_config){.scripts = scripts, .script_count = 2});
    int fd = connect_to(server);
    static const int64_t codes[] = {1, 1, 2, -1};
    for (size_t i = 0; i < 4; i++) {
        bson_t *reply = ask(fd, BCON_NEW("ping", BCON_INT32(1), "$db", "admin"));
        assert_int_equal(number(reply, "code"), codes[i]);
        bson_destroy(reply);
    }
    close(fd);
    nullserver_stop(server);
    bson_destroy(one);
    bson_destroy(two);
}

static void records_whole_messages(void **state)
{
    (void)state;
    struct nullserver *server = start(&(struct nullserver_config){.record = true});
    int fd = connect_to(server);
    struct buffer sent = {0}, kept = {0};
    append_message(&sent, 9, OP_MSG, 0, BCON_NEW("ping", BCON_INT32(4), "$db", "admin"));
    assert_int_equal(send(fd, sent.data, sent.size, 0), sent.size);
    bson_destroy(read_reply(fd, 9, OP_MSG));
    assert_true(nullserver_recorded(server, "ping", 0, &kept));
    assert_false(nullserver_recorded(server, "ping", 1, &kept));
    assert_int_equal(kept.size, sent.size);
    assert_memory_equal(kept.data, sent.data, sent.size);
    buffer_release(&sent);
    buffer_release(&kept);
    close(fd);
    nullserver_stop(server);
}

static bson_t *insert_one(void)
{
    return BCON_NEW("insert", "c", "documents", "[", "{", "}", "]", "$db", "t");
}

static void faults_begin_and_end_as_configured(void **state)
{
    (void)state;
    struct nullserver *server =
        start(&(struct nullserver_config){.fault = NULLSERVER_NOT_PRIMARY, .fault_after = 2, .fault_times = 3});
    int fd = connect_to(server);
    static const int64_t codes[] = {-1, -1, 10107, 10107, 10107, -1, -1};
    for (size_t i = 0; i < 7; i++) {
        bson_t *reply = ask(fd, insert_one());
        assert_int_equal(number(reply, "code"), codes[i]);
        bson_destroy(reply);
    }
    close(fd);
    nullserver_stop(server);
}

static size_t bytes_until_closed(enum nullserver_fault fault)
{
    struct nullserver *server = start(&(struct nullserver_config){.fault = fault});
    int fd = connect_to(server);
    check_number(fd, BCON_NEW("ping", BCON_INT32(1), "$db", "t"), "ok", 1);
    send_message(fd, 5, OP_MSG, insert_one());
    size_t total = 0;
    char bytes[256];
    ssize_t n;
    while ((n = recv(fd, bytes, sizeof bytes, 0)) > 0)
        total += (size_t)n;
    close(fd);
    nullserver_stop(server);
    return total;
}

static void closes_in_the_middle_or_before(void **state)
{
    (void)state;
    assert_int_equal(bytes_until_closed(NULLSERVER_CLOSE), 0);
    assert_in_range(bytes_until_closed(NULLSERVER_CLOSE_MIDDLE), 1, 40);
}

static void answers_late_and_in_order(void **state)
{
    (void)state;
    struct nullserver *server = start(&(struct nullserver_config){.fault = NULLSERVER_SLOW, .slow_ms = 20});
    int fd = connect_to(server);
    for (int32_t id = 1; id <= 3; id++)
        send_message(fd, id, OP_MSG, insert_one());
    for (int32_t id = 1; id <= 3; id++)
        bson_destroy(read_reply(fd, id, OP_MSG));
    close(fd);
    nullserver_stop(server);
}

static void can_turn_bad_and_good_while_it_runs(void **state)
{
    (void)state;
    struct nullserver *server = start(&(struct nullserver_config){0});
    int fd = connect_to(server);
    check_number(fd, insert_one(), "n", 1);
    nullserver_set_fault(server, NULLSERVER_PIECES);
    check_number(fd, insert_one(), "n", 1);
    nullserver_set_fault(server, NULLSERVER_WRONG_ID);
    send_message(fd, 4, OP_MSG, insert_one());
    bson_destroy(read_reply(fd, 5, OP_MSG));
    nullserver_set_fault(server, NULLSERVER_OK);
    check_number(fd, insert_one(), "n", 1);
    close(fd);
    nullserver_stop(server);
}

static void closes_on_nonsense(void **state)
{
    (void)state;
    static const uint8_t texts[][24] = {
        "GET / HTTP/1.1\r\n\r\n....",
        "\x18\0\0\0\x01\0\0\0\0\0\0\0\xdd\x07\0\0\0\0\0\0\0\xff\xff\xff",
        "\x18\0\0\0\x01\0\0\0\0\0\0\0\xd4\x07\0\0\0\0\0\0zzzz",
        "\x18\0\0\0\x01\0\0\0\0\0\0\0\xdd\x07\0\0\x01\0\0\0zzzz",
    };
    struct nullserver *server = start(&(struct nullserver_config){0});
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        int fd = connect_to(server);
        char byte;
        assert_int_equal(send(fd, texts[i], sizeof texts[i], 0), sizeof texts[i]);
        assert_true(recv(fd, &byte, 1, 0) <= 0);
        close(fd);
    }
    nullserver_stop(server);
}

/* Commands in order on one server of each age, and the code that it answers; 0: ok. */
static void answers_like_its_age(void **state)
{
    (void)state;
    char too_long[1100] = {0};
    memset(too_long, 'x', sizeof too_long - 1);
    const struct {
        bson_t *command;
        int code_4_0, code_8_0;
    } steps[] = {
        {BCON_NEW("drop", "c"), 26, 0},
        {BCON_NEW("create", "c"), 0, 0},
        {BCON_NEW("create", "c"), 48, 0},
        {BCON_NEW("create", "c", "capped", BCON_BOOL(true)), 48, 48},
        {BCON_NEW("createIndexes", "c", "indexes", "[", "{", "key", "{", "a", BCON_INT32(1), "}", "name", "a", "}",
                  "]"),
         0, 0},
        {BCON_NEW("createIndexes", "c", "indexes", "[", "{", "key", "{", "a", BCON_INT32(1), "}", "name", "a", "}",
                  "]"),
         0, 0},
        {BCON_NEW("createIndexes", "c", "indexes", "[", "{", "key", "{", "a", BCON_INT32(1), "}", "name", "b", "}",
                  "]"),
         85, 85},
        {BCON_NEW("createIndexes", "c", "indexes", "[", "{", "key", "{", "b", BCON_INT32(1), "}", "name", "a", "}",
                  "]"),
         86, 86},
        {BCON_NEW("createIndexes", "c", "indexes", "[", "{", "key", "{", "a", BCON_INT32(1), "}", "name", "a", "unique",
                  BCON_BOOL(true), "}", "]"),
         85, 85},
        {BCON_NEW("insert", "d", "documents", "[", "{", "t", BCON_UTF8(too_long), "}", "]"), 0, 0},
        {BCON_NEW("createIndexes", "d", "indexes", "[", "{", "key", "{", "t", BCON_INT32(1), "}", "name", "t", "}",
                  "]"),
         17280, 0},
        {BCON_NEW("listIndexes", "d"), 0, 0},
        {BCON_NEW("listIndexes", "e"), 26, 26},
        {BCON_NEW("collMod", "e"), 26, 26},
        {BCON_NEW("drop", "c"), 0, 0},
        {BCON_NEW("collMod", "c"), 26, 26},
    };
    for (int is_new = 0; is_new < 2; is_new++) {
        struct nullserver *server = start(&(struct nullserver_config){.era = is_new ? NULLSERVER_8_0 : NULLSERVER_4_0});
        int fd = connect_to(server);
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
            bson_t *command = bson_copy(steps[i].command);
            BSON_APPEND_UTF8(command, "$db", "test0");
            bson_t *reply = ask(fd, command);
            int expected = is_new ? steps[i].code_8_0 : steps[i].code_4_0;
            assert_int_equal(number(reply, "ok"), expected == 0);
            assert_int_equal(number(reply, "code"), expected ? expected : -1);
            bson_destroy(reply);
        }
        close(fd);
        nullserver_stop(server);
    }
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        bson_destroy(steps[i].command);
}

/* Made anew, a collection has another uuid; a view has none. */
static void lists_collections_with_uuids(void **state)
{
    (void)state;
    struct nullserver *server = start(&(struct nullserver_config){.era = NULLSERVER_4_0});
    int fd = connect_to(server);
    uint8_t uuids[2][16];
    for (int i = 0; i < 2; i++) {
        bson_destroy(ask(fd, BCON_NEW("create", "c", "capped", BCON_BOOL(true), "$db", "test0")));
        bson_t *reply = ask(fd, BCON_NEW("listCollections", BCON_INT32(1), "$db", "test0"));
        bson_iter_t iter, found;
        const uint8_t *bytes;
        uint32_t size;
        assert_true(bson_iter_init(&iter, reply) &&
                    bson_iter_find_descendant(&iter, "cursor.firstBatch.0.info.uuid", &found));
        bson_iter_binary(&found, NULL, &size, &bytes);
        assert_int_equal(size, 16);
        memcpy(uuids[i], bytes, size);
        assert_int_equal(number(reply, "cursor.firstBatch.0.options.capped"), 1);
        bson_destroy(reply);
        bson_destroy(ask(fd, BCON_NEW("drop", "c", "$db", "test0")));
    }
    assert_memory_not_equal(uuids[0], uuids[1], 16);
    bson_destroy(ask(fd, BCON_NEW("create", "v", "viewOn", "c", "$db", "test0")));
    bson_t *reply = ask(fd, BCON_NEW("listCollections", BCON_INT32(1), "$db", "test0"));
    assert_int_equal(number(reply, "cursor.firstBatch.0.info.readOnly"), 1);
    assert_int_equal(number(reply, "cursor.firstBatch.0.info.uuid"), -1);
    bson_destroy(reply);
    check_number(fd, BCON_NEW("listCollections", BCON_INT32(1), "$db", "test1"), "cursor.firstBatch.0.name", -1);
    close(fd);
    nullserver_stop(server);
}

int main(void)
{
    alarm(HANG_S);
    const struct CMUnitTest tests[] = {
        NAMED_TEST(greets_in_both_ways, "the null server greets old and new drivers"),
        NAMED_TEST(says_that_it_is_no_database, "it says that it is no database"),
        NAMED_TEST(counts_what_a_write_holds, "it says ok with the number of documents that came"),
        NAMED_TEST(counts_documents_of_a_sequence, "documents of a sequence are counted too"),
        NAMED_TEST(does_not_answer_what_wants_no_answer, "what wants no answer gets none"),
        NAMED_TEST(plays_scripts_in_turn, "scripted answers come in turn, then the plain one"),
        NAMED_TEST(records_whole_messages, "messages are recorded byte by byte"),
        NAMED_TEST(faults_begin_and_end_as_configured, "faults begin after n writes and end after m faults"),
        NAMED_TEST(closes_in_the_middle_or_before, "it closes instead of a reply or in its middle"),
        NAMED_TEST(answers_late_and_in_order, "late answers come, and in order"),
        NAMED_TEST(can_turn_bad_and_good_while_it_runs, "the fault can be changed while it runs"),
        NAMED_TEST(answers_like_its_age, "what is there already, or is not, is answered like 4.0 and like 8.0"),
        NAMED_TEST(lists_collections_with_uuids, "collections are listed with options and uuids, views without"),
        NAMED_TEST(closes_on_nonsense, "a client that talks nonsense is closed"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
