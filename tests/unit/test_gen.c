/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_fixture.h"

#include "engine/wire.h"

#include <stdlib.h>

#include "base/memory.h"

#include "unit.h"

/* An insert of {'v': <value>} by session `id` of `sessions`. */
static void begin(struct fixture *fixture, const char *value, unsigned id, unsigned sessions)
{
    char *ops = memory_printf("[{'op': 'insert', 'doc': {'_id': 0, 'v': %s}}]", value);
    fixture_init(fixture, ops);
    free(ops);
    fixture->config.sessions = sessions;
    fixture_compile(fixture, id);
}

/* `v` of the next message; `body` holds it. */
static void next_value(struct fixture *fixture, bson_t *body, bson_iter_t *value)
{
    fixture_exchange(fixture);
    fixture_body(fixture, body);
    fixture_find(body, "documents.0.v", value);
}

static int64_t next_number(struct fixture *fixture, bson_type_t type)
{
    bson_t body;
    bson_iter_t value;
    next_value(fixture, &body, &value);
    assert_int_equal(bson_iter_type(&value), type);
    int64_t number = bson_iter_as_int64(&value);
    bson_destroy(&body);
    return number;
}

static void expect_text(struct fixture *fixture, const char *expected)
{
    bson_t body;
    bson_iter_t value;
    next_value(fixture, &body, &value);
    assert_int_equal(bson_iter_type(&value), BSON_TYPE_UTF8);
    assert_string_equal(bson_iter_utf8(&value, NULL), expected);
    bson_destroy(&body);
}

struct range {
    int64_t low, high;
};

/* All values have this type and lie in [low, high]; both ends come (so few values are possible that they must). */
static void expect_range(const char *value, unsigned id, unsigned sessions, bson_type_t type, struct range range)
{
    struct fixture fixture;
    begin(&fixture, value, id, sessions);
    struct range seen = {INT64_MAX, INT64_MIN};
    for (int i = 0; i < 300; i++) {
        int64_t number = next_number(&fixture, type);
        seen.low = number < seen.low ? number : seen.low;
        seen.high = number > seen.high ? number : seen.high;
    }
    assert_int_equal(seen.low, range.low);
    assert_int_equal(seen.high, range.high);
    fixture_release(&fixture);
}

static void rand_int_range(void **state)
{
    (void)state;
    expect_range("{'#RAND_INT': [3, 7]}", 0, 1, BSON_TYPE_INT32, (struct range){3, 6});
    expect_range("{'#RAND_INT': [-2, 2]}", 5, 6, BSON_TYPE_INT32, (struct range){-2, 1});
    expect_range("{'#RAND_INT': [0.0, 4.0]}", 0, 1, BSON_TYPE_INT32, (struct range){0, 3});
    expect_range("{'#RAND_INT': [2147483646, 2147483647]}", 0, 1, BSON_TYPE_INT32,
                 (struct range){2147483646, 2147483646});
    expect_range("{'#RAND_INT': [1, 4, 10]}", 0, 1, BSON_TYPE_INT32, (struct range){10, 30});
    expect_range("{'#RAND_INT': [1, 4, -10]}", 0, 1, BSON_TYPE_INT32, (struct range){-30, -10});
}

static void rand_int_product_grows(void **state)
{
    (void)state;
    expect_range("{'#RAND_INT': [2147483645, 2147483647, 2147483647]}", 0, 1, BSON_TYPE_INT64,
                 (struct range){INT64_C(2147483645) * 2147483647, INT64_C(2147483646) * 2147483647});
}

static void rand_int_full_width(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, "{'#RAND_INT': [-2147483648, 2147483647]}", 0, 1);
    bool negative = false, positive = false;
    for (int i = 0; i < 100; i++) {
        int64_t number = next_number(&fixture, BSON_TYPE_INT32);
        negative = negative || number < -1000000;
        positive = positive || number > 1000000;
    }
    assert_true(negative && positive);
    fixture_release(&fixture);
}

