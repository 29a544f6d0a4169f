/* SPDX-License-Identifier: Apache-2.0 */
#include "model/docgen.h"
#include "model/shuffle.h"

#include <stdlib.h>

#include "unit.h"

static const struct ejson_names names = {"test0", "Insert_Empty0"};

static struct docgen *open_docgen(const char *text, json_t **template)
{
    struct error err;
    error_init(&err);
    *template = json_loads(text, JSON_DECODE_ANY, NULL);
    if (!*template)
        fail_msg("bad JSON in the test: %s", text);
    struct docgen *docgen = docgen_new(*template, &names, 7, &err);
    if (!docgen)
        fail_msg("%s: %s", text, err.message);
    return docgen;
}

static void make(struct docgen *docgen, uint64_t index, bson_t *doc)
{
    struct error err;
    error_init(&err);
    bson_init(doc);
    if (!docgen_make(docgen, index, doc, &err))
        fail_msg("%s", err.message);
    assert_true(bson_validate(doc, BSON_VALIDATE_UTF8, NULL));
}

/* Document `index` of a template, as libbson's canonical text, which shows every type. */
static void expect(const char *text, uint64_t index, const char *canonical)
{
    json_t *template;
    struct docgen *docgen = open_docgen(text, &template);
    bson_t doc;
    make(docgen, index, &doc);
    char *got = bson_as_canonical_extended_json(&doc, NULL);
    assert_string_equal(got, canonical);
    bson_free(got);
    bson_destroy(&doc);
    docgen_free(docgen);
    json_decref(template);
}

static void expect_refused(const char *text, const char *part)
{
    struct error err;
    error_init(&err);
    json_t *template = json_loads(text, JSON_DECODE_ANY, NULL);
    assert_non_null(template);
    struct docgen *docgen = docgen_new(template, &names, 7, &err);
    if (docgen) {
        bson_t doc = BSON_INITIALIZER;
        if (docgen_make(docgen, 0, &doc, &err))
            fail_msg("%s: made, expected an error with \"%s\"", text, part);
        bson_destroy(&doc);
        docgen_free(docgen);
    }
    if (!strstr(err.message, part))
        fail_msg("%s: got \"%s\", expected \"%s\" in it", text, err.message, part);
    json_decref(template);
}

static void constants_keep_types_and_order(void **state)
{
    (void)state;
    expect("{\"z\": 1, \"a\": 1.0, \"s\": [\"#B_COLL_x\", {\"k\": null}], \"##h\": \"@@x\"}", 5,
           "{ \"z\" : { \"$numberInt\" : \"1\" }, \"a\" : { \"$numberDouble\" : \"1.0\" }, "
           "\"s\" : [ \"Insert_Empty0_x\", { \"k\" : null } ], \"#h\" : \"@x\" }");
    expect("{}", 3, "{ }");
}

static void index_is_a_double_by_default(void **state)
{
    (void)state;
    expect("{\"_id\": {\"#INDEX\": {}}, \"x\": 0.0, \"d\": {\"y\": [true, {\"#INDEX\": {}}]}}", 41,
           "{ \"_id\" : { \"$numberDouble\" : \"41.0\" }, \"x\" : { \"$numberDouble\" : \"0.0\" }, "
           "\"d\" : { \"y\" : [ true, { \"$numberDouble\" : \"41.0\" } ] } }");
}

