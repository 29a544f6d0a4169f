/* SPDX-License-Identifier: Apache-2.0 */
#include "model/docgen.h"
#include "model/shuffle.h"

#include <stdlib.h>

#include "testcase_check.h"

static const struct ejson_names names = {"test0", "Insert_Empty0"};

/* The template of an insert step, as the loader leaves it. */
static struct docgen *open_docgen(const char *text, struct loaded *loaded)
{
    char *definition = memory_printf("{\"tests\": [{\"name\": \"T\", \"tags\": [\"t\"], \"pre\": [{\"insert\": %s}], "
                                     "\"ops\": [{\"op\": \"insert\", \"doc\": {}}]}]}",
                                     text);
    *loaded = load_good(definition);
    free(definition);
    return docgen_new(json_object_get(json_array_get(loaded->set.items[0].pre, 0), "insert"), &names, 7);
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
    struct loaded loaded;
    struct docgen *docgen = open_docgen(text, &loaded);
    bson_t doc;
    make(docgen, index, &doc);
    char *got = bson_as_canonical_extended_json(&doc, NULL);
    assert_string_equal(got, canonical);
    bson_free(got);
    bson_destroy(&doc);
    docgen_free(docgen);
    release_loaded(&loaded);
}

/* Document 0 of a template that the loader takes. */
static void expect_refused(const char *text, const char *part)
{
    struct error err;
    error_init(&err);
    struct loaded loaded;
    struct docgen *docgen = open_docgen(text, &loaded);
    bson_t doc = BSON_INITIALIZER;
    if (docgen_make(docgen, 0, &doc, &err))
        fail_msg("%s: made, expected an error with \"%s\"", text, part);
    if (!strstr(err.message, part))
        fail_msg("%s: got \"%s\", expected \"%s\" in it", text, err.message, part);
    bson_destroy(&doc);
    docgen_free(docgen);
    release_loaded(&loaded);
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
    expect("{\"a\": {\"#INDEX\": {\"mul\": 0, \"add\": 9007199254740993, \"as\": \"int64\"}}}", 1,
           "{ \"a\" : { \"$numberLong\" : \"9007199254740993\" } }");
    expect("{\"@fields\": {\"count\": 2, \"name\": \"f{}\", \"value\": {\"#INDEX\": {\"of\": \"field\", \"mul\": 10, "
           "\"add\": {\"#INDEX\": {}}, \"as\": \"int32\"}}}}",
           3, "{ \"f0\" : { \"$numberInt\" : \"3\" }, \"f1\" : { \"$numberInt\" : \"13\" } }");
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
}

static void keys_may_hold_the_number_of_the_document(void **state)
{
    (void)state;
    expect("{\"@fields\": {\"count\": 1, \"name\": \"a_{doc}_{doc}_{}\", \"value\": 1.0}, \"{doc}\": 1, \"b\": "
           "{\"@fields\": "
           "{\"count\": 1, \"name\": \"##{doc}\", \"value\": {\"#INDEX\": {\"as\": \"int32\"}}}}}",
           12,
           "{ \"a_12_12_0\" : { \"$numberDouble\" : \"1.0\" }, \"{doc}\" : { \"$numberInt\" : \"1\" }, \"b\" : { "
           "\"#12\" : { \"$numberInt\" : \"12\" } } }");
}

/* Checks `count` documents {"x": number} of a template against a type and a range; both ends must be met. */
static void check_range(const char *text, bson_type_t type, double low, double last, uint64_t count)
{
    struct loaded loaded;
    struct docgen *docgen = open_docgen(text, &loaded);
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
    release_loaded(&loaded);
}