static void plus_thread_is_disjoint(void **state)
{
    (void)state;
    const unsigned ids[] = {0, 1, 47, 127, 128, 256, 1000};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        expect_range("{'#RAND_INT_PLUS_THREAD': [5, 8]}", ids[i], 1001, BSON_TYPE_INT32,
                     (struct range){5 + 3 * ids[i], 7 + 3 * ids[i]});
}

static void plus_thread_becomes_int64(void **state)
{
    (void)state;
    const char *value = "{'#RAND_INT_PLUS_THREAD': [0, 10000000]}";
    const unsigned ids[] = {127, 128, 213, 215, 256, 1000};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        struct fixture fixture;
        begin(&fixture, value, ids[i], 1001);
        int64_t low = INT64_C(10000000) * ids[i];
        for (int k = 0; k < 20; k++) {
            int64_t number = next_number(&fixture, ids[i] < 214 ? BSON_TYPE_INT32 : BSON_TYPE_INT64);
            assert_in_range(number, low, low + 9999999);
        }
        fixture_release(&fixture);
    }
}

/* 214 * 10^7 .. 215 * 10^7 - 1 has 2^31 inside: each value has the type that it needs. */
static void plus_thread_across_the_border(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, "{'#RAND_INT_PLUS_THREAD': [0, 10000000]}", 214, 215);
    int narrow = 0;
    for (int i = 0; i < 200; i++) {
        bson_t body;
        bson_iter_t value;
        next_value(&fixture, &body, &value);
        int64_t number = bson_iter_as_int64(&value);
        assert_int_equal(bson_iter_type(&value), number > INT32_MAX ? BSON_TYPE_INT64 : BSON_TYPE_INT32);
        narrow += number <= INT32_MAX;
        bson_destroy(&body);
    }
    assert_in_range(narrow, 100, 199);
    fixture_release(&fixture);
}

static void expect_sequence(const char *value, unsigned id, const int64_t *numbers, size_t count)
{
    struct fixture fixture;
    begin(&fixture, value, id, 1001);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(next_number(&fixture, BSON_TYPE_INT64), numbers[i]);
    fixture_release(&fixture);
}

static void seq_int_steps(void **state)
{
    (void)state;
    expect_sequence("{'#SEQ_INT': {'seq_id': 0, 'start': 7, 'step': -3}}", 3, (int64_t[]){7, 4, 1, -2}, 4);
    expect_sequence("{'#SEQ_INT': {'seq_id': 0.0, 'start': 0.0, 'step': 1.0, 'mod': 3}}", 3, (int64_t[]){0, 1, 2, 0, 1},
                    5);
    expect_sequence("{'#SEQ_INT': {'seq_id': 0, 'start': 5, 'step': 2, 'mod': 4}}", 0, (int64_t[]){1, 3, 1, 3}, 4);
}

static void seq_int_unique_is_disjoint(void **state)
{
    (void)state;
    const unsigned ids[] = {0, 1, 127, 128, 256, 1000};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        int64_t first = (INT64_C(1) << 40) * ids[i] + 2;
        expect_sequence("{'#SEQ_INT': {'seq_id': 0, 'start': 2, 'step': 1, 'unique': true}}", ids[i],
                        (int64_t[]){first, first + 1, first + 2}, 3);
    }
    int64_t reduced = (INT64_C(1) << 40) * 1000 % 7;
    expect_sequence("{'#SEQ_INT': {'seq_id': 0, 'start': 0, 'step': 1, 'unique': true, 'mod': 7}}", 1000,
                    (int64_t[]){reduced, (reduced + 1) % 7}, 2);
}

static void seq_int_of_one_id_advances_twice(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, "[{'op': 'insert', 'doc': {'a': {'#SEQ_INT': {'seq_id': 1, 'start': 0, 'step': 1}},"
                           " 'b': {'#SEQ_INT': {'seq_id': 1, 'start': 0, 'step': 10}},"
                           " 'c': {'#SEQ_INT': {'seq_id': 2, 'start': 100, 'step': 1}}}}]");
    fixture_compile(&fixture, 0);
    const int64_t expected[][3] = {{0, 10, 100}, {11, 21, 101}};
    for (int i = 0; i < 2; i++) {
        fixture_exchange(&fixture);
        bson_t body;
        fixture_body(&fixture, &body);
        const char *const paths[] = {"documents.0.a", "documents.0.b", "documents.0.c"};
        for (int k = 0; k < 3; k++) {
            bson_iter_t found;
            fixture_find(&body, paths[k], &found);
            assert_int_equal(bson_iter_int64(&found), expected[i][k]);
        }
        bson_destroy(&body);
    }
    fixture_release(&fixture);
}

