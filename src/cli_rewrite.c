/* SPDX-License-Identifier: Apache-2.0 */
#include "cli_rewrite.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "base/nearest.h"

struct rewriter {
    size_t argc;
    char *const *argv;
    size_t at;
    bool only_values;               /* "--" has been seen */
    const struct cli_option *last;  /* the option before this word */
    size_t last_words;              /* how many values it has got */
    const struct cli_option *found; /* the option that argv[at] is */
    const char *attached;           /* its value in the same word, NULL: none */
    struct cli_words *out;
};

static void emit(struct rewriter *r, const struct cli_option *option, const char *value)
{
    struct cli_words *words = r->out;
    if (words->count == words->capacity) {
        words->capacity = words->capacity ? words->capacity * 2 : 16;
        words->items = memory_resize(words->items, words->capacity, sizeof *words->items);
    }
    struct cli_word *word = &words->items[words->count++];
    *word = (struct cli_word){
        .option = option, .value = memory_strdup(value), .is_more = r->last_words++ > 0, .source = r->at};
    /* A value is the whole word or its end. The "true" of a bare switch is in no word; nobody asks where. */
    size_t length = strlen(r->argv[r->at]), value_length = strlen(value);
    word->offset = value_length < length ? length - value_length : 0;
}

static bool begins(const char *name, const char *prefix, size_t length)
{
    return strncmp(name, prefix, length) == 0;
}

/* Candidates of one kind for a cut name: how many, the first, and all of them as text. */
static size_t count_prefixed(const char *word, size_t length, bool mongo_perf, const struct cli_option **first,
                             struct buffer *names)
{
    size_t count = 0;
    for (size_t i = 0; i < cli_option_count; i++) {
        const struct cli_option *option = &cli_options[i];
        if (option->is_mongo_perf != mongo_perf || option->name[1] != '-' || !begins(option->name, word, length))
            continue;
        if (count++ == 0)
            *first = option;
        buffer_append_printf(names, "%s%s", names->size ? ", " : "", option->name);
    }
    return count;
}

static const struct cli_option *find_exact(const char *word, size_t length)
{
    for (size_t i = 0; i < cli_option_count; i++)
        if (begins(cli_options[i].name, word, length) && cli_options[i].name[length] == '\0')
            return &cli_options[i];
    return NULL;
}

/* False when the prefix fits several options. */
static bool find_long(struct rewriter *r, const char *word, struct error *err)
{
    size_t length = strcspn(word, "=");
    r->attached = word[length] ? word + length + 1 : NULL;
    r->found = find_exact(word, length);
    if (r->found)
        return true;
    struct buffer names = {0};
    size_t count = count_prefixed(word, length, true, &r->found, &names);
    if (count == 0)
        count = count_prefixed(word, length, false, &r->found, &names);
    if (count > 1)
        error_set(err, "%.*s may be any of %s", (int)length, word, buffer_text(&names));
    buffer_release(&names);
    return count <= 1;
}

static void find_short(struct rewriter *r, const char *word)
{
    r->found = NULL;
    for (size_t i = 0; i < cli_option_count; i++)
        if (cli_options[i].letter == word[1])
            r->found = &cli_options[i];
    const char *rest = word + 2 + (word[2] == '=');
    r->attached = word[2] ? rest : NULL;
}

static bool is_negative_number(const char *word)
{
    size_t digits = strspn(word + 1, "0123456789");
    if (word[1 + digits] == '.')
        digits += 1 + strspn(word + 2 + digits, "0123456789");
    return digits > 0 && word[1 + digits] == '\0';
}

static bool unknown_option(const char *word, struct error *err)
{
    const char *names[BENCHRUN_CLI_OPTIONS_MAX];
    for (size_t i = 0; i < cli_option_count; i++)
        names[i] = cli_options[i].name;
    size_t length = strcspn(word, "=");
    char *name = memory_printf("%.*s", (int)length, word);
    const char *near = nearest_find(name, names, cli_option_count);
    error_set(err, "unknown option %s%s%s; benchrun --help lists them all", name, near ? ", did you mean " : "",
              near ? near : "");
    free(name);
    return false;
}

/* Sets r->found to the option that `word` is, NULL when it is a value. False when it can be neither. */
static bool recognise(struct rewriter *r, const char *word, struct error *err)
{
    r->found = NULL;
    if (word[0] != '-' || word[1] == '\0' || r->only_values)
        return true;
    if (word[1] != '-')
        find_short(r, word);
    else if (!find_long(r, word, err))
        return false;
    return r->found || is_negative_number(word) || strchr(word, ' ') || unknown_option(word, err);
}