static void index_computes_and_converts(void **state)
{
    (void)state;
    expect("{\"a\": {\"#INDEX\": {\"div\": 10, \"mod\": 3, \"mul\": 2, \"add\": 1, \"as\": \"int32\"}},"
           " \"b\": {\"#INDEX\": {\"mul\": 4294967296, \"as\": \"int64\"}},"
           " \"c\": {\"#INDEX\": {\"mul\": 0.25, \"add\": -1, \"as\": \"decimal\"}},"
           " \"d\": {\"#INDEX\": {\"mul\": 1000.0, \"as\": \"date\"}},"
           " \"e\": {\"#INDEX\": {\"as\": \"string\"}},"
           " \"f\": {\"#INDEX\": {\"mul\": {\"#INDEX\": {}}, \"add\": {\"#INDEX\": {\"add\": 1}}}}}",
           57,
           "{ \"a\" : { \"$numberInt\" : \"5\" }, \"b\" : { \"$numberLong\" : \"244813135872\" }, "
           "\"c\" : { \"$numberDecimal\" : \"13.25\" }, \"d\" : { \"$date\" : { \"$numberLong\" : \"57000\" } }, "
           "\"e\" : \"57\", \"f\" : { \"$numberDouble\" : \"3307.0\" } }");
    expect("{\"a\": {\"#INDEX\": {\"mul\": 4611686018427387904, \"as\": \"int64\"}}}", 1,
           "{ \"a\" : { \"$numberLong\" : \"4611686018427387904\" } }");
    expect("{\"a\": {\"#INDEX\": {\"of\": 7, \"mul\": 10, \"add\": {\"#INDEX\": {}}, \"as\": \"int32\"}}}", 3,
           "{ \"a\" : { \"$numberInt\" : \"73\" } }");
    expect_refused("{\"a\": {\"#INDEX\": {\"add\": 2147483648, \"as\": \"int32\"}}}",
                   "document 0: a: the value of #INDEX, 2147483648, does not fit its type");
}

static void cycles_go_by_document(void **state)
{
    (void)state;
    const char *text = "{\"a\": {\"#CYCLE\": [true, {\"#INDEX\": {\"mul\": 3}}, {\"x\": 1}]}}";
    expect(text, 3, "{ \"a\" : true }");
    expect(text, 4, "{ \"a\" : { \"$numberDouble\" : \"12.0\" } }");
    expect(text, 5, "{ \"a\" : { \"x\" : { \"$numberInt\" : \"1\" } } }");
    expect("{\"#CYCLE\": [{\"a\": 1}, {\"b\": {\"#INDEX\": {}}}]}", 3, "{ \"b\" : { \"$numberDouble\" : \"3.0\" } }");
    expect("[{\"a\": 1}, {\"b\": {\"#INDEX\": {}}}]", 3, "{ \"b\" : { \"$numberDouble\" : \"3.0\" } }");
}

static void arrays_count_their_items(void **state)
{
    (void)state;
    expect("{\"a\": {\"#ARRAY\": {\"count\": {\"#INDEX\": {\"mod\": 4}}, \"value\": "
           "{\"#INDEX\": {\"of\": \"item\", \"mul\": -2, \"add\": {\"#INDEX\": {}}, \"as\": \"int32\"}}}}}",
           6, "{ \"a\" : [ { \"$numberInt\" : \"6\" }, { \"$numberInt\" : \"4\" } ] }");
    expect("{\"a\": {\"#ARRAY\": {\"count\": 2, \"value\": {\"#ARRAY\": {\"count\": 2.0, \"value\": "
           "{\"i\": {\"#INDEX\": {\"of\": \"item\", \"as\": \"int32\"}}}}}}}}",
           0,
           "{ \"a\" : [ [ { \"i\" : { \"$numberInt\" : \"0\" } }, { \"i\" : { \"$numberInt\" : \"1\" } } ], "
           "[ { \"i\" : { \"$numberInt\" : \"0\" } }, { \"i\" : { \"$numberInt\" : \"1\" } } ] ] }");
    expect("{\"a\": {\"#ARRAY\": {\"count\": 0, \"value\": 1}}, \"b\": {\"#ARRAY\": {\"count\": 1, \"value\": \"c\"}}}",
           0, "{ \"a\" : [  ], \"b\" : [ \"c\" ] }");
}

static void concat_writes_values_as_the_shell(void **state)
{
    (void)state;
    expect(
        "{\"a\": {\"#CONCAT\": [\"G\", {\"#INDEX\": {\"div\": 100, \"as\": \"int32\"}}, \" \", 1.0, \" \", 2.5, \" \", "
        "true, \" \", 5000000000, \" \", {\"$date\": {\"$numberLong\": \"7\"}}, \" \", 1e300, {\"#CYCLE\": "
        "[\"#B_DB\"]}]}}",
        250, "{ \"a\" : \"G2 1.0 2.5 true 5000000000 new Date(7) 1e+300.0test0\" }");
    expect_refused("{\"a\": {\"#CONCAT\": [\"x\", null]}}", "#CONCAT: expected strings");
}