static void rand_string_alphabet(void **state)
{
    (void)state;
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int length = 1; length < 14; length++) {
        char text[40];
        snprintf(text, sizeof text, "{'#RAND_STRING': [%d]}", length);
        struct fixture fixture;
        begin(&fixture, text, 0, 1);
        unsigned counts[64] = {0};
        for (int i = 0; i < 500; i++) {
            bson_t body;
            bson_iter_t value;
            next_value(&fixture, &body, &value);
            uint32_t size;
            const char *string = bson_iter_utf8(&value, &size);
            assert_int_equal(size, length);
            for (uint32_t k = 0; k < size; k++) {
                assert_non_null(strchr(alphabet, string[k]));
                counts[strchr(alphabet, string[k]) - alphabet]++;
            }
            bson_destroy(&body);
        }
        for (int k = 0; length > 3 && k < 64; k++)
            assert_true(counts[k] > 0);
        fixture_release(&fixture);
    }
}

static void concat_writes_as_the_shell(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture,
          "{'#CONCAT': ['a', 1, '|', -5.0, '|', 0.1, '|', 1e20, '|', 1e300, '|', true, false, '|', "
          "{'$date': '1970-01-01T00:00:01Z'}, '|', 9007199254740993, '|', '##x', '#B_COLL']}",
          0, 1);
    expect_text(&fixture, "a1|-5.0|0.1|1e+20.0|1e+300.0|truefalse|new Date(1000)|9007199254740993|#x"
                          "T_x0");
    fixture_release(&fixture);
}

static void concat_of_operators(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture,
          "{'#CONCAT': [{'#CONCAT': [{'#SEQ_INT': {'seq_id': 0, 'start': 9, 'step': 90}}, '-']}, "
          "{'#RAND_INT': [-7, -6]}, {'#CUR_DATE': 1}]}",
          0, 1);
    expect_text(&fixture, "9--7new Date(1500000000124)");
    expect_text(&fixture, "99--7new Date(1500000000124)");
    fixture_release(&fixture);
    begin(&fixture, "{'#CONCAT': ['<', {'#RAND_STRING': [3]}, '>']}", 0, 1);
    bson_t body;
    bson_iter_t value;
    next_value(&fixture, &body, &value);
    uint32_t size;
    const char *text = bson_iter_utf8(&value, &size);
    assert_int_equal(size, 5);
    assert_int_equal(text[0], '<');
    assert_int_equal(text[4], '>');
    bson_destroy(&body);
    fixture_release(&fixture);
}

/* Growing and shrinking: 9, 10, .. 1000000, then short again; also what stands behind has to be right. */
static void short_after_long(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture,
                 "[{'op': 'insert', 'doc': {'a': {'b': [{'c': {'#CONCAT': ['n', {'#SEQ_INT': {'seq_id': 0, 'start': 1,"
                 " 'step': 999, 'mod': 1500}}]}}, 'tail'], 'd': {'#RAND_INT': [5, 6]}}, 'z': 2.5}}]");
    fixture_compile(&fixture, 0);
    int64_t value = 1;
    for (int i = 0; i < 100; i++) {
        fixture_exchange(&fixture);
        char expected[40];
        snprintf(expected, sizeof expected, "n%d", (int)value);
        bson_t body;
        fixture_body(&fixture, &body);
        bson_iter_t found;
        fixture_find(&body, "documents.0.a.b.0.c", &found);
        assert_string_equal(bson_iter_utf8(&found, NULL), expected);
        fixture_find(&body, "documents.0.a.b.1", &found);
        assert_string_equal(bson_iter_utf8(&found, NULL), "tail");
        fixture_find(&body, "documents.0.a.d", &found);
        assert_int_equal(bson_iter_int32(&found), 5);
        fixture_find(&body, "documents.0.z", &found);
        assert_true(bson_iter_double(&found) == 2.5);
        bson_destroy(&body);
        value = (value + 999) % 1500;
    }
    fixture_release(&fixture);
}

