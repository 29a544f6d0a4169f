/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "parse/result_reader.h"

/* Of the reading under test; released in the teardown. */
struct reading {
    struct deployment deployment;
    struct error err;
};

static bool read_text(void **state, const char *text)
{
    struct reading *reading = *state;
    deployment_release(&reading->deployment);
    error_init(&reading->err);
    return result_reader_read_text(text, strlen(text), &reading->deployment, &reading->err);
}

static const struct deployment *good(void **state, const char *text)
{
    if (!read_text(state, text))
        fail_msg("%s", ((struct reading *)*state)->err.message);
    return &((struct reading *)*state)->deployment;
}

static void refuses(void **state, const char *text, const char *message)
{
    assert_false(read_text(state, text));
    assert_string_equal(((struct reading *)*state)->err.message, message);
}

static int set_up(void **state)
{
    static struct reading reading;
    *state = &reading;
    return 0;
}

static int tear_down(void **state)
{
    deployment_release(&((struct reading *)*state)->deployment);
    return 0;
}

#define ONE_TEST(cells) "{\"results\": [{\"name\": \"A\", \"results\": {" cells "}}]}"

static void sorts_rungs(void **state)
{
    const struct deployment *d = good(state, ONE_TEST("\"16\": {\"ops_per_sec\": 3}, \"end\": \"z\", \"2\": "
                                                      "{\"ops_per_sec\": 2}, \"1\": {}, \"start\": \"y\""));
    assert_int_equal(d->tests[0].cell_count, 3);
    assert_int_equal(d->tests[0].cells[1].threads, 2);
    assert_true(d->tests[0].cells[2].ops_per_sec == 3);
    assert_string_equal(d->tests[0].start, "y");
    assert_string_equal(d->tests[0].end, "z");
    assert_ptr_equal(test_find_cell(&d->tests[0], 16), &d->tests[0].cells[2]);
    assert_null(test_find_cell(&d->tests[0], 4));
}

static void keeps_null_trials(void **state)
{
    const struct deployment *d =
        good(state, ONE_TEST("\"1\": {\"ops_per_sec\": null, \"ops_per_sec_values\": [1, null, 3], \"error_values\": "
                             "[4, null, 1]}"));
    const struct cell_data *cell = &d->tests[0].cells[0];
    double values[3];
    assert_int_equal(cell->trial_count, 3);
    assert_true(isnan(cell->trials[1].ops_per_sec));
    assert_int_equal(cell->trials[1].errors, -1);
    assert_int_equal(cell_errors(cell), 5);
    assert_int_equal(cell_values(cell, values), 2);
    assert_true(values[1] == 3 && cell->ops_per_sec == 2 && cell->median == 2 && cell->stdev == 1);
}

static void has_no_number_without_trials(void **state)
{
    const struct deployment *d = good(state, ONE_TEST("\"1\": {\"ops_per_sec\": null, \"ops_per_sec_values\": []}"));
    assert_true(isnan(d->tests[0].cells[0].ops_per_sec));
    assert_true(isnan(d->tests[0].cells[0].median));
    assert_int_equal(cell_errors(&d->tests[0].cells[0]), -1);
}

static void knows_2014(void **state)
{
    const struct deployment *d = good(
        state, "{\"server_version\": \"2.8.0\", \"server_storage_engine\": \"mmapv1\", \"run_start_time\": \"s\","
               "\"harness\": {\"client\": {\"host\": \"h\"}}, \"results\": [{\"name\": \"A\", \"results\": {\"1\": "
               "{\"ops_per_sec\": 10, \"median\": 11, \"standardDeviation\": 2, \"n\": 5}}}]}");
    const struct cell_data *cell = &d->tests[0].cells[0];
    assert_true(cell->ops_per_sec == 10 && cell->median == 11 && cell->stdev == 2);
    assert_int_equal(cell->trials_summarised, 5);
    assert_int_equal(cell->trial_count, 0);
    assert_string_equal(fact_list_find(&d->facts, "server version"), "2.8.0");
    assert_string_equal(fact_list_find(&d->facts, "storage engine"), "mmapv1");
    assert_string_equal(fact_list_find(&d->facts, "harness.client.host"), "h");
    assert_string_equal(d->start, "s");
}

