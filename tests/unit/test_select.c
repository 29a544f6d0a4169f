/* SPDX-License-Identifier: Apache-2.0 */
#include "model/select.h"

#include <stdio.h>
#include <stdlib.h>

#include "unit.h"

#define TESTS 6
static char names_of[TESTS][48] = {"Insert.Empty",
                                   "Update.IncNoIndex",
                                   "MultiUpdate.Doc",
                                   "[CWI.query] a, b (x) .",
                                   "Untagged.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!",
                                   "Insert.Empty.More"};
static char tags_of[TESTS][2][8] = {{"insert", "core"}, {"update", "core"}, {"update", "slow"}, {"query"}, {""},
                                    {"insert"}};

static char file[] = "tests.json";

static void fill(struct testcase_set *set, struct testcase *items, char *(*tags)[2])
{
    for (size_t i = 0; i < TESTS; i++) {
        items[i] = (struct testcase){.name = names_of[i], .tags = tags[i], .file = file};
        for (size_t j = 0; j < 2 && *tags_of[i][j]; j++)
            tags[i][items[i].tag_count++] = tags_of[i][j];
    }
    *set = (struct testcase_set){items, TESTS, TESTS};
}

/* "a b|c": two groups. */
static void parse(char *text, struct filter_groups *groups, struct filter_group *items, char *(*words)[8])
{
    *groups = (struct filter_groups){items, 0};
    char *rest = text, *group;
    while (*text && (group = strsep(&rest, "|"))) {
        struct filter_group *item = &items[groups->count];
        item->words = words[groups->count++];
        item->count = 0;
        char *word;
        while ((word = strsep(&group, "~")))
            item->words[item->count++] = word;
    }
}

/* The chosen positions as digits ("014"), or the message. Words are separated by ~, groups by |. */
static char result[2100];
static char noted[500]; /* all notes, one a line */
static const char *choose_with(bool allow_missing, const char *include, const char *exclude)
{
    struct testcase items[TESTS];
    char *tags[TESTS][2];
    struct testcase_set set;
    struct run_options options = {.allow_missing = allow_missing};
    struct filter_group in_items[4], out_items[4];
    char *in_words[4][8], *out_words[4][8];
    char *in_text = strdup(include), *out_text = strdup(exclude);
    fill(&set, items, tags);
    parse(in_text, &options.include, in_items, in_words);
    parse(out_text, &options.exclude, out_items, out_words);
    size_t *indices, count;
    struct error err;
    error_init(&err);
    struct message_list notes;
    message_list_init(&notes);
    if (select_tests(&set, &options, &indices, &count, &notes, &err)) {
        size_t i;
        for (i = 0; i < count; i++)
            result[i] = (char)('0' + indices[i]);
        result[i] = '\0';
        free(indices);
    } else {
        assert_null(indices);
        snprintf(result, sizeof result, "%s", err.message);
    }
    noted[0] = '\0';
    for (size_t i = 0, end = 0; i < notes.count; i++)
        end += (size_t)snprintf(noted + end, sizeof noted - end, "%s\n", notes.items[i]);
    message_list_release(&notes);
    free(in_text);
    free(out_text);
    return result;
}

static const char *choose(const char *include, const char *exclude)
{
    return choose_with(true, include, exclude);
}

static void without_filters_all_run(void **state)
{
    (void)state;
    assert_string_equal(choose("", ""), "012345");
    assert_string_equal(choose("%", ""), "012345");
    assert_string_equal(choose("%", "slow"), "01345");
}

static void words_are_alternatives_groups_are_not(void **state)
{
    (void)state;
    assert_string_equal(choose("insert", ""), "05");
    assert_string_equal(choose("insert~update", ""), "0125");
    assert_string_equal(choose("insert~update|core", ""), "01");
    assert_string_equal(choose("core|slow~insert", ""), "0");
}

static void exclusion_is_the_other_way_round_and_wins(void **state)
{
    (void)state;
    assert_string_equal(choose("", "update~core"), "02345");
    assert_string_equal(choose("", "update~core|query"), "0245");
    assert_string_equal(choose("update", "slow"), "1");
    assert_string_equal(choose("", "Insert.*"), "1234");
}

