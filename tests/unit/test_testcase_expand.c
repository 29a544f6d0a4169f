/* SPDX-License-Identifier: Apache-2.0 */
/* What each construct of the language expands to. */
#include "testcase_check.h"

/* `value` stands in the document of an insert operation, and in one of an insert step. */
struct row {
    const char *value, *in_op, *in_step;
};

/* NULL: not tried there. */
static void expect_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *value = rows[i].value;
        if (rows[i].in_op) {
            char *text =
                memory_printf("{\"tests\": [{\"name\": \"T\", \"ops\": [{\"op\": \"insert\", \"doc\": %s}]}]}", value);
            struct loaded loaded = load_good(text);
            expect_json(json_object_get(json_array_get(loaded.set.items[0].ops, 0), "doc"), rows[i].in_op);
            release_loaded(&loaded);
            free(text);
        }
        if (rows[i].in_step) {
            char *text = memory_printf("{\"tests\": [{\"name\": \"T\", \"pre\": [{\"insert\": %s}], \"ops\": [{\"op\": "
                                       "\"insert\", \"doc\": {}}]}]}",
                                       value);
            struct loaded loaded = load_good(text);
            expect_json(json_object_get(json_array_get(loaded.set.items[0].pre, 0), "insert"), rows[i].in_step);
            release_loaded(&loaded);
            free(text);
        }
    }
}

#define EXPECT_ROWS(rows) expect_rows(rows, sizeof(rows) / sizeof *(rows))
#define BOTH(value, expanded)                                                                                          \
    {                                                                                                                  \
        value, expanded, expanded                                                                                      \
    }
#define SAME(value) BOTH(value, value)

static void literals_stay(void **state)
{
    (void)state;
    static const struct row rows[] = {
        SAME("{}"),
        SAME("{\"z\":1,\"a\":1.0,\"b\":9223372036854775807,\"c\":true,\"d\":null,\"e\":[],\"f\":{\"$set\":{}}}"),
        SAME("{\"a\":\"##x\",\"b\":\"@@x\",\"##k\":1,\"@@k\":1,\"c\":\"a#@{}\"}"),
        SAME("{\"a\":\"#B_COLL_x\",\"b\":\"#B_NS\",\"c\":\"#B_DB\"}"),
        SAME("{\"a\":{\"$oid\":\"0123456789abcdef01234567\"},\"b\":{\"$regularExpression\":{\"pattern\":\"#a\","
             "\"options\":\"\"}}}"),
        SAME("[{\"a\":1},{\"a\":2}]"),
    };
    EXPECT_ROWS(rows);
}

static void lists_are_spliced(void **state)
{
    (void)state;
    static const struct row rows[] = {
        BOTH("{\"x\": [0, {\"@list\": [1, 2]}, 3, {\"@list\": []}]}", "{\"x\":[0,1,2,3]}"),
        BOTH("{\"x\": [{\"@list\": [\"a{}\", \"{+2}{\"], \"count\": 2}]}", "{\"x\":[\"a0\",\"2{\",\"a1\",\"3{\"]}"),
        BOTH("{\"x\": [{\"@list\": [\"{letters}\"], \"count\": 3, \"from\": 25}]}", "{\"x\":[\"z\",\"aa\",\"ab\"]}"),
        BOTH("{\"x\": [{\"@list\": [\"{+1%3}\"], \"count\": 4}]}", "{\"x\":[\"1\",\"2\",\"0\",\"1\"]}"),
        BOTH("{\"x\": [{\"@list\": [{\"k{}\": {\"y\": [\"{}\"]}}], \"count\": 2}]}",
             "{\"x\":[{\"k0\":{\"y\":[\"0\"]}},{\"k1\":{\"y\":[\"1\"]}}]}"),
        BOTH("{\"x\": [{\"@list\": [\"{}\", {\"@list\": [\"{}\"], \"count\": 2, \"from\": 7}, {\"@list\": [\"{}\"]}], "
             "\"count\": 1}]}",
             "{\"x\":[\"0\",\"7\",\"8\",\"0\"]}"),
        BOTH("{\"x\": [{\"@list\": [1], \"count\": 0}], \"y\": \"{}{letters}\"}", "{\"x\":[],\"y\":\"{}{letters}\"}"),
        BOTH("[{\"@list\": [{\"x\": 1.0}], \"count\": 2}]", "[{\"x\":1.0},{\"x\":1.0}]"),
    };
    EXPECT_ROWS(rows);
}

