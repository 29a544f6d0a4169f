/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "parse/printed.h"

#define NBSP "\xc2\xa0"
#define THIN "\xe2\x80\x89"
#define EN_DASH "\xe2\x80\x93"

static void assert_near(const char *text, double value, double expected)
{
    if (fabs(value - expected) > 1e-12 * fabs(expected))
        fail_msg("\"%s\": %.17g, expected %.17g", text, value, expected);
}

static void reads_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value, half;
        enum printed_mark mark;
        const char *unit;
    } rows[] = {
        {"12", 12, 0.5, MARK_NONE, ""},
        {" 12.50 ", 12.5, 0.005, MARK_NONE, ""},
        {"1000", 1000, 0.5, MARK_NONE, ""},
        {"12.", 12, 0.5, MARK_NONE, ""},
        {".5", 0.5, 0.05, MARK_NONE, ""},
        {"+3", 3, 0.5, MARK_NONE, ""},
        {"-0.0", 0, 0.05, MARK_NONE, ""},
        {"1,234.5", 1234.5, 0.05, MARK_NONE, ""},
        {"1 234 567", 1234567, 0.5, MARK_NONE, ""},
        {"12" NBSP "345.6", 12345.6, 0.05, MARK_NONE, ""},
        {"12" THIN "345.6", 12345.6, 0.05, MARK_NONE, ""},
        {"12'345.6", 12345.6, 0.05, MARK_NONE, ""},
        {"12\xe2\x80\x99"
         "345.6",
         12345.6, 0.05, MARK_NONE, ""},
        {"12_345", 12345, 0.5, MARK_NONE, ""},
        {"-12.5 %", -12.5, 0.05, MARK_PERCENT, ""},
        {"12.5" NBSP "%", 12.5, 0.05, MARK_PERCENT, ""},
        {"12.5" THIN "%", 12.5, 0.05, MARK_PERCENT, ""},
        {"12 pct", 12, 0.5, MARK_PERCENT, ""},
        {"\xe2\x88\x92"
         "48.80",
         -48.8, 0.005, MARK_NONE, ""}, /* minus */
        {EN_DASH "48.80", -48.8, 0.005, MARK_NONE, ""},
        {"\xe2\x80\x90"
         "48.80",
         -48.8, 0.005, MARK_NONE, ""}, /* hyphen */
        {"\xc2\xad"
         "48.80",
         -48.8, 0.005, MARK_NONE, ""}, /* soft hyphen */
        {"- 48.80", -48.8, 0.005, MARK_NONE, ""},
        {"(40.30)", -40.3, 0.005, MARK_NONE, ""},
        {"(40.3 %)", -40.3, 0.05, MARK_PERCENT, ""},
        {"(40.3)%", -40.3, 0.05, MARK_PERCENT, ""},
        {"(+40.3)", 40.3, 0.05, MARK_NONE, ""},
        {"(-40.3)", -40.3, 0.05, MARK_NONE, ""},
        {"48.80*", 48.8, 0.005, MARK_NONE, ""},
        {"48.80 %**", 48.8, 0.005, MARK_PERCENT, ""},
        {"48.80\xe2\x80\xa0", 48.8, 0.005, MARK_NONE, ""}, /* dagger */
        {"48.80\xc2\xb2", 48.8, 0.005, MARK_NONE, ""},     /* superscript */
        {"110\xc2\xb3", 110, 0.5, MARK_NONE, ""},
        {"48.80[3][4] (a) (b)", 48.8, 0.005, MARK_NONE, ""},
        {"48.80 [3]", 48.8, 0.005, MARK_NONE, ""},
        {"**48.80**", 48.8, 0.005, MARK_NONE, ""},
        {"`48.80`", 48.8, 0.005, MARK_NONE, ""},
        {"+0.3% (noise)", 0.3, 0.05, MARK_PERCENT, ""},
        {"1.62x", 1.62, 0.005, MARK_TIMES, ""},
        {"1.62 \xc3\x97", 1.62, 0.005, MARK_TIMES, ""},
        {"\xc3\x97"
         "13.7",
         13.7, 0.05, MARK_TIMES, ""},
        {"1.0E3", 1000, 50, MARK_NONE, ""},
        {"1.23e+04", 12300, 50, MARK_NONE, ""},
        {"1.5e-3", 0.0015, 0.00005, MARK_NONE, ""},
        {"1.2k", 1200, 50, MARK_NONE, ""},
        {"1.23M", 1230000, 5000, MARK_NONE, ""},
        {"12 K ops/s", 12000, 500, MARK_NONE, "ops/s"},
        {"12 ops/s", 12, 0.5, MARK_NONE, "ops/s"},
        {"850 us", 850e-6, 0.5e-6, MARK_NONE, "s"},
        {"850 \xc2\xb5s", 850e-6, 0.5e-6, MARK_NONE, "s"},
        {"1.2ms", 1.2e-3, 0.05e-3, MARK_NONE, "s"},
        {"2 min", 120, 30, MARK_NONE, "s"},
        {"12.3 ms \xc2\xb1 0.4 ms", 12.3e-3, 0.05e-3, MARK_NONE, "s"},
        {"12.3 +/- 0.4 ms", 12.3e-3, 0.05e-3, MARK_NONE, "s"},
        {"1.23k \xc2\xb1"
         "2%",
         1230, 5, MARK_NONE, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct printed_number number;
        printed_number_read(&number, rows[i].text, DECIMAL_POINT);
        if (number.kind != PRINTED_NUMBER || number.mark != rows[i].mark || strcmp(number.unit, rows[i].unit) != 0)
            fail_msg("\"%s\": kind %d, mark %d, unit \"%s\"", rows[i].text, number.kind, number.mark, number.unit);
        assert_near(rows[i].text, number.value, rows[i].value);
        assert_near(rows[i].text, number.half, rows[i].half);
    }
}