static void knows_write_options(void **state)
{
    const struct deployment *d =
        good(state, "{\"results\": [], \"basicFields\": {\"version\": \"3.0.3\", \"writeOptions\": {\"writeConcern\": "
                    "{\"w\": 1, \"j\": true}, \"writeCmdMode\": \"true\"}}}");
    assert_string_equal(fact_list_find(&d->facts, "write concern"), "{\"j\":true,\"w\":1}");
    assert_string_equal(fact_list_find(&d->facts, "write commands"), "true");
    static const char *const rows[][2] = {
        {"\"writeOptions\": {\"writeConcernW\": 1, \"writeConcernJ\": \"true\"}", "{\"j\":true,\"w\":1}"},
        {"\"crudOptions\": {\"writeConcernW\": 0, \"writeConcernJ\": \"false\"}", "{\"j\":false}"},
        {"\"writeOptions\": {\"w\": 2, \"j\": false}", "{\"j\":false,\"w\":2}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256];
        snprintf(text, sizeof text, "{\"results\": [], \"basicFields\": {%s}}", rows[i][0]);
        assert_string_equal(fact_list_find(&good(state, text)->facts, "write concern"), rows[i][1]);
        assert_int_equal(d->facts.count, 1);
    }
}

static void hides_what_a_run_draws(void **state)
{
    const struct deployment *d =
        good(state, "{\"run_id\": \"beef\", \"results\": [], \"testbed\": {\"server\": {\"host\": \"127.0.0.1:41235\", "
                    "\"started_by_benchrun\": true}, \"connection\": {\"appname\": \"x-beef-beef\", \"hosts\": "
                    "[\"[::1]:7\", \"h:41236\"]}}}");
    assert_string_equal(fact_list_find(&d->facts, "testbed.connection.appname"), "x-*-*");
    assert_string_equal(fact_list_find(&d->facts, "server host"), "127.0.0.1:*");
    assert_string_equal(fact_list_find(&d->facts, "testbed.connection.hosts"), "[\"[::1]:*\",\"h:*\"]");
    assert_null(fact_list_find(&d->facts, "run_id"));
    d = good(state, "{\"results\": [], \"testbed\": {\"server\": {\"host\": \"db:27017\"}}}");
    assert_string_equal(fact_list_find(&d->facts, "server host"), "db:27017");
}

static void tells_variants_apart(void **state)
{
    const struct deployment *d =
        good(state, "{\"results\": [{\"name\": \"A\", \"variant\": 1, \"results\": {}}, {\"name\": \"A\", "
                    "\"variant\": 2, \"results\": {}}, {\"name\": \"A\", \"results\": {}}, {\"name\": \"B\", "
                    "\"results\": {}}, {\"name\": \"A\", \"results\": {}}]}");
    assert_string_equal(d->tests[0].name, "A (variant 1)");
    assert_int_equal(d->tests[1].occurrence, 1);
    assert_int_equal(d->tests[2].occurrence, 1);
    assert_int_equal(d->tests[4].occurrence, 2);
}

static void reads_latency_and_counts(void **state)
{
    const struct deployment *d =
        good(state, ONE_TEST("\"1\": {\"ops_per_sec_values\": [9], \"latency_mean_us\": 5, \"trials\": "
                             "[{\"latency_max_us\": 8}], \"operations\": {\"started\": 10, \"succeeded\": 9, "
                             "\"failed\": 1}}"));
    const struct cell_data *cell = &d->tests[0].cells[0];
    assert_true(cell->latency->us[LATENCY_MEAN] == 5 && isnan(cell->latency->us[LATENCY_MAX]));
    assert_true(cell->trials[0].latency->us[LATENCY_MAX] == 8);
    assert_int_equal(cell->counts->failed, 1);
}

static void takes_no_password(void **state)
{
    const struct deployment *d = good(state, "{\"results\": [], \"options\": {\"password\": \"s3cret\", \"seed\": 1}}");
    assert_int_equal(d->facts.count, 1);
}

static void says_where_syntax_breaks(void **state)
{
    refuses(state, "{\"results\": [],\n \"end\" 1}", "line 2, column 8: expected a colon behind the name of a member");
    refuses(state, "{\"results\": []} {",
            "line 1, column 17: another JSON object begins here; put each into a file of "
            "its own");
    refuses(state, "{\"results\": []} x", "line 1, column 17: expected nothing behind the JSON object");
    refuses(state, "{\"results\": [],\n}", "line 2, column 1: expected the name of a member in double quotes");
    refuses(state, "{\"results\": [],\n\"results\": []}", "line 2, column 1: this member stands twice");
    refuses(state, "{\"results\": [{\"name\": \"A\",\n\"results\": {]}]}",
            "line 2, column 14: string or '}' expected near ']'");
}

static void says_which_value_is_wrong(void **state)
{
    refuses(state, "{\"end\": 1}", "there is no member \"results\"; expected a result file of benchrun or mongo-perf");
    refuses(state, "{\"results\": {}}", "/results: expected an array, got an object");
    refuses(state, "{\"results\": [1]}", "/results/0: expected an object, got a number");
    refuses(state, "{\"results\": [{\"results\": {}}]}", "/results/0/name: expected a string, got nothing");
    refuses(state, ONE_TEST("\"4\": {\"ops_per_sec_values\": [1, \"x\"]}"),
            "/results/0/results/4/ops_per_sec_values/1: expected a number or null, got a string");
    refuses(state, ONE_TEST("\"0\": {}"), "/results/0/results/0: expected a number of threads from 1 to 2147483647");
    refuses(state, ONE_TEST("\"8\": {}, \"08\": {}"), "/results/0/results: 8 threads stand twice");
    refuses(state, ONE_TEST("\"8\": []"), "/results/0/results/8: expected an object, got an array");
    refuses(state, ONE_TEST("\"8\": {\"operations\": {\"failed\": true}}"),
            "/results/0/results/8/operations/failed: expected a number or null, got true");
}

#define EXPECTED ", expected a result file of benchrun or mongo-perf"

static void says_what_a_file_is(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *message;
    } rows[] = {
        {"", 0, "is empty" EXPECTED},
        {" \n", 2, "holds only blanks" EXPECTED},
        {"\x1f\x8b\x08", 3, "is compressed with gzip, expected JSON; unpack it first (gzip -dc FILE > result.json)"},
        {"\xfd\x37zXZ", 6, "is compressed with xz, expected JSON; unpack it first (xz -dc FILE > result.json)"},
        {"\xff\xfe{\0", 4,
         "is UTF-16LE, expected UTF-8; convert it first (iconv -f UTF-16LE -t UTF-8 FILE > "
         "result.json)"},
        {"\0{\0\"", 4, "is UTF-16BE, expected UTF-8; convert it first (iconv -f UTF-16BE -t UTF-8 FILE > result.json)"},
        {"{\0\0\0", 4, "is UTF-32LE, expected UTF-8; convert it first (iconv -f UTF-32LE -t UTF-8 FILE > result.json)"},
        {"{}\n\0", 4, "line 2 holds a NUL byte, which no JSON has: the file is damaged, or is no text" EXPECTED},
        {"[{}]", 4,
         "is a JSON list, expected one JSON object; put each result into a file of its own (jq '.[0]' FILE > "
         "first.json)"},
        {"a\n{ \"x\": 1 }\n{\"results\": []}\n", 29,
         "is captured output: JSON begins in line 3, expected nothing before "
         "it; cut off the lines above (sed -n '3,$p' FILE > result.json)"},
        {"\nname,1\n", 8,
         "line 2: expected a JSON object, found \"name,1\"; give a result file of benchrun or mongo-perf"},
        {"{\"tests\": 1}", 12, "is a file of test-case definitions" EXPECTED},
        {"{\"journal\": 1}\n{}", 17, "is a journal of benchrun; give the result file beside it" EXPECTED},
    };
    struct reading *reading = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        deployment_release(&reading->deployment);
        error_init(&reading->err);
        assert_false(result_reader_read_text(rows[i].bytes, rows[i].size, &reading->deployment, &reading->err));
        assert_string_equal(reading->err.message, rows[i].message);
    }
}

