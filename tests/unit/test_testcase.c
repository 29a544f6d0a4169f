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

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(the_example_expands_to_what_mongo_perf_sends,
                   "the dv_update example expands to what mongo-perf sends"),
    };
    return cmocka_run_group_tests_name("testcase", tests, NULL, NULL);
}