static void knows_what_is_nothing(void **state)
{
    (void)state;
    static const char *const texts[] = {"",    " ",   NBSP, "-",   "--",   EN_DASH, "\xe2\x80\x94",
                                        "n/a", "N/A", "na", "NaN", "null", "-*"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct printed_number number;
        printed_number_read(&number, texts[i], DECIMAL_POINT);
        if (number.kind != PRINTED_NOTHING)
            fail_msg("\"%s\": kind %d", texts[i], number.kind);
    }
}

static void guesses_nothing(void **state)
{
    (void)state;
    static const char *const texts[] = {"x",
                                        "~12",
                                        "<1",
                                        "> 5",
                                        "2000+",
                                        "1-2",
                                        "1..2",
                                        "12,5",
                                        "1,23,456",
                                        "0,123",
                                        "1.2.3",
                                        "12 (34 %)",
                                        "12 34",
                                        "12 345678",
                                        "10\xc2\xb3",
                                        "1e+",
                                        "0e999",
                                        "1e9999",
                                        "0x10",
                                        "12 m2",
                                        "3-system",
                                        "95read/05write",
                                        "see [1]",
                                        "+",
                                        ".",
                                        "inf",
                                        "1\n234",
                                        "\xff"
                                        "12",
                                        "12 \xe2\x82\xac",
                                        "12345678901234567890123456789012345678901"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct printed_number number;
        printed_number_read(&number, texts[i], DECIMAL_POINT);
        if (number.kind != PRINTED_TEXT)
            fail_msg("\"%s\": kind %d, %g", texts[i], number.kind, number.value);
        assert_true(isnan(number.value));
    }
}

static void reads_decimal_commas(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum decimal_mark mark;
        double value; /* NAN: ambiguous */
    } rows[] = {
        {"12,5", DECIMAL_COMMA, 12.5},      {"1.234,5", DECIMAL_COMMA, 1234.5}, {"1.234", DECIMAL_COMMA, 1234},
        {"1 234,5", DECIMAL_COMMA, 1234.5}, {"1,234", DECIMAL_COMMA, 1.234},    {"1,234", DECIMAL_POINT, 1234},
        {"1.234", DECIMAL_UNKNOWN, NAN},    {"1,234", DECIMAL_UNKNOWN, NAN},    {"1234", DECIMAL_UNKNOWN, 1234},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct printed_number number;
        printed_number_read(&number, rows[i].text, rows[i].mark);
        assert_int_equal(number.kind, isnan(rows[i].value) ? PRINTED_AMBIGUOUS : PRINTED_NUMBER);
        if (!isnan(rows[i].value))
            assert_near(rows[i].text, number.value, rows[i].value);
    }
}