static void fields_are_put_in_place(void **state)
{
    (void)state;
    static const struct row rows[] = {
        BOTH("{\"a\": 1, \"@fields\": {\"count\": 2, \"name\": \"f_{}\", \"value\": 0.0}, \"z\": 2}",
             "{\"a\":1,\"f_0\":0.0,\"f_1\":0.0,\"z\":2}"),
        BOTH("{\"@fields\": [{\"names\": [\"p\", \"q\"], \"value\": [1]}, {\"count\": 1, \"name\": \"{letters}{+1}\", "
             "\"value\": true}]}",
             "{\"p\":[1],\"q\":[1],\"a1\":true}"),
        BOTH("{\"@fields\": {\"count\": 2, \"name\": \"{}\", \"value\": {\"@fields\": {\"count\": 2, \"name\": "
             "\"{letters}\", \"value\": {\"#INDEX\": {\"of\": \"field\", \"add\": {\"#INDEX\": {\"of\": \"field\", "
             "\"up\": 1, "
             "\"mul\": 10}}}}}}}}",
             "{\"0\":{\"a\":0.0,\"b\":1.0},\"1\":{\"a\":10.0,\"b\":11.0}}"),
        BOTH("{\"@fields\": {\"count\": 0, \"name\": \"a\", \"value\": 1}}", "{}"),
        {"{\"@fields\": {\"count\": 2, \"name\": \"f{}-{doc}\", \"value\": 1}}", NULL,
         "{\"@doc:f0-{doc}\":1,\"@doc:f1-{doc}\":1}"},
        BOTH(
            "{\"x\": [{\"@list\": [{\"@fields\": {\"count\": 2, \"name\": \"n{}\", \"value\": \"{}\"}}], \"count\": 1, "
            "\"from\": 5}]}",
            "{\"x\":[{\"n0\":\"5\",\"n1\":\"5\"}]}"),
    };
    EXPECT_ROWS(rows);
}

static void texts_and_padding(void **state)
{
    (void)state;
    static const struct row rows[] = {
        BOTH("{\"x\": {\"@string\": [\"ab\", 3]}, \"y\": {\"@string\": [\"a\", 0]}}", "{\"x\":\"ababab\",\"y\":\"\"}"),
        {"{\"p\": {\"@pad\": {\"to\": 20, \"char\": \"y\"}}, \"x\": 1}", "{\"p\":\"\",\"x\":1}",
         "{\"p\":{\"@pad\":{\"to\":20,\"char\":\"y\"}},\"x\":1}"},
        {"{\"x\": {\"#RAND_INT\": [0, 9]}, \"p\": {\"@pad\": {\"to\": 25}}}",
         "{\"x\":{\"#RAND_INT\":[0,9]},\"p\":\"xxxxx\"}",
         "{\"x\":{\"#RAND_INT\":[0,9]},\"p\":{\"@pad\":{\"to\":25,\"char\":\"x\"}}}"},
    };
    EXPECT_ROWS(rows);
}

#define INDEX(of, div, mod, mul, add, as)                                                                              \
    "{\"#INDEX\":{\"of\":" of ",\"div\":" div ",\"mod\":" mod ",\"mul\":" mul ",\"add\":" add ",\"as\":\"" as "\"}}"

