/* SPDX-License-Identifier: Apache-2.0 */
#include "testcase_check.h"

/* The example of the language's description. */
static const char dv_update[] =
    "{\"defs\": {\"rule\": [{\"{letters}\": {\"$exists\": true}}, {\"{letters}\": {\"$type\": 1.0}}]},\n"
    " \"tests\": [\n"
    "  {\"each\": [[{\"W\": \"One\", \"n\": 1, \"head\": 1, \"again\": 0, \"tail\": 0},\n"
    "             {\"W\": \"Ten\", \"n\": 10, \"head\": 8, \"again\": 1, \"tail\": 2},\n"
    "             {\"W\": \"Twenty\", \"n\": 20, \"head\": 8, \"again\": 1, \"tail\": 12}],\n"
    "            [{\"S\": \".Compare\", \"tag\": \"compare\", \"create\": []},\n"
    "             {\"S\": \"\", \"tag\": \"regression\",\n"
    "              \"create\": [{\"create\": {\"validator\": {\"$and\": [{\"@list\": {\"@use\": \"rule\"}, \"count\": "
    "\"${head}\"},\n"
    "                                                            {\"@list\": {\"@use\": \"rule\"}, \"count\": "
    "\"${again}\"},\n"
    "                                                            {\"@list\": {\"@use\": \"rule\"}, \"count\": "
    "\"${tail}\", \"from\": 8}]}}}]}]],\n"
    "   \"test\": {\"name\": \"Update.DocValidation.${W}Num${S}\", \"tags\": [\"update\", \"DocValidation\", "
    "\"${tag}\"],\n"
    "            \"pre\": [{\"drop\": {}}, {\"@list\": \"${create}\"},\n"
    "                    {\"insert\": {\"_id\": {\"#INDEX\": {}}, \"@fields\": {\"count\": \"${n}\", \"name\": "
    "\"{letters}\", \"value\": 0.0}}, \"count\": 4800}],\n"
    "            \"ops\": [{\"op\": \"update\", \"query\": {\"_id\": {\"#RAND_INT_PLUS_THREAD\": [0, 100]}},\n"
    "                     \"update\": {\"$inc\": {\"@fields\": {\"count\": \"${n}\", \"name\": \"{letters}\", "
    "\"value\": 1.0}}}}]}}]}\n";

#define INDEX "{\"#INDEX\":{\"of\":\"doc\",\"div\":1,\"mod\":0,\"mul\":1.0,\"add\":0.0,\"as\":\"double\"}}"
#define RULE(letter) "{\"" letter "\":{\"$exists\":true}},{\"" letter "\":{\"$type\":1.0}}"
#define ONE_TO_TEN(v)                                                                                                  \
    "\"a\":" v ",\"b\":" v ",\"c\":" v ",\"d\":" v ",\"e\":" v ",\"f\":" v ",\"g\":" v ",\"h\":" v ",\"i\":" v         \
    ",\"j\":" v
#define TEN_TO_TWENTY(v)                                                                                               \
    ",\"k\":" v ",\"l\":" v ",\"m\":" v ",\"n\":" v ",\"o\":" v ",\"p\":" v ",\"q\":" v ",\"r\":" v ",\"s\":" v        \
    ",\"t\":" v
#define EIGHT_RULES                                                                                                    \
    RULE("a") "," RULE("b") "," RULE("c") "," RULE("d") "," RULE("e") "," RULE("f") "," RULE("g") "," RULE("h")
#define TWELVE_RULES                                                                                                   \
    RULE("i")                                                                                                          \
    "," RULE("j") "," RULE("k") "," RULE("l") "," RULE("m") "," RULE("n") "," RULE("o") "," RULE("p") "," RULE(        \
        "q") "," RULE("r") "," RULE("s") "," RULE("t")