static void keys_may_hold_the_number_of_the_document(void **state)
{
    (void)state;
    expect("{\"@doc:a_{doc}_{doc}\": 1.0, \"{doc}\": 1, \"b\": {\"@doc:##{doc}\": {\"#INDEX\": {\"as\": \"int32\"}}}}",
           12,
           "{ \"a_12_12\" : { \"$numberDouble\" : \"1.0\" }, \"{doc}\" : { \"$numberInt\" : \"1\" }, \"b\" : { \"#12\" "
           ": { \"$numberInt\" : \"12\" } } }");
}

/* Checks `count` documents {"x": number} of a template against a type and a range; both ends must be met. */
static void check_range(const char *text, bson_type_t type, double low, double last, uint64_t count)
{
    json_t *template;
    struct docgen *docgen = open_docgen(text, &template);
    bool met_low = false, met_last = false;
    double sum = 0;
    for (uint64_t i = 0; i < count; i++) {
        bson_t doc;
        bson_iter_t iter;
        make(docgen, i, &doc);
        assert_true(bson_iter_init_find(&iter, &doc, "x"));
        assert_int_equal(bson_iter_type(&iter), type);
        double x = bson_iter_as_double(&iter);
        assert_true(x >= low && x <= last);
        met_low |= x == low;
        met_last |= x == last;
        sum += x;
        bson_destroy(&doc);
    }
    assert_true(met_low && met_last);
    /* The mean is within six standard errors of the middle. */
    double error = (last - low) / 3.4 / __builtin_sqrt((double)count);
    assert_true(__builtin_fabs(sum / (double)count - (low + last) / 2) < 6 * error);
    docgen_free(docgen);
    json_decref(template);
}

static void random_numbers_fill_their_range(void **state)
{
    (void)state;
    check_range("{\"x\": {\"#RAND_INT\": [-3, 7]}}", BSON_TYPE_INT32, -3, 6, 5000);
    check_range("{\"x\": {\"#RAND_INT\": [0.0, 5.0, 10.0]}}", BSON_TYPE_INT32, 0, 40, 5000);
    check_range("{\"x\": {\"#RAND_INT\": [{\"#RAND_INT\": [-3, -2]}, {\"#INDEX\": {\"mod\": 1, \"add\": 7}}]}}",
                BSON_TYPE_INT32, -3, 6, 5000);
    check_range("{\"x\": {\"#RAND_DOUBLE\": [0, 10, 1.0]}}", BSON_TYPE_DOUBLE, 0, 9, 5000);
    check_range("{\"x\": {\"#RAND_DOUBLE\": [1, 11, 2.0]}}", BSON_TYPE_DOUBLE, 1, 9, 5000);
    check_range("{\"x\": {\"#RAND_DOUBLE\": [0, 1, 0.125]}}", BSON_TYPE_DOUBLE, 0, 0.875, 5000);
    check_range("{\"x\": {\"#RAND_DOUBLE\": [0, 0.3, 0.1]}}", BSON_TYPE_DOUBLE, 0, 0.2, 5000);
    check_range("{\"x\": {\"#RAND_DOUBLE\": [0, 10.5, 1]}}", BSON_TYPE_DOUBLE, 0, 10, 5000);
}

static void random_strings_have_length_and_letters(void **state)
{
    (void)state;
    json_t *template;
    struct docgen *docgen =
        open_docgen("{\"a\": {\"#RAND_STRING\": [2000]}, \"b\": {\"#RAND_STRING\": [500, \"ab\\u00e9\"]}}", &template);
    bson_t doc;
    bson_iter_t iter;
    make(docgen, 3, &doc);
    bson_iter_init_find(&iter, &doc, "a");
    const char *text = bson_iter_utf8(&iter, NULL);
    const char *letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    assert_int_equal(strspn(text, letters), 2000);
    assert_int_equal(strlen(text), 2000);
    for (const char *letter = letters; *letter; letter++)
        assert_non_null(strchr(text, *letter));
    bson_iter_init_find(&iter, &doc, "b");
    text = bson_iter_utf8(&iter, NULL);
    size_t characters = 0;
    for (; *text; text++)
        characters += (*text & 0xc0) != 0x80;
    assert_int_equal(characters, 500);
    bson_destroy(&doc);
    docgen_free(docgen);
    json_decref(template);
}