static void data_operators_stay_in_documents(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"{\"x\": {\"#INDEX\": {}}}", NULL, "{\"x\":" INDEX("\"doc\"", "1", "0", "1.0", "0.0", "double") "}"},
        {"{\"x\": {\"#INDEX\": {\"as\": \"int32\", \"add\": 5, \"mul\": 2.0, \"mod\": 7, \"div\": 3}}}", NULL,
         "{\"x\":" INDEX("\"doc\"", "3", "7", "2.0", "5.0", "int32") "}"},
        {"{\"@fields\": {\"count\": 2, \"name\": \"{}\", \"value\": {\"#INDEX\": {\"of\": \"field\", \"add\": "
         "{\"#INDEX\": "
         "{}}}}}}",
         NULL,
         "{\"0\":" INDEX("0", "1", "0", "1.0", INDEX("\"doc\"", "1", "0", "1.0", "0.0", "double"),
                         "double") ",\"1\":" INDEX("1", "1", "0", "1.0",
                                                   INDEX("\"doc\"", "1", "0", "1.0", "0.0", "double"), "double") "}"},
        {"{\"x\": {\"#ARRAY\": {\"count\": {\"#RAND_INT\": [1, 3]}, \"value\": {\"#INDEX\": {\"of\": \"item\"}}}}}",
         NULL,
         "{\"x\":{\"#ARRAY\":{\"count\":{\"#RAND_INT\":[1,3]},\"value\":" INDEX("\"item\"", "1", "0", "1.0", "0.0",
                                                                                "double") "}}}"},
        {"{\"#CYCLE\": [{\"@list\": [{\"a\": \"{}\"}], \"count\": 2}]}", NULL,
         "{\"#CYCLE\":[{\"a\":\"0\"},{\"a\":\"1\"}]}"},
        {"{\"x\": {\"#SHUFFLED_INT\": 9}, \"y\": {\"#RAND_DOUBLE\": [0, 1, 0.5]}, \"_id\": {\"#OID\": {}}}", NULL,
         "{\"x\":{\"#SHUFFLED_INT\":9},\"y\":{\"#RAND_DOUBLE\":[0,1,0.5]},\"_id\":{\"#OID\":{}}}"},
        {"{\"x\": {\"#RAND_STRING\": [3, \"abc\"]}, \"y\": {\"#CONCAT\": [\"a\", {\"#INDEX\": {\"of\": \"doc\"}}]}}",
         NULL,
         "{\"x\":{\"#RAND_STRING\":[3,\"abc\"]},\"y\":{\"#CONCAT\":[\"a\"," INDEX("\"doc\"", "1", "0", "1.0", "0.0",
                                                                                  "double") "]}}"},
    };
    EXPECT_ROWS(rows);
}

static void data_operators_are_constants_in_operations(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"{\"x\": {\"#ARRAY\": {\"count\": 3, \"value\": {\"#INDEX\": {\"of\": \"item\", \"mul\": 2}}}}}",
         "{\"x\":[0.0,2.0,4.0]}", NULL},
        {"[{\"@list\": [{\"a\": {\"#INDEX\": {\"of\": \"item\", \"div\": 2, \"as\": \"int32\"}}, \"b\": {\"#INDEX\": "
         "{\"of\": "
         "\"item\", \"as\": \"string\"}}, \"c\": {\"#CYCLE\": [\"p\", \"q\"]}}], \"count\": 3, \"from\": 7}]",
         "[{\"a\":0,\"b\":\"0\",\"c\":\"p\"},{\"a\":0,\"b\":\"1\",\"c\":\"q\"},{\"a\":1,\"b\":\"2\",\"c\":\"p\"}]",
         NULL},
        {"{\"@fields\": {\"count\": 1, \"name\": \"{}\", \"value\": [{\"#INDEX\": {\"of\": \"field\", \"as\": "
         "\"int64\"}}, "
         "{\"#INDEX\": {\"of\": \"field\", \"as\": \"decimal\"}}, {\"#INDEX\": {\"of\": \"field\", \"add\": 5, \"as\": "
         "\"date\"}}]}}",
         "{\"0\":[{\"$numberLong\":\"0\"},{\"$numberDecimal\":\"0\"},{\"$date\":{\"$numberLong\":\"5\"}}]}", NULL},
    };
    EXPECT_ROWS(rows);
}