#define CREATE(rules) "{\"create\":{\"validator\":{\"$and\":[" rules "]}}},"
#define PRE(create, fields) "[{\"drop\":{}}," create "{\"insert\":{\"_id\":" INDEX "," fields "},\"count\":4800}]"
#define OPS(fields)                                                                                                    \
    "[{\"op\":\"update\",\"query\":{\"_id\":{\"#RAND_INT_PLUS_THREAD\":[0,100]}},\"update\":{\"$inc\":{" fields "}}}]"

static void the_example_expands_to_what_mongo_perf_sends(void **state)
{
    (void)state;
    static const struct {
        const char *name, *tag, *pre, *ops;
    } expected[] = {
        {"Update.DocValidation.OneNum.Compare", "compare", PRE("", "\"a\":0.0"), OPS("\"a\":1.0")},
        {"Update.DocValidation.OneNum", "regression", PRE(CREATE(RULE("a")), "\"a\":0.0"), OPS("\"a\":1.0")},
        {"Update.DocValidation.TenNum.Compare", "compare", PRE("", ONE_TO_TEN("0.0")), OPS(ONE_TO_TEN("1.0"))},
        {"Update.DocValidation.TenNum", "regression",
         PRE(CREATE(EIGHT_RULES "," RULE("a") "," RULE("i") "," RULE("j")), ONE_TO_TEN("0.0")), OPS(ONE_TO_TEN("1.0"))},
        {"Update.DocValidation.TwentyNum.Compare", "compare", PRE("", ONE_TO_TEN("0.0") TEN_TO_TWENTY("0.0")),
         OPS(ONE_TO_TEN("1.0") TEN_TO_TWENTY("1.0"))},
        {"Update.DocValidation.TwentyNum", "regression",
         PRE(CREATE(EIGHT_RULES "," RULE("a") "," TWELVE_RULES), ONE_TO_TEN("0.0") TEN_TO_TWENTY("0.0")),
         OPS(ONE_TO_TEN("1.0") TEN_TO_TWENTY("1.0"))},
    };
    struct loaded loaded = load_good(dv_update);
    assert_int_equal(loaded.warnings.count, 0);
    assert_int_equal(loaded.set.count, 6);
    for (size_t i = 0; i < 6; i++) {
        const struct testcase *test = &loaded.set.items[i];
        assert_string_equal(test->name, expected[i].name);
        assert_int_equal(test->tag_count, 3);
        assert_string_equal(test->tags[0], "update");
        assert_string_equal(test->tags[2], expected[i].tag);
        assert_int_equal(test->line, 11);
        expect_json(test->pre, expected[i].pre);
        expect_json(test->ops, expected[i].ops);
        expect_json(test->post, "[]");
    }
    release_loaded(&loaded);
}

#define ONE(name, doc) "{\"name\": \"" name "\", \"ops\": [{\"op\": \"insert\", \"doc\": " doc "}]}"
#define FILE_OF(tests) "{\"tests\": [" tests "]}"

static void a_byte_order_mark_is_skipped(void **state)
{
    (void)state;
    struct loaded loaded = load_good("\xEF\xBB\xBF{\"tests\": [" ONE("A", "{\"x\": 1}") "]}");
    assert_int_equal(loaded.set.count, 1);
    release_loaded(&loaded);
}

static void a_seed_changes_constants_only(void **state)
{
    (void)state;
    static const char text[] =
        FILE_OF(ONE("A", "{\"x\": {\"#ARRAY\": {\"count\": 20, \"value\": {\"#RAND_DOUBLE\": [0, 1000, 1]}}}}") "," ONE(
            "B", "{\"x\": {\"#ARRAY\": {\"count\": 20, \"value\": {\"#SHUFFLED_INT\": 20}}}}"));
    struct loaded one = load_text(text, 1), again = load_text(text, 1), two = load_text(text, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_true(json_equal(one.set.items[i].ops, again.set.items[i].ops));
        assert_false(json_equal(one.set.items[i].ops, two.set.items[i].ops));
        assert_string_equal(one.set.items[i].fingerprint, two.set.items[i].fingerprint);
    }
    /* What else is in the file changes nothing. */
    struct loaded alone =
        load_text(FILE_OF(ONE("B", "{\"x\": {\"#ARRAY\": {\"count\": 20, \"value\": {\"#SHUFFLED_INT\": 20}}}}")), 1);
    assert_true(json_equal(one.set.items[1].ops, alone.set.items[0].ops));
    release_loaded(&one);
    release_loaded(&again);
    release_loaded(&two);
    release_loaded(&alone);
}