static void counts_votes_for_the_decimal_mark(void **state)
{
    (void)state;
    assert_int_equal(printed_number_vote("12.5"), 1);
    assert_int_equal(printed_number_vote("1,234.5"), 1);
    assert_int_equal(printed_number_vote("0.123"), 1);
    assert_int_equal(printed_number_vote("1,234,567"), 1);
    assert_int_equal(printed_number_vote("12,5 %"), -1);
    assert_int_equal(printed_number_vote("1.234,5"), -1);
    assert_int_equal(printed_number_vote("0,123"), -1);
    assert_int_equal(printed_number_vote("1,234"), 0);
    assert_int_equal(printed_number_vote("1234"), 0);
    assert_int_equal(printed_number_vote("x"), 0);
}

/* Half units of the cells of a column, "0.5 0.05"; "-" where there is no number. */
static void assert_halves(const char *cells, const char *expected)
{
    struct csv_table table;
    struct printed_column column;
    char text[512], halves[512] = "";
    snprintf(text, sizeof text, "a\n%s\n", cells);
    for (char *blank = text; (blank = strchr(blank, ' ')); blank++)
        *blank = '\n';
    assert_true(csv_table_read(&table, text, strlen(text), NULL));
    printed_column_read(&column, &table, 0, printed_decimal_mark(&table));
    for (size_t i = 0; i < table.row_count; i++)
        snprintf(halves + strlen(halves), sizeof halves - strlen(halves),
                 column.cells[i].kind == PRINTED_NUMBER ? "%s%g" : "%s-", i ? " " : "", column.cells[i].half);
    assert_string_equal(halves, expected);
    printed_column_release(&column);
    csv_table_release(&table);
}

static void takes_each_numbers_own_digits(void **state)
{
    (void)state;
    assert_halves("12 3.4 5.67", "0.5 0.05 0.005");
    assert_halves("1000 1100 2000 3000", "0.5 0.5 0.5 0.5");
    assert_halves("1000 1234 5678 9012", "0.5 0.5 0.5 0.5");
    assert_halves("12.50 3.41 5.60 7.80", "0.005 0.005 0.005 0.005");
    assert_halves("800us 1.2ms 12", "5e-07 5e-05 -");
}

static void drops_zeros_that_nearly_all_have(void **state)
{
    (void)state;
    assert_halves("12.50 3.40 5.60", "0.05 0.05 0.05");
    assert_halves("12.00 3.00 5.00", "0.5 0.5 0.5");
    assert_halves("12.50 3.40 5.60 7.80 9.91", "0.05 0.05 0.05 0.05 0.005");
    assert_halves("12.50 3.40 0.00 5.60", "0.05 0.05 0.05 0.05");
    assert_halves("0.00 0.00 0.00 0.00", "0.005 0.005 0.005 0.005");
    assert_halves("1200 48300 9900 15100 20400 33000 7700 8100 12800 5600", "50 50 50 50 50 50 50 50 50 50");
}

static void takes_chosen_round_numbers_as_they_are(void **state)
{
    (void)state;
    assert_halves("1000 1000 1000 1000 1000 1000 1000 1000", "0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5");
    assert_halves("1000 2000 3000 4000 5000 6000 7000 8000 9000 10000 11000 12000",
                  "0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5");
}

static void keeps_the_significant_digits_of_a_column(void **state)
{
    (void)state;
    assert_halves("123 1230 4560 12300 101000 7890 45600", "0.5 5 5 50 500 5 50");
    assert_halves("1.23 12.3 123 1230 4.56 45.6 456 78.9 789", "0.005 0.05 0.5 5 0.005 0.05 0.5 0.05 0.5");
    assert_halves("123 1230 4560 12300 10123 7890 45600", "0.5 0.5 0.5 0.5 0.5 0.5 0.5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(reads_numbers, "numbers are read as people print them, each with the precision of its last digit"),
        NAMED_TEST(knows_what_is_nothing, "an empty cell, a dash and n/a are no numbers and nothing wrong"),
        NAMED_TEST(guesses_nothing, "what could mean something else is no number"),
        NAMED_TEST(reads_decimal_commas, "decimal commas are read where the table has them"),
        NAMED_TEST(counts_votes_for_the_decimal_mark, "only a cell that can mean one thing says what the marks mean"),
        NAMED_TEST(takes_each_numbers_own_digits, "each number is as precise as its own last digit"),
        NAMED_TEST(drops_zeros_that_nearly_all_have, "zeros that nearly all numbers have at the end do not count"),
        NAMED_TEST(takes_chosen_round_numbers_as_they_are, "1000 does not mean a precision of 1000"),
        NAMED_TEST(keeps_the_significant_digits_of_a_column,
                   "zeros behind the significant digits of a column do not count"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
