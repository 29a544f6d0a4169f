/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"

#include <stdlib.h>

#include "unit.h"

static void assert_safe(const char *text, const char *expected)
{
    char *safe = text_safe(text);
    assert_string_equal(safe, expected);
    free(safe);
}

static void plain(void **state)
{
    (void)state;
    assert_safe("", "");
    assert_safe("Insert.Empty \"x\" ~ \\", "Insert.Empty \"x\" ~ \\");
    assert_safe("\xC2\xA0\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80 \xF4\x8F\xBF\xBF",
                "\xC2\xA0\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80 \xF4\x8F\xBF\xBF");
}

static void line_breaks(void **state)
{
    (void)state;
    assert_safe("a\tb\nc\vd\fe\rf", "a b c d e f");
    assert_safe("a\xC2\x85z\xE2\x80\xA8y\xE2\x80\xA9x", "a z y x");
}

static void control_characters(void **state)
{
    (void)state;
    assert_safe("\x1B[31mRED\a\b\x01\x7F", "?[31mRED????");
    assert_safe("\xC2\x9B"
                "31m \xC2\x80\xC2\x9F",
                "?31m ??");
}

static void bidirectional(void **state)
{
    (void)state;
    assert_safe("a\xD8\x9C\xE2\x80\x8E\xE2\x80\x8F\xE2\x80\xAA\xE2\x80\xABz", "a?????z");
    assert_safe("a\xE2\x80\xAC\xE2\x80\xAD\xE2\x80\xAE\xE2\x81\xA6\xE2\x81\xA7z", "a?????z");
    assert_safe("a\xE2\x81\xA8\xE2\x81\xA9z", "a??z");
    assert_safe("\xE2\x80\xA7 \xE2\x81\xA5 \xD7\x90", "\xE2\x80\xA7 \xE2\x81\xA5 \xD7\x90");
}

static void broken_utf8(void **state)
{
    (void)state;
    assert_safe("a\xFF"
                "b\xC3",
                "a?b?");
    assert_safe("\xC0\xAF \xE0\x9F\xBF \xF0\x8F\xBF\xBF \xED\xA0\x80 \xF4\x90\x80\x80 \x80", "?? ??? ???? ??? ???? ?");
    assert_safe("\xE2\x82z\xF0\x9F\x98", "??z???");
}

static void cut(void **state)
{
    (void)state;
    char out[8];
    const char *smile = "ab\xF0\x9F\x98\x80z";
    for (size_t size = 1; size <= sizeof out; size++) {
        text_copy_safe(out, size, smile, strlen(smile));
        size_t expected = size <= 3 ? size - 1 : size < 7 ? 2 : size - 1;
        assert_int_equal(strlen(out), expected);
        assert_memory_equal(out, smile, expected);
    }
    text_copy_safe(out, sizeof out, "l\0i\nz", 5);
    assert_string_equal(out, "l?i z");
}

static void columns(void **state)
{
    (void)state;
    assert_int_equal(text_columns(""), 0);
    assert_int_equal(text_columns("a\xC3\xA4\xF0\x9F\x98\x80"), 3);
    assert_int_equal(text_bytes("a\xC3\xA4z", 0), 0);
    assert_int_equal(text_bytes("a\xC3\xA4z", 1), 1);
    assert_int_equal(text_bytes("a\xC3\xA4z", 2), 3);
    assert_int_equal(text_bytes("a\xC3\xA4z", 3), 4);
    assert_int_equal(text_bytes("a\xC3\xA4z", 9), 4);
}

static void lines(void **state)
{
    (void)state;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    text_print_line(out, "%s: %d", "a\nb", 5);
    fclose(out);
    assert_string_equal(text, "a b: 5\n");
    free(text);
    out = open_memstream(&text, &size);
    text_print_lines(out, "me: ", "one\r\nme: two\n  three\n\nme: four\x1b");
    fclose(out);
    assert_string_equal(text, "me: one \n  me: two\n  three\n  \n  me: four?\n");
    free(text);
}

static void folds(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t columns, bytes;
    } rows[] = {
        {"", 10, 0},
        {"short", 10, 5},
        {"one two", 7, 7},
        {"one two three", 7, 7},
        {"one two three", 8, 7},
        {"one two three", 6, 3},
        {"one  two", 4, 3},
        {"longword", 4, 4},
        {"a longword", 4, 1},
        {"\xc3\xbc\xc3\xbc\xc3\xbc", 2, 4},
        {"\xc3\xbc \xc3\xbc", 2, 2},
        {" x yy", 3, 2},
        {"    x", 2, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(text_fold(rows[i].text, rows[i].columns), rows[i].bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(plain, "plain text and other people's letters stay"),
        NAMED_TEST(line_breaks, "whatever breaks a line becomes a blank"),
        NAMED_TEST(control_characters, "control characters of one byte and of two become question marks"),
        NAMED_TEST(bidirectional, "so do the controls that turn the order of reading"),
        NAMED_TEST(broken_utf8, "and bytes that are no UTF-8"),
        NAMED_TEST(cut, "a text that finds too little room is cut between two characters"),
        NAMED_TEST(columns, "columns are characters"),
        NAMED_TEST(lines, "what is printed is one line, or lines that cannot pass for messages"),
        NAMED_TEST(folds, "a text is folded at a blank where one fits, between characters else"),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