/* The value in the next word, NULL when there is none. */
static const char *next_value(struct rewriter *r)
{
    if (r->at + 1 >= r->argc || strcmp(r->argv[r->at + 1], "--") == 0)
        return NULL;
    const struct cli_option *option = r->found;
    bool is_value = recognise(r, r->argv[r->at + 1], NULL) && !r->found;
    r->found = option;
    return is_value ? r->argv[r->at + 1] : NULL;
}

static bool is_truth_word(const char *word)
{
    return word && (strcmp(word, "true") == 0 || strcmp(word, "false") == 0);
}

static bool take_flag(struct rewriter *r, const struct cli_option *option, const char *attached, struct error *err)
{
    if (attached)
        error_set(err, "%s takes no value", option->name);
    else
        emit(r, option, "true");
    return !attached;
}

static bool take_bool(struct rewriter *r, const struct cli_option *option, const char *attached, struct error *err)
{
    if (attached && !is_truth_word(attached)) {
        error_set(err, "%s is true or false, not \"%s\"", option->name, attached);
        return false;
    }
    const char *next = attached ? NULL : next_value(r);
    if (is_truth_word(next))
        r->at++;
    else
        next = "true";
    emit(r, option, attached ? attached : next);
    return true;
}

static bool take_value(struct rewriter *r, const struct cli_option *option, const char *attached, struct error *err)
{
    const char *value = attached ? attached : next_value(r);
    if (!value) {
        error_set(err, "%s needs a value (one that begins with - is written %s%sVALUE)", option->name, option->name,
                  option->name[1] == '-' ? "=" : "");
        return false;
    }
    if (!attached)
        r->at++;
    emit(r, option, value);
    return true;
}

/* The other words come by themselves. */
static bool take_list(struct rewriter *r, const struct cli_option *option, const char *attached, struct error *err)
{
    (void)err;
    if (attached)
        emit(r, option, attached);
    return true;
}

/* A list option must have got a word by the time that something else follows. */
static bool close_last(const struct rewriter *r, struct error *err)
{
    if (!r->last || r->last->kind != CLI_LIST || r->last_words > 0)
        return true;
    error_set(err, "%s needs at least one word", r->last->name);
    return false;
}

static bool take_option(struct rewriter *r, struct error *err)
{
    static bool (*const take[])(struct rewriter *, const struct cli_option *, const char *, struct error *) = {
        [CLI_FLAG] = take_flag, [CLI_BOOL] = take_bool, [CLI_VALUE] = take_value, [CLI_LIST] = take_list};
    const struct cli_option *option = r->found;
    const char *attached = r->attached;
    if (!close_last(r, err))
        return false;
    r->last = option;
    r->last_words = 0;
    return take[option->kind](r, option, attached, err);
}

/* mongosh and mongostat take one as a word of its own. It may hold a password: it is not shown. */
static bool refuse_connection_string(const struct rewriter *r, struct error *err)
{
    static const char *const schemes[] = {"mongodb://", "mongodb+srv://"};
    for (size_t i = 0; i < COUNT_OF(schemes); i++)
        if (strncmp(r->argv[r->at], schemes[i], strlen(schemes[i])) == 0)
            error_set(err, "a connection string is the value of --uri%s%s", r->last ? ", and no word of " : "",
                      r->last ? r->last->name : "");
    return !err->is_set;
}

static bool take_word(struct rewriter *r, struct error *err)
{
    const char *word = r->argv[r->at];
    if (!refuse_connection_string(r, err))
        return false;
    if (r->last && r->last->kind == CLI_LIST)
        emit(r, r->last, word);
    else if (r->last && r->last->is_secret) /* It may be the second half of a password. */
        error_set(err, "unexpected argument after %s; a value with blanks goes in quotes", r->last->name);
    else if (r->last && r->last->kind == CLI_BOOL)
        error_set(err, "%s may be followed by true or false, not by \"%s\"", r->last->name, word);
    else if (r->last)
        error_set(err, "unexpected argument \"%s\" after %s", word, r->last->name);
    else
        error_set(err, "\"%s\" belongs to no option; definition files come after -f", word);
    return r->last && r->last->kind == CLI_LIST;
}

bool cli_rewrite(int argc, char *const argv[], struct cli_words *words, struct error *err)
{
    *words = (struct cli_words){0};
    struct rewriter r = {.argc = (size_t)argc, .argv = argv, .out = words};
    for (r.at = 1; r.at < r.argc; r.at++) {
        if (!r.only_values && strcmp(argv[r.at], "--") == 0) {
            r.only_values = true;
            continue;
        }
        if (!recognise(&r, argv[r.at], err) || !(r.found ? take_option(&r, err) : take_word(&r, err)))
            return false;
    }
    return close_last(&r, err);
}

void cli_words_release(struct cli_words *words)
{
    for (size_t i = 0; i < words->count; i++) {
        explicit_bzero(words->items[i].value, strlen(words->items[i].value));
        free(words->items[i].value);
    }
    free(words->items);
    *words = (struct cli_words){0};
}
