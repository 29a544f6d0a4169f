/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "parse/plot_caption.h"
#include "parse/plot_text.h"

static void quotes(const char *text, unsigned width, const struct plot_letters *letters, const char *expected)
{
    struct buffer out = {0};
    plot_text_append(&out, text, width, letters);
    assert_string_equal(buffer_text(&out), expected);
    buffer_release(&out);
}

static void quotes_texts(void **state)
{
    (void)state;
    const struct plot_letters dumb = {.is_dumb = true};
    quotes("a`b`", 10, &dumb, "'a`b`'");
    quotes("it's", 10, &dumb, "'it'.\"\\047\".'s'");
    quotes("two\nlines", 10, &dumb, "'two lines'");
    quotes("", 10, &dumb, "''");
    quotes("\xff", 10, &dumb, "'?'");
}

static void cuts_texts(void **state)
{
    (void)state;
    const struct plot_letters dumb = {.is_dumb = true}, pixels = {0};
    quotes("0123456789", 10, &dumb, "'0123456789'");
    quotes("0123456789a", 10, &dumb, "'0123...9a'");
    quotes("0123456789abcdef", 10, &dumb, "'0123...ef'");
    quotes("\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad", 10, &dumb,
           "'\xe4\xb8\xad\xe4\xb8\xad...\xe4\xb8\xad'");
    quotes("0123456789", 0, &dumb, "'...'");
    assert_int_equal(plot_text_width("abc\xe4\xb8\xad", &dumb), 5);
    assert_true(plot_text_width("WWW", &pixels) > plot_text_width("iiiiiii", &pixels));
}

/* Whatever is cut is no wider than it may be. */
static void stays_within_its_width(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW", "iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii",
        "Queries.PartialIndex.AllInFilter.FilterEq", "\xc3\xa4\xc3\xb6\xc3\xbc \xe4\xb8\xad\xe6\x96\x87"};
    const struct plot_letters pixels = {0};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (unsigned width = 20; width < 400; width++) {
            struct buffer out = {0};
            plot_text_append(&out, texts[i], width, &pixels);
            out.data[out.size - 1] = '\0'; /* without the quotes */
            assert_true(plot_text_width((const char *)out.data + 1, &pixels) <= width);
            buffer_release(&out);
        }
    }
}

static void knows_fonts(void **state)
{
    (void)state;
    static char text[] =
        ":charset=4e00-4e2d 20-7e e9 21-30:fontformat=TrueType\n:charset=1f680:fontformat=PCF\n"
        ":charset=40-7f:fontformat=CFF\nno charset here: fontformat=TrueType\n:charset=:fontformat=CFF\n";
    struct font_coverage fonts;
    FILE *list = fmemopen(text, sizeof text - 1, "r");
    font_coverage_read(&fonts, list);
    fclose(list);
    assert_int_equal(fonts.count, 3);
    const struct plot_letters letters = {.fonts = &fonts};
    assert_true(font_coverage_has(&fonts, 0x4e10) && font_coverage_has(&fonts, 0xe9) &&
                font_coverage_has(&fonts, 0x20));
    assert_false(font_coverage_has(&fonts, 0x4e2e) || font_coverage_has(&fonts, 0x1f680) ||
                 font_coverage_has(&fonts, 0));
    quotes("\xc3\xa9 \xf0\x9f\x9a\x80", 100, &letters, "'\xc3\xa9 ?'");
    struct message_list missing;
    message_list_init(&missing);
    plot_text_list_missing("\xc3\xa9\xf0\x9f\x9a\x80\xf0\x9f\x9a\x80\xc3\xb1", &fonts, &missing);
    assert_int_equal(missing.count, 2);
    assert_string_equal(missing.items[0], "U+1F680");
    assert_string_equal(missing.items[1], "U+00F1");
    message_list_release(&missing);
    font_coverage_release(&fonts);
}

static void folds_captions(void **state)
{
    (void)state;
    struct message_list sentences, lines;
    message_list_init(&sentences);
    message_list_init(&lines);
    message_list_add(&sentences, "one two three");
    message_list_add(&sentences, "abcdefghijklmn op");
    message_list_add(&sentences, "exactly ten");
    plot_caption_fold(&sentences, 10, &lines);
    static const char *const expected[] = {"one two", "three", "abcdefghij", "klmn op", "exactly", "ten"};
    assert_int_equal(lines.count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < lines.count; i++)
        assert_string_equal(lines.items[i], expected[i]);
    message_list_release(&sentences);
    message_list_release(&lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(quotes_texts, "a text reaches gnuplot as one string that nothing in it can end"),
        NAMED_TEST(cuts_texts, "a text that is too wide keeps its begin and its end"),
        NAMED_TEST(stays_within_its_width, "what is cut is no wider than it may be"),
        NAMED_TEST(knows_fonts, "a character that no font can draw is a question mark, and is named once"),
        NAMED_TEST(folds_captions, "captions are folded at blanks, words that are too long are cut"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