static void refuses_a_newer_format(void **state)
{
    refuses(state, "{\"format\": 99, \"results\": []}",
            "/format: 99, but version " PACKAGE_VERSION " reads formats up to 1; use the version that goes with the "
            "benchrun that wrote the file");
    refuses(state, "{\"results\": [], \"format\": \"1\"}", "/format: expected a whole number from 1");
    refuses(state, "{\"results\": [], \"format\": 0}", "/format: expected a whole number from 1");
    good(state, "{\"results\": [], \"format\": 1}");
}

static void refuses_negative_numbers(void **state)
{
    const struct deployment *d =
        good(state, ONE_TEST("\"1\": {\"ops_per_sec\": -2.5}, \"2\": {\"ops_per_sec_values\": [3, -1]}, \"4\": "
                             "{\"ops_per_sec_values\": [3], \"trials\": [{\"latency_mean_us\": -7}]}, \"8\": "
                             "{\"ops_per_sec\": 5}"));
    static const char *const reasons[] = {"/ops_per_sec: expected a number from 0, got -2.5",
                                          "/ops_per_sec_values/1: expected a number from 0, got -1",
                                          "/trials/0/latency_mean_us: expected a number from 0, got -7"};
    for (size_t i = 0; i < 3; i++) {
        const struct cell_data *cell = &d->tests[0].cells[i];
        assert_true(isnan(cell->ops_per_sec) && cell->trial_count == 0);
        assert_string_equal(cell->reason, reasons[i]);
    }
    assert_true(d->tests[0].cells[3].ops_per_sec == 5);
    assert_int_equal(d->warnings.count, 1);
    assert_string_equal(d->warnings.items[0], "3 cells left out for an impossible number (the first: A at 1 thread: "
                                              "/ops_per_sec: expected a number from 0, got -2.5)");
}

