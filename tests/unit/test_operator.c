/* SPDX-License-Identifier: Apache-2.0 */
/* One table of operators: what its rows promise, the makers of documents and of operations keep. */
#include "engine/gen.h"
#include "engine/op.h"
#include "model/docvalue.h"
#include "model/operator.h"
#include "model/opvalue.h"

#include "testcase_check.h"

static void rows_have_the_makers_that_they_promise(void **state)
{
    (void)state;
    for (size_t i = 0; i < OPERATOR_COUNT; i++) {
        const struct operator_row *row = &operator_rows[i];
        enum operator_id id = (enum operator_id)i;
        assert_int_equal(operator_find(row->name), id);
        assert_non_null(row->expects);
        assert_true((row->check != NULL) != (row->expand != NULL));
        if ((gen_find_maker(id) != NULL) != ((row->stays & OPERATOR_STAYS_IN_OPS) != 0))
            fail_msg("%s: its row and the makers of operations disagree", row->name);
        if (docvalue_has_maker(id) != ((row->stays & OPERATOR_STAYS_IN_DOCUMENTS) != 0))
            fail_msg("%s: its row and the makers of documents disagree", row->name);
    }
}

static void kinds_of_operations_have_makers(void **state)
{
    (void)state;
    for (size_t i = 0; i < OPERATION_COUNT; i++) {
        const struct op_kind *kind = op_kind((enum operation_id)i);
        assert_int_equal(operation_find(operation_names[i]), i);
        assert_non_null(kind);
        assert_non_null(kind->compile);
        assert_true((kind->run != NULL) != (kind->count != NULL));
    }
}

static uint64_t steps_of(const char *text)
{
    json_t *argument = json_loads(text, 0, NULL);
    assert_non_null(argument);
    uint64_t steps = operator_step_count(argument);
    json_decref(argument);
    return steps;
}

/* The last of [0.1, 10000000, 0.3] would be hi itself. */
static void hi_of_rand_double_is_exclusive(void **state)
{
    (void)state;
    assert_int_equal(steps_of("[0, 10, 1]"), 10);
    assert_int_equal(steps_of("[0, 10.5, 1]"), 11);
    assert_int_equal(steps_of("[0, 0.3, 0.1]"), 3);
    assert_int_equal(steps_of("[0, 0.9, 0.3]"), 3);
    assert_int_equal(steps_of("[0.1, 10000000, 0.3]"), 33333333);
    assert_int_equal(steps_of("[0, 1, 2]"), 1);
    assert_int_equal(steps_of("[1, 1, 1]"), 0);
    assert_int_equal(steps_of("[0, 1, 0]"), 0);
    assert_int_equal(steps_of("[0, 1, -1]"), 0);
    assert_int_equal(steps_of("[0, 1e300, 1e-9]"), 0);
    assert_int_equal(steps_of("[0, 1]"), 0);
    assert_int_equal(steps_of("[0, \"1\", 1]"), 0);
}

struct value_row {
    const char *value;
    struct opvalue expected;
};

static const struct value_row value_rows[] = {
    {"5", {OPVALUE_NUMBER, 5, 5}},
    {"-2.75", {OPVALUE_NUMBER, -2, -2}},
    {"1e300", {OPVALUE_NUMBER, INT64_MAX, INT64_MAX}},
    {"{\"$numberLong\": \"7\"}", {OPVALUE_NUMBER, 7, 7}},
    {"{\"$numberDecimal\": \"7\"}", {OPVALUE_OTHER, 0, 0}},
    {"{\"$date\": {\"$numberLong\": \"7\"}}", {OPVALUE_TEXT, 0, 0}},
    {"\"a\"", {OPVALUE_TEXT, 0, 0}},
    {"true", {OPVALUE_TEXT, 0, 0}},
    {"null", {OPVALUE_OTHER, 0, 0}},
    {"[1]", {OPVALUE_OTHER, 0, 0}},
    {"{\"a\": 1}", {OPVALUE_OTHER, 0, 0}},
    {"{\"#RAND_INT\": [3, 8]}", {OPVALUE_NUMBER, 3, 7}},
    {"{\"#RAND_INT\": [-3, 8, -2]}", {OPVALUE_NUMBER, -14, 6}},
    {"{\"#RAND_INT\": [{\"#RAND_INT\": [0, 3]}, {\"#RAND_INT\": [5, 9]}]}", {OPVALUE_NUMBER, 0, 7}},
    {"{\"#SEQ_INT\": {\"seq_id\": 0, \"start\": 0, \"step\": 1, \"mod\": 10}}", {OPVALUE_NUMBER, -9, 9}},
    {"{\"#SEQ_INT\": {\"seq_id\": 0, \"start\": 0, \"step\": 1}}", {OPVALUE_NUMBER, INT64_MIN, INT64_MAX}},
    {"{\"#CYCLE\": [1, {\"#RAND_INT\": [4, 6]}]}", {OPVALUE_NUMBER, 1, 5}},
    {"{\"#CYCLE\": [1, \"a\"]}", {OPVALUE_TEXT, 0, 0}},
    {"{\"#INDEX\": {\"as\": \"decimal\"}}", {OPVALUE_OTHER, 0, 0}},
    {"{\"#INDEX\": {\"as\": \"string\"}}", {OPVALUE_TEXT, 0, 0}},
    {"{\"#VARIABLE\": \"v\"}", {OPVALUE_NUMBER, 0, 9}},
};

static void what_a_value_can_be_is_known(void **state)
{
    (void)state;
    json_t *variables = json_object(), *let = json_loads("{\"#RAND_INT\": [0, 10]}", 0, NULL);
    opvalue_store(variables, "v", let);
    for (size_t i = 0; i < sizeof value_rows / sizeof *value_rows; i++) {
        const struct value_row *row = &value_rows[i];
        json_t *value = json_loads(row->value, JSON_DECODE_ANY, NULL);
        struct opvalue got = opvalue_of(value, variables);
        bool is_number = row->expected.gives == OPVALUE_NUMBER;
        if (got.gives != row->expected.gives ||
            (is_number && (got.low != row->expected.low || got.high != row->expected.high)))
            fail_msg("%s gives %d, %lld to %lld", row->value, (int)got.gives, (long long)got.low, (long long)got.high);
        json_decref(value);
    }
    json_decref(let);
    json_decref(variables);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(rows_have_the_makers_that_they_promise, "every operator has the makers that its row promises"),
        NAMED_TEST(kinds_of_operations_have_makers, "every kind of operation has what the engine needs"),
        NAMED_TEST(hi_of_rand_double_is_exclusive, "hi of #RAND_DOUBLE is exclusive whatever rounding does"),
        NAMED_TEST(what_a_value_can_be_is_known, "what a value can turn out to be is known"),
    };
    return cmocka_run_group_tests_name("operator", tests, NULL, NULL);
}