static void shuffled_numbers_are_a_permutation(void **state)
{
    (void)state;
    for (uint64_t size = 1; size <= 300; size++) {
        bool seen[300] = {false};
        for (uint64_t i = 0; i < size; i++) {
            uint64_t place = shuffle_position(i, size, 99);
            assert_true(place < size && !seen[place]);
            seen[place] = true;
        }
    }
    /* A random permutation of 1000 has one fixed point in the mean, and goes up half of the time. */
    unsigned fixed = 0, ascents = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        fixed += shuffle_position(i, 1000, 5) == i;
        ascents += shuffle_position(i, 1000, 5) < shuffle_position((i + 1) % 1000, 1000, 5);
    }
    assert_true(fixed < 8);
    assert_true(ascents > 440 && ascents < 560);
}

static double number_at(struct docgen *docgen, uint64_t index, const char *key)
{
    bson_t doc;
    bson_iter_t iter;
    make(docgen, index, &doc);
    assert_true(bson_iter_init_find(&iter, &doc, key));
    assert_int_equal(bson_iter_type(&iter), BSON_TYPE_DOUBLE);
    double number = bson_iter_double(&iter);
    bson_destroy(&doc);
    return number;
}

static void shuffled_fields_are_doubles_and_differ(void **state)
{
    (void)state;
    json_t *template;
    struct docgen *docgen =
        open_docgen("{\"a\": {\"#SHUFFLED_INT\": 100}, \"b\": {\"#SHUFFLED_INT\": 100}}", &template);
    double sum = 0;
    int equal = 0;
    for (uint64_t i = 0; i < 100; i++) {
        sum += number_at(docgen, i, "a");
        equal += number_at(docgen, i, "a") == number_at(docgen, i, "b");
    }
    assert_true(sum == 4950);
    assert_true(equal < 10);
    docgen_free(docgen);
    json_decref(template);
}

static void object_ids_are_distinct_and_ascend(void **state)
{
    (void)state;
    json_t *template;
    struct docgen *docgen =
        open_docgen("{\"_id\": {\"#OID\": {}}, \"d\": {\"#OID\": {}}, \"a\": {\"#ARRAY\": {\"count\": 2, "
                    "\"value\": {\"#OID\": 1}}}}",
                    &template);
    bson_oid_t before = {{0}};
    for (uint64_t i = 0xfffffe; i < 0x1000003; i++) {
        bson_t doc;
        bson_iter_t iter, a0, a1;
        make(docgen, i, &doc);
        assert_true(bson_iter_init_find(&iter, &doc, "_id"));
        bson_oid_t oid;
        bson_oid_copy(bson_iter_oid(&iter), &oid);
        assert_true(bson_oid_compare(&before, &oid) < 0);
        assert_true(bson_iter_init_find(&iter, &doc, "d"));
        assert_false(bson_oid_equal(bson_iter_oid(&iter), &oid));
        assert_true(bson_iter_init(&iter, &doc) && bson_iter_find_descendant(&iter, "a.0", &a0));
        assert_true(bson_iter_init(&iter, &doc) && bson_iter_find_descendant(&iter, "a.1", &a1));
        assert_false(bson_oid_equal(bson_iter_oid(&a0), bson_iter_oid(&a1)));
        before = oid;
        bson_destroy(&doc);
    }
    docgen_free(docgen);
    json_decref(template);
}