static void refuses_numbers_that_cannot_be(void **state)
{
    const struct deployment *d =
        good(state, ONE_TEST("\"1\": {\"ops_per_sec\": 1e308}, \"2\": {\"ops_per_sec_values\": [3, 5e-324]}, \"4\": "
                             "{\"ops_per_sec_values\": [1e100, 0, 1e-100]}"));
    assert_string_equal(d->tests[0].cells[0].reason,
                        "/ops_per_sec: expected 0, or a number from 1e-100 to 1e+100, got 1e+308");
    assert_string_equal(d->tests[0].cells[1].reason, "/ops_per_sec_values/1: expected 0, or a number from 1e-100 to "
                                                     "1e+100, got 4.94065645841247e-324");
    assert_null(d->tests[0].cells[2].reason);
    assert_int_equal(d->tests[0].cells[2].trial_count, 3);
    assert_true(isfinite(d->tests[0].cells[2].stdev));
}

static void takes_the_mean_of_the_values(void **state)
{
    const struct deployment *d = good(
        state, ONE_TEST("\"1\": {\"ops_per_sec\": 50, \"ops_per_sec_median\": 50, \"ops_per_sec_values\": [1, 3]}, "
                        "\"2\": {\"ops_per_sec\": 9, \"ops_per_sec_values\": [null]}, "
                        "\"4\": {\"ops_per_sec\": 1000.04, \"ops_per_sec_values\": [1000]}, "
                        "\"8\": {\"ops_per_sec\": 7, \"ops_per_sec_values\": []}"));
    const struct cell_data *cells = d->tests[0].cells;
    assert_true(cells[0].ops_per_sec == 2 && cells[0].median == 2 && cells[0].stdev == 1);
    assert_true(isnan(cells[1].ops_per_sec));
    assert_true(cells[2].ops_per_sec == 1000.04 && cells[3].ops_per_sec == 7);
    assert_int_equal(d->warnings.count, 1);
    assert_string_equal(d->warnings.items[0],
                        "2 cells with a mean that its values do not give; the values are used (the first: A at 1 "
                        "thread: 50 in the file, 2 from the values)");
}

