/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/rng.h"
#include "model/real.h"
#include "unit.h"

static void assert_shortened(const char *json, const char *expected)
{
    char *text = memory_strdup(json);
    real_shorten_json(text);
    assert_string_equal(text, expected);
    free(text);
}

static void reals_are_shortened(void **state)
{
    (void)state;
    assert_shortened("0.29999999999999999", "0.3");
    assert_shortened("[0.10000000000000001, -0.20000000000000001,3]", "[0.1, -0.2,3]");
    assert_shortened("{\"x\": 1.0000000000000001e-05}", "{\"x\": 1e-05}");
    assert_shortened("0.30000000000000004", "0.30000000000000004"); /* another number than 0.3 */
    assert_shortened("{\"a\": true, \"b\": null, \"c\": false}", "{\"a\": true, \"b\": null, \"c\": false}");
    assert_shortened("", "");
}

static void everything_else_stays(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "1.0",
        "-0.0",
        "100000000000000000000",
        "9223372036854775807",
        "1e+20",
        "\"0.29999999999999999\"",
        "{\"0.29999999999999999\": 1}",
        "\"a \\\" 0.29999999999999999\"",
        "[\"\\\\\", 1]",
        "\"0.2999999999999999",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_shortened(texts[i], texts[i]);
}

static void assert_shortest(double number)
{
    char text[REAL_SIZE], expected[REAL_SIZE];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(expected, sizeof expected, "%.*g", precision, number);
        if (strtod(expected, NULL) == number)
            break;
    }
    real_shortest(number, text);
    assert_string_equal(text, expected);
}

/* What trying 15, 16 and 17 digits in turn gives. */
static void nothing_shorter_reads_back(void **state)
{
    (void)state;
    static const double numbers[] = {0,
                                     -0.0,
                                     0.3,
                                     0.1 + 0.2,
                                     1,
                                     -17,
                                     999999999999999,
                                     1e15,
                                     1e16 + 2,
                                     1e22,
                                     1e23,
                                     5e-324,
                                     DBL_MAX,
                                     DBL_MIN,
                                     0.001,
                                     123456.5,
                                     9007199254740993.0,
                                     1.7976931348623155e308};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_shortest(numbers[i]);
    struct rng rng;
    rng_init(&rng, 15, 0);
    for (size_t i = 0; i < 50000; i++) {
        double digits = (double)(rng_u64(&rng) >> 11);
        assert_shortest(digits / 9007199254740992.0);
        assert_shortest(floor(digits / 9007199254740992.0 * 1e15) / 1e12);
        assert_shortest(-ldexp(digits, (int)rng_below(&rng, 70) - 67));
        assert_shortest(ldexp(digits, (int)rng_below(&rng, 2000) - 1000));
        assert_shortest(nextafter(pow(10, (double)rng_below(&rng, 20) - 5), (double)(i % 2) * 1e16));
    }
}

/* Through the printer and the reader that result files go through. */
static void assert_same_number(double number)
{
    json_t *json = json_pack("[f]", number);
    char *text = json_dumps(json, JSON_COMPACT);
    size_t length = strlen(text);
    real_shorten_json(text);
    assert_true(strlen(text) <= length);
    json_t *again = json_loads(text, 0, NULL);
    const json_t *value = json_array_get(again, 0);
    if (!json_is_real(value) || json_real_value(value) != number)
        fail_msg("%.17g was written as %s", number, text);
    json_decref(again);
    free(text);
    json_decref(json);
}

static void numbers_are_read_back_exactly(void **state)
{
    (void)state;
    static const double numbers[] = {0.1,
                                     0.3,
                                     1e300,
                                     -1e-300,
                                     DBL_MAX,
                                     DBL_MIN,
                                     5e-324,
                                     1 / 3.0,
                                     1e15,
                                     1e16,
                                     1e17,
                                     123456789012.5,
                                     1.2345678901234567e-5,
                                     100.0,
                                     2 / 3.0,
                                     1e22,
                                     4503599627370497.5,
                                     9007199254740993.0};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_same_number(numbers[i]);
    struct rng rng;
    rng_init(&rng, 20, 1);
    for (unsigned i = 0; i < 5000; i++) {
        uint64_t bits = (uint64_t)rng_below(&rng, UINT32_MAX) << 32 | rng_below(&rng, UINT32_MAX);
        double number;
        memcpy(&number, &bits, sizeof number);
        if (isfinite(number))
            assert_same_number(number);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(reals_are_shortened, "0.29999999999999999 is written as 0.3"),
        NAMED_TEST(nothing_shorter_reads_back, "of 15 to 17 digits the fewest that read back are written"),
        NAMED_TEST(everything_else_stays, "texts, keys, integers and short numbers stay as they are"),
        NAMED_TEST(numbers_are_read_back_exactly, "every number is read back exactly"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