static void dates_are_now_and_offset(void **state)
{
    (void)state;
    json_t *template;
    struct docgen *docgen =
        open_docgen("{\"a\": {\"#CUR_DATE\": 0.0}, \"b\": {\"#CUR_DATE\": {\"#INDEX\": {\"add\": -1000}}}}", &template);
    bson_t doc;
    bson_iter_t iter;
    make(docgen, 0, &doc);
    assert_true(bson_iter_init_find(&iter, &doc, "a") && BSON_ITER_HOLDS_DATE_TIME(&iter));
    int64_t now = bson_iter_date_time(&iter);
    assert_true(now > INT64_C(1700000000000));
    assert_true(bson_iter_init_find(&iter, &doc, "b"));
    assert_true(bson_iter_date_time(&iter) == now - 1000);
    bson_destroy(&doc);
    docgen_free(docgen);
    json_decref(template);
}

static void pad_makes_the_size_exact(void **state)
{
    (void)state;
    json_t *template;
    struct docgen *docgen =
        open_docgen("{\"_id\": {\"#INDEX\": {}}, \"s\": {\"#CONCAT\": [\"n\", {\"#INDEX\": {\"as\": \"int32\"}}]},"
                    " \"d\": {\"p\": {\"@pad\": {\"to\": 256, \"char\": \"y\"}}, \"q\": 1}}",
                    &template);
    const uint64_t indices[] = {0, 123456, 9, 10, 0};
    for (size_t i = 0; i < 5; i++) {
        bson_t doc;
        make(docgen, indices[i], &doc);
        assert_int_equal(doc.len, 256);
        bson_destroy(&doc);
    }
    docgen_free(docgen);
    json_decref(template);
    expect("{\"p\": {\"@pad\": {\"to\": 16, \"char\": \"z\"}}}", 0, "{ \"p\" : \"zzz\" }");
    expect("{\"p\": {\"@pad\": {\"to\": 13, \"char\": \"z\"}}}", 0, "{ \"p\" : \"\" }");
    expect_refused("{\"p\": {\"@pad\": {\"to\": 12, \"char\": \"z\"}}}", "the document has 13 bytes already");
    expect_refused(
        "{\"p\": {\"@pad\": {\"to\": 99, \"char\": \"z\"}}, \"q\": {\"@pad\": {\"to\": 99, \"char\": \"z\"}}}",
        "@pad: expected at most one");
    expect_refused("{\"p\": {\"@pad\": {\"to\": 16777217, \"char\": \"z\"}}}", "/p/@pad: expected");
}

static const char random_template[] =
    "{\"_id\": {\"#OID\": {}}, \"a\": {\"#RAND_INT\": [0, 1000000]}, \"b\": {\"#RAND_STRING\": [20]}, "
    "\"c\": {\"#RAND_DOUBLE\": [0, 1, 1e-9]}, \"d\": {\"#SHUFFLED_INT\": 1000}, "
    "\"e\": {\"#ARRAY\": {\"count\": {\"#RAND_INT\": [1, 9]}, \"value\": {\"#RAND_INT\": [0, 1000]}}}}";

static void equal_seeds_give_equal_documents_in_any_order(void **state)
{
    (void)state;
    json_t *template;
    struct docgen *first = open_docgen(random_template, &template);
    struct error err;
    error_init(&err);
    struct docgen *again = docgen_new(template, &names, 7, &err);
    struct docgen *other = docgen_new(template, &names, 8, &err);
    bson_t forward[50];
    for (uint64_t i = 0; i < 50; i++)
        make(first, i, &forward[i]);
    for (uint64_t i = 50; i-- > 0;) {
        bson_t same, different;
        make(again, i, &same);
        make(other, i, &different);
        assert_true(bson_equal(&forward[i], &same));
        assert_false(bson_equal(&forward[i], &different));
        assert_true(i == 0 || !bson_equal(&forward[i], &forward[i - 1]));
        bson_destroy(&same);
        bson_destroy(&different);
    }
    for (size_t i = 0; i < 50; i++)
        bson_destroy(&forward[i]);
    docgen_free(first);
    docgen_free(again);
    docgen_free(other);
    json_decref(template);
}

