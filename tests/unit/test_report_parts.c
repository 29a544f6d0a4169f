/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "parse/axis.h"
#include "parse/csv.h"
#include "parse/document.h"
#include "parse/labels.h"
#include "parse/people_number.h"
#include "parse/report_data.h"
#include "parse/result_reader.h"

static void writes_shortest_numbers(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        {0, "0"},         {1, "1"},
        {0.1, "0.1"},     {9730.353838300043, "9730.353838300043"},
        {1e6, "1000000"}, {1.0 / 3, "0.3333333333333333"},
        {NAN, ""},        {123456789012345, "123456789012345"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[NUMBER_TEXT_SIZE];
        number_text(rows[i].value, text);
        assert_string_equal(text, rows[i].text);
    }
}

static void quotes_cells(void **state)
{
    (void)state;
    struct buffer out = {0};
    csv_raw_text(&out, NULL);
    csv_text(&out, "plain");
    csv_text(&out, "a,b");
    csv_text(&out, "say \"hi\"");
    csv_text(&out, "two\nlines");
    csv_text(&out, "=1+1");
    csv_text(&out, "@a,b");
    csv_text(&out, " blank");
    csv_number(&out, NAN);
    csv_end_line(&out);
    assert_string_equal(buffer_text(&out),
                        ",plain,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",'=1+1,\"'@a,b\",\" blank\",\n");
    buffer_release(&out);
}

static void writes_for_people(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        {0, "0"},        {7, "7"},        {999.6, "1,000"}, {1234567.2, "1,234,567"}, {45.67, "45.7"},
        {9.996, "10.0"}, {1.098, "1.10"}, {0.9996, "1.00"}, {0.123456, "0.123"},      {0.01234, "0.0123"},
        {NAN, "-"},      {INFINITY, "-"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[PEOPLE_NUMBER_SIZE];
        people_number(rows[i].value, text);
        assert_string_equal(text, rows[i].text);
    }
}

static void makes_axes(void **state)
{
    (void)state;
    static const double highest[] = {1e-9, 0.3, 1, 7, 12961.6, 15000, 1e12};
    for (size_t i = 0; i < sizeof highest / sizeof *highest; i++) {
        struct axis axis = axis_make(highest[i], 6);
        double steps = axis.top / axis.step;
        assert_true(axis.top >= highest[i] * (1 - 1e-6) && axis.top < highest[i] * 2);
        assert_true(steps < 7.5 && fabs(steps - round(steps)) < 1e-6);
    }
    assert_true(axis_make(0, 6).top == 1 && axis_make(NAN, 6).top == 1);
}

static void chooses_rungs(void **state)
{
    (void)state;
    static const unsigned doubling[] = {1, 2, 4, 8, 16, 32, 64, 128}, crowded[] = {1, 2, 3, 126, 127, 128};
    unsigned chosen[8];
    assert_int_equal(axis_choose_rungs(doubling, 8, 12, chosen), 8);
    assert_int_equal(axis_choose_rungs(crowded, 6, 12, chosen), 4);
    assert_int_equal(chosen[3], 128);
    assert_int_equal(axis_choose_rungs(doubling, 1, 12, chosen), 1);
    assert_int_equal(axis_choose_rungs(doubling, 0, 12, chosen), 0);
}

/* Paths, or a label in brackets, and what they are called. */
static void assert_labels(const char *const *words, const char *const *expected, size_t count)
{
    const char *given[4] = {NULL}, *paths[4] = {NULL};
    for (size_t i = 0; i < count; i++)
        *(words[i][0] == '[' ? &given[i] : &paths[i]) = words[i] + (words[i][0] == '[');
    char **labels = labels_make(given, paths, count);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(labels[i], expected[i]);
        free(labels[i]);
    }
    free(labels);
}

