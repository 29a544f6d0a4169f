/* SPDX-License-Identifier: Apache-2.0 */
#include "model/ejson.h"
#include "model/testcase.h"

#include <stdlib.h>

#include "unit.h"

static const struct ejson_names names = {"test0", "Insert_Empty0"};

static bool convert(const char *text, const struct ejson_names *with, bson_t *doc, struct error *err)
{
    json_t *value = json_loads(text, 0, NULL);
    assert_non_null(value);
    bson_init(doc);
    error_init(err);
    bool ok = ejson_append_all(doc, value, with, err);
    json_decref(value);
    return ok;
}

/* libbson's canonical text shows every type. */
static void expect(const char *text, const char *canonical)
{
    bson_t doc;
    struct error err;
    if (!convert(text, &names, &doc, &err))
        fail_msg("%s: %s", text, err.message);
    char *got = bson_as_canonical_extended_json(&doc, NULL);
    assert_string_equal(got, canonical);
    bson_free(got);
    bson_destroy(&doc);
}

static void expect_error(const char *text, const char *part)
{
    bson_t doc;
    struct error err;
    assert_false(convert(text, &names, &doc, &err));
    if (!strstr(err.message, part))
        fail_msg("%s: got \"%s\", expected \"%s\" in it", text, err.message, part);
    bson_destroy(&doc);
}

static void numbers_have_the_smallest_type(void **state)
{
    (void)state;
    expect("{\"a\": 1, \"b\": 1.0, \"c\": 2147483648, \"d\": -2147483648, \"e\": -2147483649, \"f\": 1e3}",
           "{ \"a\" : { \"$numberInt\" : \"1\" }, \"b\" : { \"$numberDouble\" : \"1.0\" }, "
           "\"c\" : { \"$numberLong\" : \"2147483648\" }, \"d\" : { \"$numberInt\" : \"-2147483648\" }, "
           "\"e\" : { \"$numberLong\" : \"-2147483649\" }, \"f\" : { \"$numberDouble\" : \"1000.0\" } }");
}

static void plain_values_and_nesting_keep_their_order(void **state)
{
    (void)state;
    expect("{\"z\": true, \"a\": [null, false, {\"y\": \"s\", \"b\": []}], \"$set\": {\"x\": {}}}",
           "{ \"z\" : true, \"a\" : [ null, false, { \"y\" : \"s\", \"b\" : [  ] } ], \"$set\" : { \"x\" : {  } } }");
}

static void wrappers_become_their_types(void **state)
{
    (void)state;
    expect(
        "{\"o\": {\"$oid\": \"0123456789abcdef01234567\"}, \"d\": {\"$date\": \"1970-01-01T00:00:01Z\"}, "
        "\"l\": {\"$numberLong\": \"5\"}, \"n\": {\"$numberDouble\": \"NaN\"}, \"m\": {\"$numberDecimal\": \"1.5\"}, "
        "\"t\": {\"$timestamp\": {\"t\": 1, \"i\": 2}}, \"k\": {\"$minKey\": 1}, "
        "\"r\": {\"$regularExpression\": {\"pattern\": \"^a\", \"options\": \"i\"}}}",
        "{ \"o\" : { \"$oid\" : \"0123456789abcdef01234567\" }, "
        "\"d\" : { \"$date\" : { \"$numberLong\" : \"1000\" } }, \"l\" : { \"$numberLong\" : \"5\" }, "
        "\"n\" : { \"$numberDouble\" : \"NaN\" }, \"m\" : { \"$numberDecimal\" : \"1.5\" }, "
        "\"t\" : { \"$timestamp\" : { \"t\" : 1, \"i\" : 2 } }, \"k\" : { \"$minKey\" : 1 }, "
        "\"r\" : { \"$regularExpression\" : { \"pattern\" : \"^a\", \"options\" : \"i\" } } }");
    expect("{\"q\": {\"$regex\": \"^a\", \"$options\": \"\"}, \"e\": {\"$exists\": true}}",
           "{ \"q\" : { \"$regex\" : \"^a\", \"$options\" : \"\" }, \"e\" : { \"$exists\" : true } }");
}