static void random_numbers_fill_their_range(void **state)
{
    (void)state;
    check_range("{\"x\": {\"#RAND_INT\": [-3, 7]}}", BSON_TYPE_INT32, -3, 6, 5000);
    check_range("{\"x\": {\"#RAND_INT\": [0.0, 5.0, 10.0]}}", BSON_TYPE_INT32, 0, 40, 5000);
    check_range("{\"x\": {\"#RAND_INT\": [{\"#RAND_INT\": [-3, -2]}, {\"#RAND_INT\": [7, 8]}]}}", BSON_TYPE_INT32, -3,
                6, 5000);
    check_range("{\"x\": {\"#RAND_INT\": [2, 4, 2000000000]}}", BSON_TYPE_INT64, 4e9, 6e9, 100);
    check_range("{\"x\": {\"#RAND_DOUBLE\": [0, 10, 1.0]}}", BSON_TYPE_DOUBLE, 0, 9, 5000);
    check_range("{\"x\": {\"#RAND_DOUBLE\": [1, 11, 2.0]}}", BSON_TYPE_DOUBLE, 1, 9, 5000);
    check_range("{\"x\": {\"#RAND_DOUBLE\": [0, 1, 0.125]}}", BSON_TYPE_DOUBLE, 0, 0.875, 5000);
    check_range("{\"x\": {\"#RAND_DOUBLE\": [0, 0.3, 0.1]}}", BSON_TYPE_DOUBLE, 0, 0.2, 5000);
    check_range("{\"x\": {\"#RAND_DOUBLE\": [0, 10.5, 1]}}", BSON_TYPE_DOUBLE, 0, 10, 5000);
}

static void random_strings_have_length_and_letters(void **state)
{
    (void)state;
    struct loaded loaded;
    struct docgen *docgen =
        open_docgen("{\"a\": {\"#RAND_STRING\": [2000]}, \"b\": {\"#RAND_STRING\": [500, \"abc\"]}}", &loaded);
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
    assert_int_equal(strspn(text, "abc"), 500);
    assert_int_equal(strlen(text), 500);
    bson_destroy(&doc);
    docgen_free(docgen);
    release_loaded(&loaded);
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
    struct loaded loaded;
    struct docgen *docgen = open_docgen("{\"a\": {\"#SHUFFLED_INT\": 100}, \"b\": {\"#SHUFFLED_INT\": 100}}", &loaded);
    double sum = 0;
    int equal = 0;
    for (uint64_t i = 0; i < 100; i++) {
        sum += number_at(docgen, i, "a");
        equal += number_at(docgen, i, "a") == number_at(docgen, i, "b");
    }
    assert_true(sum == 4950);
    assert_true(equal < 10);
    docgen_free(docgen);
    release_loaded(&loaded);
}

static void object_ids_are_distinct_and_ascend(void **state)
{
    (void)state;
    struct loaded loaded;
    struct docgen *docgen =
        open_docgen("{\"_id\": {\"#OID\": {}}, \"d\": {\"_id\": {\"#OID\": {}}}, \"a\": {\"#ARRAY\": {\"count\": 2, "
                    "\"value\": {\"_id\": {\"#OID\": 1}}}}}",
                    &loaded);
    bson_oid_t before = {{0}};
    for (uint64_t i = 0xfffffe; i < 0x1000003; i++) {
        bson_t doc;
        bson_iter_t iter, a0, a1;
        make(docgen, i, &doc);
        assert_true(bson_iter_init_find(&iter, &doc, "_id"));
        bson_oid_t oid;
        bson_oid_copy(bson_iter_oid(&iter), &oid);
        assert_true(bson_oid_compare(&before, &oid) < 0);
        assert_true(bson_iter_init(&iter, &doc) && bson_iter_find_descendant(&iter, "d._id", &a0));
        assert_false(bson_oid_equal(bson_iter_oid(&a0), &oid));
        assert_true(bson_iter_init(&iter, &doc) && bson_iter_find_descendant(&iter, "a.0._id", &a0));
        assert_true(bson_iter_init(&iter, &doc) && bson_iter_find_descendant(&iter, "a.1._id", &a1));
        assert_false(bson_oid_equal(bson_iter_oid(&a0), bson_iter_oid(&a1)));
        before = oid;
        bson_destroy(&doc);
    }
    docgen_free(docgen);
    release_loaded(&loaded);
}