static void says_that_no_value_has_a_number(void **state)
{
    const struct deployment *d = good(state, ONE_TEST("\"1\": {\"ops_per_sec\": 0, \"ops_per_sec_values\": [null]}"));
    assert_string_equal(d->warnings.items[0],
                        "1 cell with a mean that its values do not give; the values are used (the first: A at 1 "
                        "thread: 0 in the file, no number among the values)");
}

static void keeps_surplus_errors(void **state)
{
    const struct deployment *d = good(state, ONE_TEST("\"1\": {\"ops_per_sec_values\": [8], \"error_values\": [0, 5]}, "
                                                      "\"2\": {\"ops_per_sec\": 6, \"error_values\": [2]}"));
    const struct cell_data *cells = d->tests[0].cells;
    assert_int_equal(cell_errors(&cells[0]), 5);
    assert_int_equal(cells[0].trial_count, 2);
    assert_true(isnan(cells[0].trials[1].ops_per_sec) && cells[0].ops_per_sec == 8);
    assert_int_equal(cell_errors(&cells[1]), 2);
    assert_true(cells[1].ops_per_sec == 6);
}

#define ERROR(test, trial, threads, error)                                                                             \
    "{\"test\": \"" test "\", \"trial\": " trial ", \"threadCount\": " threads ", \"error\": {" error "}}"

static void keeps_reasons_of_trials(void **state)
{
    const struct deployment *d = good(
        state,
        "{\"errors\": [3, {}, " ERROR("B", "0", "1", "\"message\": \"gone\", \"code\": 0") ", " ERROR("A", "1", "1", "\"message\": \"dup\", \"code\": 11000, \"password\": \"s3cret\"") ", " ERROR(
            "A", "2", "1",
            "\"message\": \"E11000 dup\", \"code\": 11000") ", " ERROR("A", "0", "1",
                                                                       "\"message\": \"had a number\", "
                                                                       "\"code\": 1") ", " ERROR("A", "7", "1",
                                                                                                 "\"message\""
                                                                                                 ": \"no "
                                                                                                 "such "
                                                                                                 "trial\", "
                                                                                                 "\"code\": "
                                                                                                 "1") ","
                                                                                                      " " ERROR("A", "0", "2", "\"code\": 50") ", " ERROR(
                                                                                                          "A", "0",
                                                                                                          "64",
                                                                                                          "\"code\": "
                                                                                                          "50") "], "
                                                                                                                "\"resu"
                                                                                                                "lts\":"
                                                                                                                " [{"
                                                                                                                "\"name"
                                                                                                                "\": "
                                                                                                                "\"A\","
                                                                                                                " \"res"
                                                                                                                "ults\""
                                                                                                                ": "
                                                                                                                "{\"1\""
                                                                                                                ": "
                                                                                                                "{\"ops"
                                                                                                                "_per_"
                                                                                                                "sec_"
                                                                                                                "values"
                                                                                                                "\": "
                                                                                                                "[8, "
                                                                                                                "null]}"
                                                                                                                ", "
                                                                                                                "\"2\":"
                                                                                                                " "
                                                                                                                "{\"ops"
                                                                                                                "_per_"
                                                                                                                "sec\":"
                                                                                                                " null,"
                                                                                                                " \"ops"
                                                                                                                "_per_"
                                                                                                                "sec_"
                                                                                                                "values"
                                                                                                                "\": "
                                                                                                                "[]}, "
                                                                                                                "\"4\":"
                                                                                                                " {"
                                                                                                                "\"ops_"
                                                                                                                "per_"
                                                                                                                "sec_"
                                                                                                                "values"
                                                                                                                "\": "
                                                                                                                "[1, "
                                                                                                                "null],"
                                                                                                                " "
                                                                                                                "\"tria"
                                                                                                                "ls\": "
                                                                                                                "[{}, "
                                                                                                                "{\"rea"
                                                                                                                "son\":"
                                                                                                                " \"its"
                                                                                                                " own\""
                                                                                                                "}]}}},"
                                                                                                                " {"
                                                                                                                "\"name"
                                                                                                                "\": "
                                                                                                                "\"B\","
                                                                                                                " \"var"
                                                                                                                "iant\""
                                                                                                                ": 2, "
                                                                                                                "\"resu"
                                                                                                                "lts\":"
                                                                                                                " {"
                                                                                                                "\"1\":"
                                                                                                                " "
                                                                                                                "{\"ops"
                                                                                                                "_per_"
                                                                                                                "sec_"
                                                                                                                "values"
                                                                                                                "\": "
                                                                                                                "[null]"
                                                                                                                "}}}]"
                                                                                                                "}");
    const struct cell_data *cells = d->tests[0].cells;
    assert_int_equal(cells[0].trial_count, 3);
    assert_null(cells[0].trials[0].reason);
    assert_string_equal(cells[0].trials[1].reason, "code 11000: dup");
    assert_string_equal(cells[0].trials[2].reason, "E11000 dup");
    assert_int_equal(cells[1].trial_count, 1);
    assert_string_equal(cells[1].trials[0].reason, "code 50");
    assert_string_equal(cells[2].trials[1].reason, "its own");
    assert_string_equal(d->tests[1].cells[0].trials[0].reason, "gone");
}