static void oids_are_new_each_time(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, "[{'op': 'insert', 'doc': [{'_id': {'#OID': 1}}, {'_id': {'#OID': 1}}]}]");
    fixture.config.sessions = 2;
    fixture_compile(&fixture, 0);
    struct session *first = fixture.session;
    bson_oid_t oids[4];
    for (int i = 0; i < 4; i += 2) {
        if (i == 2) {
            fixture.session = session_new(fixture.plan, 1, 1, 0);
            session_start(fixture.session, 2000);
        }
        fixture_exchange(&fixture);
        bson_t body;
        fixture_body(&fixture, &body);
        bson_iter_t found;
        fixture_find(&body, "documents.0._id", &found);
        bson_oid_copy(bson_iter_oid(&found), &oids[i]);
        fixture_find(&body, "documents.1._id", &found);
        bson_oid_copy(bson_iter_oid(&found), &oids[i + 1]);
        bson_destroy(&body);
    }
    for (int i = 0; i < 4; i++) {
        assert_int_equal(bson_oid_get_time_t(&oids[i]), 1500000000);
        for (int k = 0; k < i; k++)
            assert_false(bson_oid_equal(&oids[i], &oids[k]));
    }
    /* The counter is big-endian, at the end. */
    assert_int_equal(oids[1].bytes[11], oids[0].bytes[11] + 1);
    assert_memory_equal(oids[1].bytes, oids[0].bytes, 9);
    session_free(first);
    fixture_release(&fixture);
}

static void cur_date_is_now_and_an_offset(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, "{'#CUR_DATE': -100000}", 0, 1);
    bson_t body;
    bson_iter_t value;
    next_value(&fixture, &body, &value);
    assert_int_equal(bson_iter_type(&value), BSON_TYPE_DATE_TIME);
    assert_int_equal(bson_iter_date_time(&value), 1499999900123);
    bson_destroy(&body);
    fixture_release(&fixture);
}

static void arguments_may_be_operators(void **state)
{
    (void)state;
    expect_range("{'#RAND_INT': [{'#RAND_INT': [0, 2]}, {'#RAND_INT': [3, 5]}]}", 0, 1, BSON_TYPE_INT32,
                 (struct range){0, 3});
}

/* #RAND_INT_PLUS_THREAD and #SEQ_INT come into arguments by way of a variable. */
static void arguments_may_be_variables(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture,
                 "[{'op': 'let', 'target': 'x', 'value': {'#RAND_INT_PLUS_THREAD': [1, 2]}},"
                 " {'op': 'let', 'target': 'n', 'value': {'#SEQ_INT': {'seq_id': 0, 'start': 1, 'step': 1, 'mod': 3}}},"
                 " {'op': 'insert', 'doc': {'v': {'#RAND_INT': [{'#VARIABLE': 'n'}, 3, {'#VARIABLE': 'x'}]}}}]");
    fixture.config.sessions = 2;
    fixture_compile(&fixture, 1);
    for (int i = 1; i < 10; i++) {
        int64_t number = next_number(&fixture, BSON_TYPE_INT32);
        assert_true(number % 2 == 0 && number >= i % 3 * 2 && number <= 4);
    }
    fixture_release(&fixture);
}