static void names_and_escapes_are_resolved(void **state)
{
    (void)state;
    expect("{\"a\": \"#B_COLL_x\", \"b\": \"#B_NS\", \"c\": [\"#B_DB\"], \"d\": \"##B_DB\", \"@@list\": \"@@x\", "
           "\"##k\": \"a#B_DB\"}",
           "{ \"a\" : \"Insert_Empty0_x\", \"b\" : \"test0.Insert_Empty0\", \"c\" : [ \"test0\" ], "
           "\"d\" : \"#B_DB\", \"@list\" : \"@x\", \"#k\" : \"a#B_DB\" }");
    bson_t doc;
    struct error err;
    assert_true(convert("{\"a\": \"#B_DB\", \"b\": \"##x\"}", NULL, &doc, &err));
    char *got = bson_as_canonical_extended_json(&doc, NULL);
    assert_string_equal(got, "{ \"a\" : \"#B_DB\", \"b\" : \"#x\" }");
    bson_free(got);
    bson_destroy(&doc);
}

static void mistakes_are_named_with_their_path(void **state)
{
    (void)state;
    expect_error("{\"a\": [1, {\"b\": {\"#RAND_INT\": [0, 1]}}]}",
                 "/a/1/b: expected a literal, got the operator #RAND_INT");
    expect_error("{\"a\": {\"$oid\": \"xyz\"}}", "/a: expected extended JSON, got {\"$oid\": ..}");
    expect_error("{\"a\": {\"$numberInt\": \"99999999999\"}}", "/a: expected extended JSON");
    expect_error("{\"a\": {\"$date\": \"1970-01-01T00:00:01Z\", \"x\": 1}}", "/a: expected extended JSON");
    expect_error("{\"a\": {\"$numberDecimal\": \"1,5\"}}", "/a: expected extended JSON");
    expect_error("{\"a\": {\"$numberDouble\": \"one\"}}", "/a: expected extended JSON");
}

static void operators_are_recognised_by_their_only_key(void **state)
{
    (void)state;
    const struct {
        const char *text;
        const char *name;
    } rows[] = {{"{\"#OID\": 1}", "#OID"},
                {"{\"##OID\": 1}", NULL},
                {"{\"#OID\": 1, \"a\": 1}", NULL},
                {"{\"a\": 1}", NULL},
                {"{}", NULL},
                {"[\"#OID\"]", NULL},
                {"{\"#B_COLL\": 1}", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *value = json_loads(rows[i].text, 0, NULL);
        const json_t *argument = NULL;
        const char *name = ejson_operator(value, &argument);
        assert_int_equal(name != NULL, rows[i].name != NULL);
        if (name) {
            assert_string_equal(name, rows[i].name);
            assert_int_equal(json_integer_value(argument), 1);
        }
        json_decref(value);
    }
}

static void collections_are_named_after_the_test(void **state)
{
    (void)state;
    char *name = testcase_collection_name("Update.DocValidation.OneNum", 12);
    assert_string_equal(name, "Update_DocValidation_OneNum12");
    free(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(numbers_have_the_smallest_type, "1 is int32, int64 if it does not fit, 1.0 is double"),
        NAMED_TEST(plain_values_and_nesting_keep_their_order, "plain values, nesting and key order are kept"),
        NAMED_TEST(wrappers_become_their_types, "extended JSON wrappers become their types"),
        NAMED_TEST(names_and_escapes_are_resolved, "#B_ names and the doubled # and @ are resolved"),
        NAMED_TEST(mistakes_are_named_with_their_path, "mistakes are named with their path"),
        NAMED_TEST(operators_are_recognised_by_their_only_key, "an operator is the only key of its object"),
        NAMED_TEST(collections_are_named_after_the_test, "a collection is named after its test"),
    };
    return cmocka_run_group_tests_name("ejson", tests, NULL, NULL);
}