static void labels_tell_apart(void **state)
{
    (void)state;
    static const struct {
        const char *words[4], *labels[4];
    } rows[] = {
        {{"x.json"}, {"x"}},
        {{"a/one.json", "b/two.json"}, {"one", "two"}},
        {{"a/results.json", "b/results.json"}, {"a", "b"}},
        {{"./a/results.json", "a//b/results.json"}, {"results", "b/results"}},
        {{"/runs/a/1/r.json", "/runs/b/1/r.json"}, {"a", "b"}},
        {{"/runs/a/1/r.json", "/runs/a/2/r.json", "/runs/b/2/r.json"}, {"a/1", "a/2", "b/2"}},
        {{"results.json", "old/results.json"}, {"results", "old/results"}},
        {{"r.json", "r.json"}, {"r", "r (2)"}},
        {{"a/r.json", "a/r.json", "b/r.json"}, {"a", "a (2)", "b"}},
        {{"a/r.json", "b/r.json", "c/s.json", "d/s.json"}, {"a", "b", "c", "d"}},
        {{"a/r.json", "b/r.json", "x/b.json"}, {"a", "b", "b (2)"}},
        {{"[mine", "[mine", "a/mine.json"}, {"mine", "mine (2)", "mine (3)"}},
        {{"[r", "a/r.json", "b/r.json"}, {"r", "a", "b"}},
        {{"standard input", "x.json.json"}, {"standard input", "x.json"}},
        {{".json", "/"}, {".json", "/"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t count = 0;
        while (count < 4 && rows[i].words[count])
            count++;
        assert_labels(rows[i].words, rows[i].labels, count);
    }
}

static void read_into(struct dataset *dataset, size_t place, const char *text)
{
    struct error err = {0};
    if (!result_reader_read_text(text, strlen(text), &dataset->items[place], &err))
        fail_msg("%s", err.message);
    dataset->items[place].label = strdup("same");
}

static void pairs_tests(void **state)
{
    (void)state;
    struct dataset dataset = {calloc(2, sizeof(struct deployment)), 2};
    struct report_data data;
    read_into(&dataset, 0,
              "{\"results\": [{\"name\": \"B\", \"results\": {\"2\": {}, \"1\": {}}}, {\"name\": \"A\", "
              "\"results\": {}}, {\"name\": \"B\", \"results\": {}}]}");
    read_into(&dataset, 1,
              "{\"results\": [{\"name\": \"C\", \"results\": {}}, {\"name\": \"b\", \"results\": {}}, "
              "{\"name\": \"B\", \"results\": {\"4\": {}}}]}");
    report_data_make(&data, &dataset);
    static const char *const titles[] = {"B", "A", "B [2]", "C", "b"}, *const files[] = {"B", "A", "B-2", "C", "b-3"};
    assert_int_equal(data.pairing.count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(data.pairing.rows[i].title, titles[i]);
        assert_string_equal(data.files[i], files[i]);
    }
    assert_int_equal(data.pairing.rows[0].thread_count, 3);
    assert_int_equal(data.pairing.rows[0].threads[2], 4);
    assert_null(data.pairing.rows[2].tests[1]);
    report_data_release(&data);
}

static void titles(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t occurrence;
        const char *title;
    } rows[] = {{"Dup", 1, "Dup"},
                {"Dup", 2, "Dup [2]"},
                {"Dup [2]", 1, "Dup [2] [1]"},
                {"Dup [2]", 2, "Dup [2] [2]"},
                {"Dup [2] [1]", 1, "Dup [2] [1] [1]"},
                {"", 1, "(no name)"},
                {"", 2, "(no name) [2]"},
                {"(no name)", 1, "(no name) [1]"},
                {"a[1]", 1, "a[1]"},
                {"a [x]", 1, "a [x]"},
                {"a []", 1, "a []"},
                {"a [1] b", 1, "a [1] b"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *title = test_title(rows[i].name, rows[i].occurrence);
        assert_string_equal(title, rows[i].title);
        free(title);
    }
}

static void escapes_markup(void **state)
{
    (void)state;
    struct document document;
    document_begin(&document, true, "<a> & 'b'");
    document_end(&document);
    assert_non_null(strstr(buffer_text(&document.out), "<h1>&lt;a&gt; &amp; &#39;b&#39;</h1>"));
    buffer_release(&document.out);
    document_begin(&document, false, "x");
    document_table(&document);
    document_cell(&document, "a|b");
    document_number_cell(&document, "n");
    document_end_row(&document);
    document_cell(&document, "`c`\nd");
    document_number_cell(&document, "1");
    document_end_row(&document);
    document_end_table(&document);
    document_end(&document);
    assert_string_equal(buffer_text(&document.out), "# x\n\n| a\\|b | n |\n| --- | ---: |\n| \\`c\\` d | 1 |\n");
    buffer_release(&document.out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(writes_shortest_numbers, "a number in CSV has the fewest digits that read back the same"),
        NAMED_TEST(quotes_cells, "cells are quoted where they must be, formulas are defused"),
        NAMED_TEST(writes_for_people, "numbers for people have their thousands separated"),
        NAMED_TEST(makes_axes, "an axis ends above the data, a whole number of steps from 0"),
        NAMED_TEST(chooses_rungs, "rungs that would stand on each other get no number, the last always does"),
        NAMED_TEST(titles, "no two tests have the same title"),
        NAMED_TEST(labels_tell_apart, "files of one name are called by what differs in their paths"),
        NAMED_TEST(pairs_tests, "the k-th test of a name is paired with the k-th, and has a file name of its own"),
        NAMED_TEST(escapes_markup, "markup in a text is shown, not followed"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