static void variables_keep_type_and_value(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, "[{'op': 'let', 'target': 'x', 'value': 1.5},"
                           " {'op': 'let', 'target': 'd', 'value': {'a': [{'#RAND_INT': [4, 5]}, null]}},"
                           " {'op': 'insert', 'doc': {'v': {'#VARIABLE': 'x'}, 'd': {'#VARIABLE': 'd'},"
                           " 't': {'#CONCAT': ['<', {'#VARIABLE': 'x'}, '>']}}},"
                           " {'op': 'let', 'target': 'x', 'value': '#B_DB, a text'},"
                           " {'op': 'insert', 'doc': {'v': {'#VARIABLE': 'x'}, 'z': 1}}]");
    fixture_compile(&fixture, 0);
    static const char *const expected[] = {
        "{ \"v\" : 1.5, \"d\" : { \"a\" : [ 4, null ] }, \"t\" : \"<1.5>\" }",
        "{ \"v\" : \"test0, a text\", \"z\" : 1 }",
    };
    for (int i = 0; i < 6; i++) {
        fixture_exchange(&fixture);
        bson_t body;
        fixture_body(&fixture, &body);
        bson_iter_t found;
        fixture_find(&body, "documents.0", &found);
        uint32_t size;
        const uint8_t *bytes;
        bson_iter_document(&found, &size, &bytes);
        bson_t document;
        assert_true(bson_init_static(&document, bytes, size));
        char *text = bson_as_relaxed_extended_json(&document, NULL);
        assert_string_equal(text, expected[i % 2]);
        bson_free(text);
        bson_destroy(&body);
    }
    fixture_release(&fixture);
}

static void equal_seeds_give_equal_values(void **state)
{
    (void)state;
    struct fixture a, b;
    begin(&a, "{'#RAND_INT': [0, 1000000000]}", 3, 4);
    begin(&b, "{'#RAND_INT': [0, 1000000000]}", 3, 4);
    for (int i = 0; i < 20; i++)
        assert_int_equal(next_number(&a, BSON_TYPE_INT32), next_number(&b, BSON_TYPE_INT32));
    const struct {
        unsigned id, trial;
        uint64_t seed;
    } others[] = {{2, 0, 1}, {3, 1, 1}, {3, 0, 2}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        session_free(b.session);
        b.session = session_new(b.plan, others[i].id, others[i].seed, others[i].trial);
        session_start(b.session, 2000);
        assert_int_not_equal(next_number(&a, BSON_TYPE_INT32), next_number(&b, BSON_TYPE_INT32));
    }
    fixture_release(&a);
    fixture_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(rand_int_range, "#RAND_INT is int32, min inclusive, max exclusive, times mult"),
        NAMED_TEST(rand_int_product_grows, "a #RAND_INT product over int32 becomes int64"),
        NAMED_TEST(rand_int_full_width, "#RAND_INT spans all of int32"),
        NAMED_TEST(plus_thread_is_disjoint, "#RAND_INT_PLUS_THREAD gives each session its own range"),
        NAMED_TEST(plus_thread_becomes_int64, "#RAND_INT_PLUS_THREAD becomes int64 where int32 ends"),
        NAMED_TEST(plus_thread_across_the_border, "each value of #RAND_INT_PLUS_THREAD has the type that it needs"),
        NAMED_TEST(seq_int_steps, "#SEQ_INT is int64 and steps from start, reduced by mod"),
        NAMED_TEST(seq_int_unique_is_disjoint, "#SEQ_INT unique starts 2^40 apart for each session"),
        NAMED_TEST(seq_int_of_one_id_advances_twice, "#SEQ_INT used twice in a document advances twice"),
        NAMED_TEST(rand_string_alphabet, "#RAND_STRING has the length and uses all 64 characters"),
        NAMED_TEST(concat_writes_as_the_shell, "#CONCAT writes values as the mongo shell does"),
        NAMED_TEST(concat_of_operators, "#CONCAT takes operators"),
        NAMED_TEST(short_after_long, "a short value after a long one leaves nothing behind"),
        NAMED_TEST(oids_are_new_each_time, "#OID is a new ObjectId each time, in each session"),
        NAMED_TEST(cur_date_is_now_and_an_offset, "#CUR_DATE is now and the offset"),
        NAMED_TEST(arguments_may_be_operators, "arguments may be operators"),
        NAMED_TEST(arguments_may_be_variables, "arguments may be variables"),
        NAMED_TEST(variables_keep_type_and_value, "a variable keeps type and value of its let"),
        NAMED_TEST(equal_seeds_give_equal_values, "seed, session and trial alone decide the random values"),
    };
    return cmocka_run_group_tests_name("gen", tests, NULL, NULL);
}