static void operators_stay_in_operations(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"{\"a\":{\"#RAND_INT\":[0,10,2]},\"b\":{\"#RAND_INT_PLUS_THREAD\":[0,100]},\"c\":[{\"#RAND_STRING\":[8]}]}",
         "{\"a\":{\"#RAND_INT\":[0,10,2]},\"b\":{\"#RAND_INT_PLUS_THREAD\":[0,100]},\"c\":[{\"#RAND_STRING\":[8]}]}",
         NULL},
        {"{\"_id\":{\"#OID\":1},\"d\":{\"#CUR_DATE\":-5},\"e\":{\"#CONCAT\":[{\"#RAND_INT\":[0,{\"#RAND_INT\":[1,2]}]},"
         "\"x\"]}}",
         "{\"_id\":{\"#OID\":1},\"d\":{\"#CUR_DATE\":-5},\"e\":{\"#CONCAT\":[{\"#RAND_INT\":[0,{\"#RAND_INT\":[1,2]}]},"
         "\"x\"]}}",
         NULL},
        {"{\"s\":{\"#SEQ_INT\":{\"seq_id\":0,\"start\":0,\"step\":1,\"unique\":true,\"mod\":100.0}}}",
         "{\"s\":{\"#SEQ_INT\":{\"seq_id\":0,\"start\":0,\"step\":1,\"unique\":true,\"mod\":100.0}}}", NULL},
    };
    EXPECT_ROWS(rows);
}

static void defs_are_used_and_changed(void **state)
{
    (void)state;
    struct loaded loaded =
        load_good("{\"defs\": {\"d\": {\"a\": 1, \"b\": {\"x\": 1}, \"c\": 3}, \"e\": {\"@use\": \"d\", \"c\": 4, "
                  "\"n\": 5}, \"l\": [7, 8],"
                  " \"s\": {\"drop\": {}}, \"splice\": {\"@list\": {\"@use\": \"l\"}, \"count\": 2}},"
                  " \"tests\": [{\"name\": \"T\", \"pre\": [{\"@use\": \"s\"}], \"ops\": [{\"op\": \"insert\", \"doc\":"
                  " {\"p\": {\"@use\": \"e\", \"z\": 6, \"b\": {\"y\": 2}}, \"q\": {\"@use\": \"l\"}, \"r\": "
                  "[{\"@use\": \"splice\"},"
                  " {\"@use\": \"l\"}]}}]}]}");
    expect_json(loaded.set.items[0].pre, "[{\"drop\":{}}]");
    expect_json(json_object_get(json_array_get(loaded.set.items[0].ops, 0), "doc"),
                "{\"p\":{\"a\":1,\"b\":{\"y\":2},\"c\":4,\"n\":5,\"z\":6},\"q\":[7,8],\"r\":[7,8,7,8,[7,8]]}");
    assert_int_equal(loaded.warnings.count, 0);
    release_loaded(&loaded);
}

static void parameters_keep_their_type_or_become_text(void **state)
{
    (void)state;
    struct loaded loaded =
        load_good("{\"tests\": [{\"each\": [[{\"a\": 1, \"b\": 1.0, \"c\": \"${d}!\", \"d\": \"x${a}\", \"e\": [true], "
                  "\"f\": false}],"
                  " [{\"g\": 1}, {\"g\": 2}]], \"test\": {\"name\": \"N.${g}\", \"tags\": [\"${d}\", {\"@list\": "
                  "[\"t{}\"], \"count\": 2}],"
                  " \"ops\": [{\"op\": \"insert\", \"doc\": {\"v\": [\"${a}\", \"${b}\", \"${c}\", \"${e}\", \"${f}\"],"
                  " \"t\": \"${a}/${b}/${f}$$\", \"k${g}\": {\"@string\": [\"${d}\", \"${g}\"]}}}]}}]}");
    assert_int_equal(loaded.set.count, 2);
    assert_string_equal(loaded.set.items[0].name, "N.1");
    assert_string_equal(loaded.set.items[1].name, "N.2");
    assert_int_equal(loaded.set.items[1].tag_count, 3);
    assert_string_equal(loaded.set.items[1].tags[0], "x1");
    assert_string_equal(loaded.set.items[1].tags[2], "t1");
    expect_json(json_object_get(json_array_get(loaded.set.items[1].ops, 0), "doc"),
                "{\"v\":[1,1.0,\"x1!\",[true],false],\"t\":\"1/1.0/false$$\",\"k2\":\"x1x1\"}");
    release_loaded(&loaded);
}