static void joins_reasons(void **state)
{
    const struct deployment *d = good(
        state, ONE_TEST("\"1\": {\"trials\": [{\"reason\": \"a\"}, {\"reason\": \"b\"}, {\"reason\": \"a\"}, {}, "
                        "{\"reason\": \"c\"}, {\"reason\": \"d\"}]}, \"2\": {}, \"4\": {\"failures\": [{\"code\": 121, "
                        "\"message\": \"Document failed validation\"}], \"breaks\": [{\"message\": \"reset\"}]}"));
    char *why = cell_why(&d->tests[0].cells[0]);
    assert_string_equal(why, "a; b; c");
    free(why);
    assert_null(cell_why(&d->tests[0].cells[1]));
    assert_string_equal(d->tests[0].cells[2].failure, "code 121: Document failed validation");
}

static void names_a_missing_file(void **state)
{
    struct reading *reading = *state;
    deployment_release(&reading->deployment);
    error_init(&reading->err);
    assert_false(result_reader_read("no/such.json", NULL, &reading->deployment, &reading->err));
    assert_string_equal(reading->err.message, "no/such.json: No such file or directory");
    assert_string_equal(reading->deployment.label, "such");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(sorts_rungs, "rungs are sorted as numbers; start and end beside them are none"),
        NAMED_TEST(keeps_null_trials, "a trial without a number stays in its place and out of the mean"),
        NAMED_TEST(has_no_number_without_trials, "a cell without trials has no number"),
        NAMED_TEST(knows_2014, "the shape of 2014 is understood: median, standardDeviation, server_version"),
        NAMED_TEST(knows_write_options, "writeOptions of 2015 are understood"),
        NAMED_TEST(hides_what_a_run_draws,
                   "the run's id and the port of its own server are no facts about the testbed"),
        NAMED_TEST(tells_variants_apart, "tests of one name are numbered, variants are told apart"),
        NAMED_TEST(reads_latency_and_counts, "latency and the classes of operations are read where there are any"),
        NAMED_TEST(takes_no_password, "a password in a file is left there"),
        NAMED_TEST(says_where_syntax_breaks, "broken JSON: line and column"),
        NAMED_TEST(says_which_value_is_wrong, "a wrong value: its JSON path and what was expected"),
        NAMED_TEST(says_what_a_file_is, "what is no JSON object is named, with what to do"),
        NAMED_TEST(refuses_a_newer_format, "a format that is not known is refused"),
        NAMED_TEST(refuses_negative_numbers, "a negative number refuses its cell, not the file"),
        NAMED_TEST(refuses_numbers_that_cannot_be, "so does one of which no square or ratio is a number"),
        NAMED_TEST(takes_the_mean_of_the_values,
                   "a mean that its values do not give gives way to them, with a warning"),
        NAMED_TEST(says_that_no_value_has_a_number, "a mean of values without a number is said to be none"),
        NAMED_TEST(keeps_surplus_errors, "errors of trials without a value are kept"),
        NAMED_TEST(keeps_reasons_of_trials, "a trial without a number has its reason, from itself or from the errors"),
        NAMED_TEST(joins_reasons, "a cell says why its trials have no number, each reason once"),
        NAMED_TEST(names_a_missing_file, "a missing file is named"),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
