/* SPDX-License-Identifier: Apache-2.0 */
#include "cli_rewrite.h"

#include "base/buffer.h"
#include "unit.h"
#include "words.h"

struct row {
    const char *given;
    const char *expected; /* the words, or a part of the message */
};

/* "--threads=1,2|-j=true": options apart by "|", the words of a list by ",". */
static void append_word(struct buffer *text, const struct cli_word *word)
{
    if (word->is_more)
        buffer_append_printf(text, ",%s", word->value);
    else
        buffer_append_printf(text, "%s%s=%s", text->size ? "|" : "", word->option->name, word->value);
}

static void check_rewritten(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct words words;
        words_split(&words, rows[i].given);
        struct cli_words out;
        struct error err;
        error_init(&err);
        struct buffer text = {0};
        if (!cli_rewrite(words.argc, words.argv, &out, &err))
            buffer_append_printf(&text, "%s", err.message);
        for (size_t k = 0; !err.is_set && k < out.count; k++)
            append_word(&text, &out.items[k]);
        assert_string_equal(buffer_text(&text), rows[i].expected);
        buffer_release(&text);
        cli_words_release(&out);
        words_release(&words);
    }
}

static void check_refused(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct words words;
        words_split(&words, rows[i].given);
        struct cli_words out;
        struct error err;
        error_init(&err);
        assert_false(cli_rewrite(words.argc, words.argv, &out, &err));
        if (!strstr(err.message, rows[i].expected))
            assert_string_equal(err.message, rows[i].expected);
        cli_words_release(&out);
        words_release(&words);
    }
}

#define CHECK(function, ...)                                                                                           \
    const struct row rows[] = {__VA_ARGS__};                                                                           \
    (void)state;                                                                                                       \
    function(rows, sizeof rows / sizeof *rows)

static void lists(void **state)
{
    CHECK(check_rewritten, {"-f|a|b|-t|1|2|4", "--testfiles=a,b|--threads=1,2,4"},
          {"--includeFilter|a|b|--includeFilter|c", "--includeFilter=a,b|--includeFilter=c"},
          {"-t1|2", "--threads=1,2"}, {"--threads=1|2", "--threads=1,2"}, {"-t=1|2", "--threads=1,2"},
          {"-t|1|2|...|128|--out|x", "--threads=1,2,...,128|--out=x"}, {"-f||b", "--testfiles=,b"},
          {"-f|-", "--testfiles=-"});
}

static void prefixes(void **state)
{
    CHECK(check_rewritten, {"--incl|a", "--includeFilter=a"}, {"--pass|x", "--password=x"},
          {"--passwordF|x", "--passwordFile=x"}, {"--u|x", "--username=x"}, {"--ur|x", "--uri=x"},
          {"--th|1", "--threads=1"}, {"--trialT=3", "--trialTime=3"}, {"--loc", "--local=true"}, {"--o|x", "--out=x"},
          {"--exclude-|true", "--exclude-testbed=true"}, {"--host|h", "--host=h"}, {"--w|true", "--writeCmd=true"},
          {"--mongo|p", "--mongod=p"}, {"--v", "--version=true"}, {"-V", "--version=true"});
}

static void ambiguous(void **state)
{
    CHECK(check_refused, {"--trial|3", "--trial may be any of --trialTime, --trialCount"},
          {"--ex|a", "--excludeFilter"}, {"--fo|json", "--format"}, {"--bogus", "unknown option --bogus"},
          {"--trailTime|3", "did you mean --trialTime"}, {"--bogus=secret", "--bogus;"}, {"-x", "unknown option -x"},
          {"--,=x", "unknown option"}, {"--l", "--list, --local"});
}

static void booleans(void **state)
{
    CHECK(check_rewritten, {"-j", "-j=true"}, {"-j|false", "-j=false"}, {"-jfalse", "-j=false"},
          {"-j=false", "-j=false"}, {"--safe|true|--list", "--safe=true|--list=true"},
          {"--readCmd=false", "--readCmd=false"}, {"--keep|false", "--keep=false"}, {"-h", "--help=true"});
}