static void steps_and_operations_have_their_fields(void **state)
{
    (void)state;
    struct loaded loaded = load_good(
        "{\"tests\": [{\"name\": \"T\", \"pre\": [{\"create\": {\"capped\": true}}, {\"index\": {\"x\": 1}, "
        "\"options\":"
        " {\"unique\": true}, \"ns\": \"#B_COLL_y\"}, {\"command\": {\"ping\": 1}, \"db\": \"admin\"}, {\"insert\": "
        "[{}],"
        " \"count\": {\"perThread\": 5.0}}], \"post\": [{\"drop\": {}}],"
        " \"ops\": [{\"op\": \"let\", \"target\": \"v\", \"value\": {\"#RAND_INT\": [0, 5]}}, {\"op\": \"update\", "
        "\"ns\":"
        " \"#B_NS\", \"query\": {\"_id\": {\"#VARIABLE\": \"v\"}}, \"update\": {\"$set\": {\"x\": 1}}, \"multi\": "
        "false,"
        " \"upsert\": true, \"delay\": 3.0, \"writeConcern\": {\"j\": false}, \"writeCmd\": true, \"readCmd\": false,"
        " \"safe\": false}]}]}");
    const struct testcase *test = &loaded.set.items[0];
    expect_json(test->pre, "[{\"create\":{\"capped\":true}},{\"index\":{\"x\":1},\"options\":{\"unique\":true},\"ns\":"
                           "\"#B_COLL_y\"},{\"command\":{\"ping\":1},\"db\":\"admin\"},{\"insert\":[{}],\"count\":{"
                           "\"perThread\":5}}]");
    expect_json(test->ops,
                "[{\"op\":\"let\",\"target\":\"v\",\"value\":{\"#RAND_INT\":[0,5]}},{\"op\":\"update\",\"ns\":"
                "\"#B_NS\",\"query\":{\"_id\":{\"#VARIABLE\":\"v\"}},\"update\":{\"$set\":{\"x\":1}},\"multi\":"
                "false,\"upsert\":true,\"delay\":3}]");
    expect_json(test->post, "[{\"drop\":{}}]");
    release_loaded(&loaded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(literals_stay, "literals stay as they are"),
        NAMED_TEST(lists_are_spliced, "@list stands for its elements, in rounds"),
        NAMED_TEST(fields_are_put_in_place, "@fields puts fields in place"),
        NAMED_TEST(texts_and_padding, "@string repeats, @pad fills an operation's document"),
        NAMED_TEST(data_operators_stay_in_documents, "data operators stay in documents, whole"),
        NAMED_TEST(data_operators_are_constants_in_operations, "data operators are constants in operations"),
        NAMED_TEST(operators_stay_in_operations, "operators stay in operations"),
        NAMED_TEST(defs_are_used_and_changed, "@use brings a def, other keys replace its own"),
        NAMED_TEST(parameters_keep_their_type_or_become_text, "a parameter keeps its type or becomes text"),
        NAMED_TEST(steps_and_operations_have_their_fields, "steps and operations keep their fields"),
    };
    return cmocka_run_group_tests_name("testcase_expand", tests, NULL, NULL);
}