static void documents_over_16_mib_are_refused_with_their_size(void **state)
{
    (void)state;
    /* 5 + (1 + 2 + 4 + n + 1): n = 16777203 is just right. */
    expect_refused("{\"a\": {\"#RAND_STRING\": [16777204, \"x\"]}}",
                   "document 0: it has 16777217 bytes, more than the 16777216 (16 MiB)");
    expect_refused(
        "{\"a\": {\"#ARRAY\": {\"count\": 16000000, \"value\": {\"#ARRAY\": {\"count\": 16000000, \"value\": 1}}}}}",
        "16 MiB");
    json_t *template;
    struct docgen *docgen = open_docgen("{\"a\": {\"#RAND_STRING\": [16777203, \"x\"]}}", &template);
    bson_t doc;
    make(docgen, 0, &doc);
    assert_int_equal(doc.len, 16777216);
    bson_destroy(&doc);
    docgen_free(docgen);
    json_decref(template);
}

static void mistakes_in_arguments_have_their_path(void **state)
{
    (void)state;
    const struct {
        const char *template, *message;
    } cases[] = {
        {"{\"a\": {\"#RAND_IN\": [0, 1]}}", "/a: unknown operator #RAND_IN, did you mean #RAND_INT?"},
        {"{\"a\": {\"#SEQ_INT\": {}}}", "/a: #SEQ_INT works in ops only"},
        {"{\"a\": [0, {\"#RAND_INT\": [1, 1]}]}", "/a/1/#RAND_INT: expected min < max"},
        {"{\"a\": {\"#RAND_INT\": [0, 2147483648]}}", "/a/#RAND_INT: expected min < max, both of 32 bits"},
        {"{\"a\": {\"#RAND_INT\": [0, 100000, 100000]}}", "/a/#RAND_INT: expected min * factor"},
        {"{\"a\": {\"#RAND_INT\": [0, 1.5]}}", "/a/#RAND_INT: expected [min, max]"},
        {"{\"a\": {\"#RAND_INT\": [{\"#INDEX\": {\"add\": 3}}, 3]}}", "document 0: a: #RAND_INT: expected min < max"},
        {"{\"a\": {\"#RAND_INT\": [0, {\"#OID\": 1}]}}", "a: #RAND_INT: expected the operator to give a number"},
        {"{\"a\": {\"#RAND_DOUBLE\": [0, 1]}}", "/a/#RAND_DOUBLE: expected [low, high, step]"},
        {"{\"a\": {\"#RAND_DOUBLE\": [0, 1, 0]}}", "/a/#RAND_DOUBLE: expected low < high, step > 0"},
        {"{\"a\": {\"#RAND_STRING\": [0]}}", "/a/#RAND_STRING: expected a length from 1"},
        {"{\"a\": {\"#RAND_STRING\": [5, \"\"]}}", "/a/#RAND_STRING: expected [length]"},
        {"{\"a\": {\"#SHUFFLED_INT\": 0}}", "/a/#SHUFFLED_INT: expected a whole number from 1"},
        {"{\"a\": {\"#CONCAT\": [\"x\"]}}", "/a/#CONCAT: expected a list of two"},
        {"{\"a\": {\"#CONCAT\": [\"x\", {\"#RAND_INT\": []}]}}", "/a/#CONCAT/1/#RAND_INT: expected"},
        {"{\"a\": {\"#CYCLE\": []}}", "/a/#CYCLE: expected a list"},
        {"{\"#CYCLE\": [{}, {\"x\": {\"#OIDS\": 1}}]}", "/#CYCLE/1/x: unknown operator #OIDS"},
        {"{\"#CYCLE\": [1]}", "/#CYCLE/0: expected a document"},
        {"{\"a\": {\"#ARRAY\": {\"count\": -1, \"value\": 1}}}", "/a/#ARRAY/count: expected a whole number"},
        {"{\"a\": {\"#ARRAY\": {\"count\": {\"#INDEX\": {\"add\": -1}}, \"value\": 1}}}", "#ARRAY: expected a count"},
        {"{\"a\": {\"#ARRAY\": {\"count\": 1, \"value\": {\"#OIDS\": 1}}}}", "/a/#ARRAY/value: unknown operator"},
        {"{\"a\": {\"#INDEX\": {\"of\": \"item\"}}}", "/a/#INDEX/of: \"item\" counts elements of an #ARRAY"},
        {"{\"a\": {\"#INDEX\": {\"div\": 0}}}", "/a/#INDEX/div: expected a whole number from 1"},
        {"{\"a\": {\"#INDEX\": {\"sub\": 0}}}", "/a/#INDEX/sub: unknown key"},
        {"{\"a\": {\"#INDEX\": {\"add\": {\"#INDEX\": {\"as\": \"int\"}}}}}",
         "/a/#INDEX/add/#INDEX/as: expected \"double\""},
        {"{\"a\": {\"#CUR_DATE\": 0.5}}", "/a/#CUR_DATE: expected a whole number of milliseconds"},
        {"[{}, {\"a\": {\"$oid\": \"x\"}}]", "/1/a: expected extended JSON"},
        {"[1]", "/0: expected a document"},
        {"{\"#RAND_INT\": [0, 1]}", "expected a document"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_refused(cases[i].template, cases[i].message);
}

static void check_count(const char *step, unsigned threads, uint64_t expected)
{
    struct error err;
    error_init(&err);
    json_t *json = json_loads(step, 0, NULL);
    uint64_t count = 0;
    if (!docgen_step_count(json, threads, &count, &err))
        fail_msg("%s: %s", step, err.message);
    assert_int_equal(count, expected);
    json_decref(json);
}

static void a_step_says_how_many_documents(void **state)
{
    (void)state;
    check_count("{\"insert\": {}}", 3, 1);
    check_count("{\"insert\": {}, \"count\": 4800}", 3, 4800);
    check_count("{\"insert\": {}, \"count\": {\"perThread\": 100.0}}", 3, 300);
    check_count("{\"insert\": [{}, {}], \"count\": 5}", 3, 10);
    check_count("{\"insert\": []}", 3, 0);
    struct error err;
    error_init(&err);
    uint64_t count;
    json_t *step = json_loads("{\"insert\": {}, \"count\": 1.5}", 0, NULL);
    assert_false(docgen_step_count(step, 1, &count, &err));
    assert_non_null(strstr(err.message, "/count: expected a whole number"));
    json_decref(step);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(constants_keep_types_and_order, "constants keep their types and order"),
        NAMED_TEST(index_is_a_double_by_default, "#INDEX is a double by default"),
        NAMED_TEST(index_computes_and_converts, "#INDEX computes and converts exactly"),
        NAMED_TEST(cycles_go_by_document, "#CYCLE and lists go by document"),
        NAMED_TEST(arrays_count_their_items, "#ARRAY is as long as the document says and counts its items"),
        NAMED_TEST(concat_writes_values_as_the_shell, "#CONCAT writes values as the mongo shell does"),
        NAMED_TEST(keys_may_hold_the_number_of_the_document, "{doc} in a key is the document's number"),
        NAMED_TEST(random_numbers_fill_their_range, "random numbers have their type and fill their range evenly"),
        NAMED_TEST(random_strings_have_length_and_letters, "#RAND_STRING has its length and all of its letters"),
        NAMED_TEST(shuffled_numbers_are_a_permutation, "a shuffle is a permutation and looks random"),
        NAMED_TEST(shuffled_fields_are_doubles_and_differ, "two #SHUFFLED_INT are doubles in different order"),
        NAMED_TEST(object_ids_are_distinct_and_ascend, "#OID is distinct everywhere and ascends with the documents"),
        NAMED_TEST(dates_are_now_and_offset, "#CUR_DATE is now and its offset"),
        NAMED_TEST(pad_makes_the_size_exact, "@pad makes the document's size exact"),
        NAMED_TEST(equal_seeds_give_equal_documents_in_any_order, "equal seeds give equal documents in any order"),
        NAMED_TEST(documents_over_16_mib_are_refused_with_their_size,
                   "a document over 16 MiB is refused with its size"),
        NAMED_TEST(mistakes_in_arguments_have_their_path, "a mistake in an argument is named with its path"),
        NAMED_TEST(a_step_says_how_many_documents, "an insert step says how many documents it makes"),
    };
    return cmocka_run_group_tests_name("docgen", tests, NULL, NULL);
}