static void percent_means_all_only_alone(void **state)
{
    (void)state;
    assert_string_equal(choose("%~slow", ""), "2");
    assert_non_null(strstr(choose("%|slow", ""), "no test is selected: \"%\" matches no test"));
    assert_string_equal(choose("", "%"), "012345");
}

static void names_and_tags_are_literal_first(void **state)
{
    (void)state;
    assert_string_equal(choose("Insert.Empty", ""), "0");
    assert_string_equal(choose("[CWI.query] a, b (x) .", ""), "3");
    /* "Insert.Empty" is a name; "Insert.Empt." is a pattern. */
    assert_string_equal(choose("Insert.Empt.", ""), "0");
}

static void other_words_are_anchored_patterns(void **state)
{
    (void)state;
    assert_string_equal(choose("Insert.*", ""), "05");
    assert_string_equal(choose(".*Update.*", ""), "12");
    assert_string_equal(choose("Update.*|core", ""), "1");
    assert_non_null(strstr(choose("pdate.*", ""), "no test is selected"));
    assert_non_null(strstr(choose("Insert", ""), "did you mean \"insert\"?"));
    assert_non_null(strstr(choose("nsert|Update", ""), "\"Update\" matches no test, did you mean \"update\"?"));
    assert_string_equal(choose("Insert\\.Empty|insert", ""), "0");
    assert_string_equal(choose("[^U]*U.*", ""), "124");
}

static void bad_patterns_have_their_offset(void **state)
{
    (void)state;
    assert_string_equal(choose("insert~(", ""), "--includeFilter: \"(\" is no name or tag of a test, and not a pattern "
                                                "either: missing closing parenthesis at offset 1");
    assert_non_null(strstr(choose("", "ab[c"), "--excludeFilter: \"ab[c\" is no name"));
    assert_non_null(strstr(result, "at offset 4"));
    assert_non_null(strstr(choose("a\xff", ""), "at offset 1"));
    char longest[5000];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_non_null(strstr(choose(longest, ""), "too long"));
}

static void matching_is_bounded(void **state)
{
    (void)state;
    assert_non_null(strstr(choose("(a+)+$", ""), "no test is selected"));
    assert_non_null(strstr(choose("Untagged.(a+)+$", ""),
                           "--includeFilter: the pattern \"Untagged.(a+)+$\" cannot be matched "
                           "with \"Untagged.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\": "));
    assert_non_null(strstr(choose("insert", "Untagged.(a+)+$"), "--excludeFilter: the pattern"));
}

static void a_word_that_matches_nothing_beside_others_is_noted(void **state)
{
    (void)state;
    assert_string_equal(choose("insert~update", "core"), "25");
    assert_string_equal(noted, "");
    assert_string_equal(choose("Insert.Empty~Update.IncNoIndx", "slwo"), "0");
    assert_string_equal(noted,
                        "--includeFilter: \"Update.IncNoIndx\" matches no test, did you mean \"Update.IncNoIndex\"?\n"
                        "--excludeFilter: \"slwo\" matches no test, did you mean \"slow\"?\n");
    assert_string_equal(choose("%", "insert"), "1234");
    assert_string_equal(noted, "");
}

static void an_exact_word_that_fits_nothing_is_refused(void **state)
{
    (void)state;
    assert_string_equal(choose_with(false, "Insert.Empty~Update.IncNoIndx~nomatch", ""),
                        "--includeFilter: \"Update.IncNoIndx\" matches no test, did you mean \"Update.IncNoIndex\"?; "
                        "\"nomatch\" matches no test (--list shows names and tags; --allow-missing goes on without)");
    assert_non_null(strstr(choose_with(false, "insert", "slwo"), "--excludeFilter: \"slwo\" matches no test, did you"));
    assert_non_null(strstr(choose_with(false, "insert~", ""), "--includeFilter: \"\" matches no test"));
    assert_string_equal(choose_with(false, "Insert.Empty~Delete.*", "Up(date"),
                        "--excludeFilter: \"Up(date\" is no name "
                        "or tag of a test, and not a pattern either: missing closing parenthesis at offset 7");
    assert_string_equal(choose_with(false, "Insert.Empty~Delete.*", "Drop.+"), "0");
    assert_string_equal(noted, "--includeFilter: \"Delete.*\" matches no test\n"
                               "--excludeFilter: \"Drop.+\" matches no test\n");
    assert_string_equal(choose_with(false, "insert", "core~update"), "05");
}