static void fingerprints_tell_definitions_apart(void **state)
{
    (void)state;
    struct loaded loaded = load_good("{\"defs\": {\"one\": 1}, \"tests\": [" ONE("A", "{\"x\": 1}") "," ONE(
        "B", "{\"x\": 1.0}") "," ONE("C", "{\"x\":   {\"@use\": \"one\"}}") "]}");
    assert_int_equal(strlen(loaded.set.items[0].fingerprint), 16);
    assert_string_not_equal(loaded.set.items[0].fingerprint, loaded.set.items[1].fingerprint);
    assert_string_equal(loaded.set.items[0].fingerprint, loaded.set.items[2].fingerprint);
    release_loaded(&loaded);
}

static void a_mongoebench_file_is_taken_as_it_is(void **state)
{
    (void)state;
    struct loaded loaded = load_good(
        "{\"pre\": [{\"op\": \"command\", \"ns\": \"test0\", \"command\": {\"insert\": \"c\", \"documents\": "
        "[{\"@use\": "
        "\"${x}\"}]}}], \"ops\": [{\"op\": \"insert\", \"ns\": \"test0.c\", \"doc\": {\"a\": \"#B_DB\", \"b\": "
        "{\"#RAND_INT\": [0, 5]}}, \"writeCmd\": true, \"readCmd\": true}]}");
    const struct testcase *test = &loaded.set.items[0];
    assert_string_equal(test->name, "x");
    assert_int_equal(test->tag_count, 0);
    expect_json(test->pre, "[{\"command\":{\"insert\":\"c\",\"documents\":[{\"@@use\":\"${x}\"}]},\"db\":\"test0\"}]");
    expect_json(test->ops,
                "[{\"op\":\"insert\",\"ns\":\"test0.c\",\"doc\":{\"a\":\"##B_DB\",\"b\":{\"#RAND_INT\":[0,5]}}}]");
    release_loaded(&loaded);
}

/* A definition with "%s" wherever a comment may stand. */
static const char commented[] =
    "{%s\"defs\": {%s\"inc\": {%s\"op\": \"update\", \"update\": {%s\"$inc\": {\"x\": 1.0}}}},\n"
    " \"tests\": [\n"
    "  {%s\"each\": [[{%s\"n\": 1}, {%s\"n\": 2}], [{%s\"m\": 3}]],\n"
    "   \"test\": {%s\"name\": \"T${n}${m}\",\n"
    "            \"pre\": [{%s\"drop\": {}}, {%s\"insert\": {%s\"comment\": \"kept\", \"@@comment\": \"kept\",\n"
    "                     \"_id\": {%s\"#OID\": 1}, \"at\": {%s\"$date\": \"2017-08-02T00:00:00Z\"},\n"
    "                     \"@fields\": {%s\"count\": 2, \"name\": \"f{}\", \"value\": {%s\"@string\": [\"x\", 3]}}}},\n"
    "                    {%s\"@list\": [{\"index\": {\"x\": 1}}]}],\n"
    "            \"ops\": [{%s\"@use\": \"inc\"}]}}]}";

/* The caller frees. */
static char *with_comments(const char *comment)
{
    struct buffer text = {0};
    for (const char *at = commented; *at; at++) {
        bool is_place = at[0] == '%';
        buffer_append(&text, is_place ? comment : at, is_place ? strlen(comment) : 1);
        at += is_place;
    }
    char *copy = memory_strdup(buffer_text(&text));
    buffer_release(&text);
    return copy;
}