static void dates_are_now_and_offset(void **state)
{
    (void)state;
    struct loaded loaded;
    struct docgen *docgen =
        open_docgen("{\"a\": {\"#CUR_DATE\": 0.0}, \"b\": {\"#CUR_DATE\": {\"#RAND_INT\": [-1000, -999]}}}", &loaded);
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
    release_loaded(&loaded);
}

static void pad_makes_the_size_exact(void **state)
{
    (void)state;
    struct loaded loaded;
    struct docgen *docgen =
        open_docgen("{\"_id\": {\"#INDEX\": {}}, \"s\": {\"#CONCAT\": [\"n\", {\"#INDEX\": {\"as\": \"int32\"}}]},"
                    " \"d\": {\"p\": {\"@pad\": {\"to\": 256, \"char\": \"y\"}}, \"q\": 1}}",
                    &loaded);
    const uint64_t indices[] = {0, 123456, 9, 10, 0};
    for (size_t i = 0; i < 5; i++) {
        bson_t doc;
        make(docgen, indices[i], &doc);
        assert_int_equal(doc.len, 256);
        bson_destroy(&doc);
    }
    docgen_free(docgen);
    release_loaded(&loaded);
    expect("{\"p\": {\"@pad\": {\"to\": 16, \"char\": \"z\"}}}", 0, "{ \"p\" : \"zzz\" }");
    expect("{\"p\": {\"@pad\": {\"to\": 13, \"char\": \"z\"}}}", 0, "{ \"p\" : \"\" }");
    expect_refused("{\"p\": {\"@pad\": {\"to\": 12, \"char\": \"z\"}}}", "the document has 13 bytes already");
}

static const char random_template[] =
    "{\"_id\": {\"#OID\": {}}, \"a\": {\"#RAND_INT\": [0, 1000000]}, \"b\": {\"#RAND_STRING\": [20]}, "
    "\"c\": {\"#RAND_DOUBLE\": [0, 1, 1e-9]}, \"d\": {\"#SHUFFLED_INT\": 1000}, "
    "\"e\": {\"#ARRAY\": {\"count\": {\"#RAND_INT\": [1, 9]}, \"value\": {\"#RAND_INT\": [0, 1000]}}}}";

static void equal_seeds_give_equal_documents_in_any_order(void **state)
{
    (void)state;
    struct loaded loaded;
    struct docgen *first = open_docgen(random_template, &loaded);
    const json_t *template = json_object_get(json_array_get(loaded.set.items[0].pre, 0), "insert");
    struct docgen *again = docgen_new(template, &names, 7);
    struct docgen *other = docgen_new(template, &names, 8);
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
    release_loaded(&loaded);
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
    struct loaded loaded;
    struct docgen *docgen = open_docgen("{\"a\": {\"#RAND_STRING\": [16777203, \"x\"]}}", &loaded);
    bson_t doc;
    make(docgen, 0, &doc);
    assert_int_equal(doc.len, 16777216);
    bson_destroy(&doc);
    docgen_free(docgen);
    release_loaded(&loaded);
}

static void what_only_a_document_shows_is_refused(void **state)
{
    (void)state;
    expect_refused("{\"a\": {\"#ARRAY\": {\"count\": {\"#INDEX\": {\"add\": -1}}, \"value\": 1}}}",
                   "#ARRAY: expected a count");
    expect_refused("{\"a\": {\"#INDEX\": {\"add\": 3e9, \"as\": \"int32\"}}}",
                   "a: the value of #INDEX, 3000000000, does not fit its type");
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
    json_t *step = json_loads("{\"insert\": [{}, {}], \"count\": {\"perThread\": 10000000000}}", 0, NULL);
    assert_false(docgen_step_count(step, 1000000000, &count, &err));
    assert_non_null(strstr(err.message, "more than 2^64 documents"));
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
        NAMED_TEST(what_only_a_document_shows_is_refused, "what only a document shows is refused with its number"),
        NAMED_TEST(a_step_says_how_many_documents, "an insert step says how many documents it makes"),
    };
    return cmocka_run_group_tests_name("docgen", tests, NULL, NULL);
}
