/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "parse/json_scan.h"

#include <math.h>
#include <stdlib.h>

#include "unit.h"

static const char *const kept[] = {"a", "name", NULL};
static const struct json_thinning thinning = {"trials", kept}, nothing = {NULL, NULL};

static json_t *scan(const char *text, const struct json_thinning *how, size_t *length)
{
    char *copy = memory_copy(text, strlen(text)); /* without a NUL: a read behind the end is found by the sanitizer */
    json_t *value = json_scan(copy, strlen(text), how, length);
    free(copy);
    return value;
}

static void reads_as_jansson(void **state)
{
    (void)state;
    static const char *const texts[] = {"{} ",
                                        "[]",
                                        " [ ] ,",
                                        "{\"a\": 1, \"b\": [true, false, null, {}], \"c\": \"text\"}",
                                        "\"x\"",
                                        "12,",
                                        "-0 ",
                                        "-17]",
                                        "999999999999999999 ",
                                        "0.1 ",
                                        "16179.483146410888,",
                                        "-1.5e-3 ",
                                        "1E+5 ",
                                        "1e308 ",
                                        "0e0 ",
                                        "2251.0}",
                                        "4.9e-324 ",
                                        "[[[[[[1]]]]]]",
                                        "\t\r\n{\n\"a\"\t:\r[1 , 2]}",
                                        "{\"\": 1}",
                                        "[0.30000000000000004, 1e-7]"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        json_error_t problem;
        size_t length = 0;
        json_t *expected = json_loads(texts[i], JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK, &problem);
        json_t *value = scan(texts[i], &nothing, &length);
        if (!value || !json_equal(value, expected) || length != (size_t)problem.position)
            fail_msg("%s is read otherwise, to %zu instead of %d", texts[i], length, problem.position);
        json_decref(value);
        json_decref(expected);
    }
}

static void leaves_to_jansson(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        " ",
                                        "{",
                                        "[1",
                                        "[1,]",
                                        "{\"a\"}",
                                        "{\"a\":}",
                                        "{\"a\": 1,}",
                                        "{a: 1}",
                                        "\"x",
                                        "\"\\n\"",
                                        "\"\xc3\xbc\"",
                                        "\"\x01\"",
                                        "01 ",
                                        "-",
                                        "1. ",
                                        ".5",
                                        "1e ",
                                        "1e999 ",
                                        "tru",
                                        "truely",
                                        "nul ",
                                        "NaN",
                                        "+1",
                                        "{\"a\": 1, \"a\": 2}",
                                        "99999999999999999999 ",
                                        "'x'",
                                        "[1 2]",
                                        "{\"a\": 1 \"b\": 2}",
                                        "{\"trials\": [{\"x\": tru}]}",
                                        "{\"trials\": [{\"x\": \"\\u0000\"}]}",
                                        "0.00000000000000000000000000000000000000000001 "};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t length;
        json_t *value = scan(texts[i], &thinning, &length);
        if (value)
            fail_msg("%s is read", texts[i]);
    }
    char deep[400];
    memset(deep, '[', 200);
    memset(deep + 200, ']', 199);
    deep[399] = '\0';
    size_t length;
    assert_null(scan(deep, &nothing, &length));
}

static void thins_trials(void **state)
{
    (void)state;
    size_t length;
    json_t *value = scan("{\"b\": 1, \"trials\": [{\"a\": {\"b\": 2}, \"b\": [3, {}], \"name\": \"x\", \"nam\": 1, "
                         "\"names\": \"y\", \"c\": {\"a\": 1}}, {}, 7]}",
                         &thinning, &length);
    char *text = json_dumps(value, JSON_COMPACT);
    assert_string_equal(text, "{\"b\":1,\"trials\":[{\"a\":{\"b\":2},\"name\":\"x\"},{},7]}");
    free(text);
    json_decref(value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(reads_as_jansson, "what is read quickly is what jansson reads, to the same place"),
        NAMED_TEST(leaves_to_jansson, "what is broken, escaped, deep or not ASCII is left to jansson"),
        NAMED_TEST(thins_trials, "of the objects in the array that is named only the wanted members are kept"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