static void comments_change_nothing(void **state)
{
    (void)state;
    static const char *const comments[] = {"\"@comment\": \"why\", ",
                                           "\"@comment\": [\"one line\", \"and another\"], "};
    char *bare = with_comments("");
    struct loaded without = load_good(bare);
    assert_int_equal(without.set.count, 2);
    for (size_t i = 0; i < 2; i++) {
        char *text = with_comments(comments[i]);
        struct loaded loaded = load_good(text);
        expect_messages(text, &loaded.warnings, "");
        assert_int_equal(loaded.set.count, 2);
        for (size_t k = 0; k < 2; k++) {
            assert_true(json_equal(loaded.set.items[k].pre, without.set.items[k].pre));
            assert_true(json_equal(loaded.set.items[k].ops, without.set.items[k].ops));
            assert_string_equal(loaded.set.items[k].fingerprint, without.set.items[k].fingerprint);
            assert_int_equal(loaded.set.items[k].line, without.set.items[k].line);
        }
        release_loaded(&loaded);
        free(text);
    }
    const json_t *document = json_object_get(json_array_get(without.set.items[0].pre, 1), "insert");
    assert_string_equal(json_string_value(json_object_get(document, "comment")), "kept");
    assert_string_equal(json_string_value(json_object_get(document, "@@comment")), "kept");
    release_loaded(&without);
    free(bare);
}

static void a_file_may_name_its_schema(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"$schema\": \"../schema/testcase.schema.json\", \"tests\": [" ONE("A", "{}") "]}",
        "{\"$schema\": \"testcase.schema.json\", \"ops\": [{\"op\": \"insert\", \"doc\": {\"@comment\": 1}}]}",
    };
    for (size_t i = 0; i < 2; i++) {
        struct loaded loaded = load_good(texts[i]);
        expect_messages(texts[i], &loaded.warnings, "");
        expect_json(loaded.set.items[0].ops,
                    i == 0 ? "[{\"op\":\"insert\",\"doc\":{}}]" : "[{\"op\":\"insert\",\"doc\":{\"@@comment\":1}}]");
        release_loaded(&loaded);
    }
}

/* On each kind of step, and on an entry of a mongoebench file. */
static void a_step_may_fail(void **state)
{
    (void)state;
    struct loaded loaded =
        load_good("{\"defs\": {\"codes\": [17280, 5.0]}, \"tests\": [{\"name\": \"T\", \"ops\": [{\"op\": \"insert\", "
                  "\"doc\": {}}], "
                  "\"pre\": [{\"drop\": {}, \"mayFail\": [26]}, {\"create\": {}, \"mayFail\": [48]}, "
                  "{\"index\": {\"a\": 1}, \"mayFail\": {\"@use\": \"codes\"}}, {\"insert\": {}, \"mayFail\": [121]}, "
                  "{\"command\": {\"ping\": 1}, \"mayFail\": [{\"@list\": [1, 2]}]}]}]}");
    expect_json(loaded.set.items[0].pre,
                "[{\"drop\":{},\"mayFail\":[26]},{\"create\":{},\"mayFail\":[48]},"
                "{\"index\":{\"a\":1},\"mayFail\":[17280,5]},{\"insert\":{},\"mayFail\":[121]},"
                "{\"command\":{\"ping\":1},\"mayFail\":[1,2]}]");
    release_loaded(&loaded);
    loaded = load_good(
        "{\"pre\": [{\"op\": \"command\", \"ns\": \"test0\", \"command\": {\"drop\": \"c\"}, \"mayFail\": [26]}], "
        "\"ops\": [{\"op\": \"insert\", \"ns\": \"test0.c\", \"doc\": {}}]}");
    expect_json(loaded.set.items[0].pre, "[{\"command\":{\"drop\":\"c\"},\"db\":\"test0\",\"mayFail\":[26]}]");
    release_loaded(&loaded);
}