static void nothing_selected_is_an_error_that_says_why(void **state)
{
    (void)state;
    assert_string_equal(choose("Insert.Empyt~nomatch", ""),
                        "no test is selected: \"Insert.Empyt\" matches no test, did you mean \"Insert.Empty\"?; "
                        "\"nomatch\" matches no test (--list shows names and tags)");
    assert_string_equal(choose("slow|insert", ""),
                        "no test is selected: none matches all 2 --includeFilter at once; the words "
                        "of one --includeFilter are alternatives");
    assert_string_equal(choose("slow", "update"),
                        "no test is selected: --excludeFilter excludes all 1 tests that --includeFilter selected");
    struct testcase_set empty = {0};
    struct run_options options = {0};
    size_t *indices, count;
    struct error err;
    error_init(&err);
    assert_false(select_tests(&empty, &options, &indices, &count, NULL, &err));
    assert_string_equal(err.message, "no test is selected: the files given hold none");
}

static void version_tags_compare_their_components(void **state)
{
    (void)state;
    const struct {
        char tag[12];
        const char *version;
        bool allowed;
    } cases[] = {
        {">=4.2.0", "4.2.0", true},     {">=4.2.0", "4.10.0", true},    {">=4.2.0", "4.1.9", false},
        {">=4.3.4", "8.0.0-rc1", true}, {">=8.0.0", "8.0.0-rc1", true}, {">=4.2.1", "4.2.0-pre", false},
        {">=4.2", "4.2.0", true},       {">=4.2", "4.1.99", false},     {">=5", "4.9.9", false},
        {">=5", "5.0", true},           {">=4.2.1", "4.2", false},      {">=4.2.0", "0.0.0", true},
        {">=4.2.0", NULL, true},        {">=4.2.0", "unknown", true},   {">=new", "1.0.0", true},
        {">=4.", "1.0.0", true},        {"<=4.2", "5.0", true},         {">=4.2.0", "3.4.24", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char tag[12], core[] = "core";
        memcpy(tag, cases[i].tag, sizeof tag);
        char *tags[] = {core, tag};
        struct testcase test = {.name = core, .tags = tags, .tag_count = 2};
        const char *failed = NULL;
        if (select_version_allows(&test, cases[i].version, &failed) != cases[i].allowed)
            fail_msg("%s with %s", cases[i].tag, cases[i].version ? cases[i].version : "an unknown version");
        assert_true(cases[i].allowed ? !failed : failed == tag);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(without_filters_all_run, "without a filter or with % alone every test is chosen"),
        NAMED_TEST(words_are_alternatives_groups_are_not, "words of an include are ORed, includes are ANDed"),
        NAMED_TEST(exclusion_is_the_other_way_round_and_wins,
                   "words of an exclude are ANDed, excludes are ORed and win"),
        NAMED_TEST(percent_means_all_only_alone, "% among other words is an ordinary word"),
        NAMED_TEST(names_and_tags_are_literal_first, "a word that is a name or tag is literal"),
        NAMED_TEST(other_words_are_anchored_patterns, "another word is a pattern for the whole name"),
        NAMED_TEST(bad_patterns_have_their_offset, "a bad pattern is an error with the offset"),
        NAMED_TEST(matching_is_bounded, "a pattern that would never end is an error"),
        NAMED_TEST(a_word_that_matches_nothing_beside_others_is_noted,
                   "a word that matches nothing beside others is noted"),
        NAMED_TEST(an_exact_word_that_fits_nothing_is_refused,
                   "a word that can only be a name, and is none, is refused"),
        NAMED_TEST(nothing_selected_is_an_error_that_says_why, "nothing selected is an error that says why"),
        NAMED_TEST(version_tags_compare_their_components, "version tags compare as many components as they have"),
    };
    return cmocka_run_group_tests_name("select", tests, NULL, NULL);
}
