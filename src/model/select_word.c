/* SPDX-License-Identifier: Apache-2.0 */
#include "model/select_word.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A name of 100 characters needs some hundred steps against a sensible pattern. */
#define STEPS_MAX 100000
#define DEPTH_MAX 5000
#define HEAP_MAX_KIB 4096
#define PATTERN_MAX 4096

struct select_word {
    const char *text;
    bool has_matched;
    pcre2_code *code; /* NULL: a literal */
    pcre2_match_data *data;
    pcre2_match_context *limits;
};

static bool is_name_or_tag(const char *text, const struct testcase *test)
{
    if (strcmp(text, test->name) == 0)
        return true;
    for (size_t i = 0; i < test->tag_count; i++)
        if (strcmp(text, test->tags[i]) == 0)
            return true;
    return false;
}

static bool is_known(const char *text, const struct testcase_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        if (is_name_or_tag(text, &set->items[i]))
            return true;
    return false;
}

static bool compile(struct select_word *word, struct error *err)
{
    int code;
    PCRE2_SIZE offset;
    if (strlen(word->text) > PATTERN_MAX) {
        error_set(err, "a pattern of %zu bytes is too long, at most %d are allowed", strlen(word->text), PATTERN_MAX);
        return false;
    }
    word->code =
        pcre2_compile((PCRE2_SPTR)word->text, PCRE2_ZERO_TERMINATED,
                      PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C, &code, &offset, NULL);
    if (!word->code) {
        char reason[200] = "";
        pcre2_get_error_message(code, (PCRE2_UCHAR *)reason, sizeof reason);
        error_set(err, "\"%s\" is no name or tag of a test, and not a pattern either: %s at offset %zu", word->text,
                  reason, (size_t)offset);
        return false;
    }
    word->data = pcre2_match_data_create(1, NULL);
    word->limits = pcre2_match_context_create(NULL);
    pcre2_set_match_limit(word->limits, STEPS_MAX);
    pcre2_set_depth_limit(word->limits, DEPTH_MAX);
    pcre2_set_heap_limit(word->limits, HEAP_MAX_KIB);
    return true;
}

struct select_word *select_word_new(const char *text, const struct testcase_set *set, struct error *err)
{
    struct select_word *word = memory_zeroed(1, sizeof *word);
    word->text = text;
    if (is_known(text, set) || compile(word, err))
        return word;
    select_word_free(word);
    return NULL;
}

void select_word_free(struct select_word *word)
{
    if (!word)
        return;
    pcre2_match_context_free(word->limits);
    pcre2_match_data_free(word->data);
    pcre2_code_free(word->code);
    free(word);
}

bool select_word_matches(struct select_word *word, const struct testcase *test, bool *matches, struct error *err)
{
    if (word->code) {
        int found = pcre2_match(word->code, (PCRE2_SPTR)test->name, strlen(test->name), 0, 0, word->data, word->limits);
        if (found < 0 && found != PCRE2_ERROR_NOMATCH) {
            char reason[200] = "";
            pcre2_get_error_message(found, (PCRE2_UCHAR *)reason, sizeof reason);
            error_set(err, "the pattern \"%s\" cannot be matched with \"%s\": %s; write it more simply", word->text,
                      test->name, reason);
            return false;
        }
        *matches = found >= 0;
    } else {
        *matches = is_name_or_tag(word->text, test);
    }
    word->has_matched |= *matches;
    return true;
}

bool select_word_has_matched(const struct select_word *word)
{
    return word->has_matched;
}

bool select_word_looks_exact(const struct select_word *word)
{
    return !strpbrk(word->text, "\\^$*+?()[]{}|");
}

const char *select_word_text(const struct select_word *word)
{
    return word->text;
}