static void equal_names_in_one_file_are_a_warning(void **state)
{
    (void)state;
    static const char text[] = FILE_OF(ONE("A", "{}") ",\n" ONE("A", "{\"x\": 1}"));
    struct loaded loaded = load_good(text);
    expect_messages(text, &loaded.warnings,
                    "x.json:2: /tests/1: a second test \"A\" (the first is in line 1); both run, in this order\n");
    assert_int_equal(loaded.set.count, 2);
    expect_json(json_object_get(json_array_get(loaded.set.items[0].ops, 0), "doc"), "{}");
    assert_true(testcase_set_check_names(&loaded.set, &loaded.errors));
    release_loaded(&loaded);
}

static void equal_names_in_two_files_are_an_error(void **state)
{
    (void)state;
    static const char text[] = FILE_OF(ONE("A", "{}"));
    struct loaded loaded = load_good(text);
    assert_true(
        testcase_set_load_bytes(&loaded.set, "y.json", text, strlen(text), 1, &loaded.errors, &loaded.warnings));
    assert_false(testcase_set_check_names(&loaded.set, &loaded.errors));
    expect_messages(text, &loaded.errors,
                    "y.json:1: the test \"A\" is also in x.json:1; a name stands for tests of one file\n");
    release_loaded(&loaded);
}

static void a_bad_file_leaves_the_set_as_it_was(void **state)
{
    (void)state;
    static const char bad[] = FILE_OF(ONE("B", "{}") "," ONE("C", "3"));
    struct loaded loaded = load_good(FILE_OF(ONE("A", "{}")));
    assert_false(testcase_set_load_bytes(&loaded.set, "y.json", bad, strlen(bad), 1, &loaded.errors, &loaded.warnings));
    assert_int_equal(loaded.set.count, 1);
    assert_string_equal(loaded.set.items[0].name, "A");
    release_loaded(&loaded);
}

static void javascript_files_are_pointed_to_ours(void **state)
{
    (void)state;
    struct loaded loaded = load_good(FILE_OF(ONE("A", "{}")));
    assert_false(testcase_set_load(&loaded.set, "nowhere/simple_insert.js", 1, &loaded.errors, &loaded.warnings));
    expect_messages("simple_insert.js", &loaded.errors,
                    "nowhere/simple_insert.js is a mongo-perf JavaScript file; benchrun reads definitions in JSON\n");
    assert_true(testcase_set_load(&loaded.set, "x.json", 1, &loaded.errors, &loaded.warnings));
    expect_messages("x.json", &loaded.warnings, "x.json: named twice, read once\n");
    release_loaded(&loaded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(the_example_expands_to_what_mongo_perf_sends,
                   "the dv_update example expands to what mongo-perf sends"),
        NAMED_TEST(a_byte_order_mark_is_skipped, "a byte order mark before the text is skipped"),
        NAMED_TEST(a_seed_changes_constants_only, "a seed changes constants, not fingerprints"),
        NAMED_TEST(fingerprints_tell_definitions_apart, "fingerprints tell 1 from 1.0 and see through @use"),
        NAMED_TEST(a_mongoebench_file_is_taken_as_it_is, "a mongoebench file is taken as it is"),
        NAMED_TEST(comments_change_nothing, "comments change nothing, wherever they stand"),
        NAMED_TEST(a_file_may_name_its_schema, "a file may name its schema; in mongoebench's nothing is a comment"),
        NAMED_TEST(a_step_may_fail, "a step may be refused with the codes that it names"),
        NAMED_TEST(equal_names_in_one_file_are_a_warning, "equal names in one file are a warning"),
        NAMED_TEST(equal_names_in_two_files_are_an_error, "equal names in two files are an error that names both"),
        NAMED_TEST(a_bad_file_leaves_the_set_as_it_was, "a bad file leaves the set as it was"),
        NAMED_TEST(javascript_files_are_pointed_to_ours, "a JavaScript file is pointed to ours"),
    };
    return cmocka_run_group_tests_name("testcase", tests, NULL, NULL);
}