static void values_that_look_like_options(void **state)
{
    CHECK(check_rewritten, {"-m|-1", "--multidb=-1"}, {"-t|1|-2.5", "--threads=1,-2.5"}, {"-p|-a b", "--password=-a b"},
          {"--password=-x", "--password=-x"}, {"-p-x", "--password=-x"},
          {"-f|a|--|-b|--list", "--testfiles=a,-b,--list"}, {"-f|--|b", "--testfiles=b"}, {"-p=x", "--password=x"},
          {"-pp@s:s/w%rd#1", "--password=p@s:s/w%rd#1"}, {"-w3", "-w=3"}, {"--out=", "--out="});
}

static void empty_values(void **state)
{
    CHECK(check_rewritten, {"-w||-f|a", "-w=|--testfiles=a"}, {"-w=", "-w="}, {"--out||-w|1", "--out=|-w=1"},
          {"-t||-f|a", "--threads=|--testfiles=a"}, {"-f||-w||-t|1|", "--testfiles=|-w=|--threads=1,"},
          {"--includeFilter|||x", "--includeFilter=,,x"}, {"-p||-u|joe", "--password=|--username=joe"});
}

static void strays(void **state)
{
    CHECK(check_refused, {"a", "\"a\" belongs to no option"}, {"--out|x|y", "\"y\" after --out"},
          {"-f|a|--out|x|b", "\"b\" after --out"}, {"-j|maybe", "true or false"}, {"-j=maybe", "true or false"},
          {"-h|x", "after --help"}, {"--help=x", "takes no value"}, {"--|x", "belongs to no option"},
          {"-f", "--testfiles needs at least one word"}, {"-f|-t|1", "--testfiles needs at least one word"},
          {"--out", "--out needs a value"}, {"--out|--list", "--out needs a value"},
          {"--out|--|x", "--out needs a value"});
}

static void stray_after_a_password_is_not_shown(void **state)
{
    (void)state;
    struct words words;
    words_split(&words, "-p|my|secret");
    struct cli_words out;
    struct error err;
    error_init(&err);
    assert_false(cli_rewrite(words.argc, words.argv, &out, &err));
    assert_null(strstr(err.message, "secret"));
    cli_words_release(&out);
    words_release(&words);
}

static void connection_string_is_not_shown(void **state)
{
    (void)state;
    static const char *const lines[] = {"mongodb://u:secret@h", "-f|a|mongodb://u:secret@h",
                                        "-t|1|mongodb+srv://u:secret@h", "--local|mongodb://u:secret@h",
                                        "--out|x|mongodb://u:secret@h"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct words words;
        words_split(&words, lines[i]);
        struct cli_words out;
        struct error err;
        error_init(&err);
        assert_false(cli_rewrite(words.argc, words.argv, &out, &err));
        assert_non_null(strstr(err.message, "a connection string is the value of --uri"));
        assert_null(strstr(err.message, "secret"));
        cli_words_release(&out);
        words_release(&words);
    }
}

static void sources(void **state)
{
    (void)state;
    struct words words;
    words_split(&words, "-psecret|--pass=two|-p|three");
    struct cli_words out;
    struct error err;
    error_init(&err);
    assert_true(cli_rewrite(words.argc, words.argv, &out, &err));
    const char *expected[] = {"secret", "two", "three"};
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(words.argv[out.items[i].source] + out.items[i].offset, expected[i]);
    cli_words_release(&out);
    words_release(&words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(lists, "a list option takes every word up to the next option"),
        NAMED_TEST(prefixes, "a prefix unique among mongo-perf's options keeps its meaning"),
        NAMED_TEST(ambiguous, "an ambiguous or unknown option is refused, with the near ones"),
        NAMED_TEST(booleans, "true or false may follow a boolean option"),
        NAMED_TEST(values_that_look_like_options, "negative numbers and attached words are values"),
        NAMED_TEST(empty_values, "an empty word is a value, and takes nothing with it"),
        NAMED_TEST(strays, "a stray word is refused"),
        NAMED_TEST(stray_after_a_password_is_not_shown, "a stray word after a password is not shown"),
        NAMED_TEST(connection_string_is_not_shown,
                   "a connection string in the wrong place is named by its option alone"),
        NAMED_TEST(sources, "the place of a value in argv is known"),
    };
    return cmocka_run_group_tests_name("cli_rewrite", tests, NULL, NULL);
}
