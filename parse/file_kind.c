/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/file_kind.h"

#include <string.h>

#include "base/array.h"

#define EXCERPT 40

static const struct {
    const char *bytes;
    size_t size;
    const char *name, *unpack;
} packed[] = {
    {"\x1f\x8b", 2, "gzip", "gzip -dc"},
    {"\xfd\x37zXZ", 5, "xz", "xz -dc"},
    {"\x28\xb5\x2f\xfd", 4, "Zstandard", "zstd -dc"},
    {"BZh", 3, "bzip2", "bzip2 -dc"},
    {"PK\x03\x04", 4, "zip", "unzip -p"},
};

static bool begins_with(const char *text, size_t size, const char *bytes, size_t count)
{
    return size >= count && memcmp(text, bytes, count) == 0;
}

static bool is_packed(const char *text, size_t size, struct error *err)
{
    for (size_t i = 0; i < COUNT_OF(packed); i++) {
        if (!begins_with(text, size, packed[i].bytes, packed[i].size))
            continue;
        error_set(err, "is compressed with %s, expected JSON; unpack it first (%s FILE > result.json)", packed[i].name,
                  packed[i].unpack);
        return true;
    }
    return false;
}

/* By the byte order mark, or by where the zeros of the first character are, which in JSON is one of ASCII. NULL: none
 * of these. */
static const char *wide_encoding(const char *text, size_t size)
{
    if (size < 4)
        return NULL;
    bool zero[4] = {!text[0], !text[1], !text[2], !text[3]};
    if (zero[2] && zero[3] && !zero[0])
        return "UTF-32LE";
    if (zero[0] && zero[1] && !zero[3])
        return "UTF-32BE";
    if (begins_with(text, size, "\xff\xfe", 2) || (zero[1] && !zero[0]))
        return "UTF-16LE";
    if (begins_with(text, size, "\xfe\xff", 2) || (zero[0] && !zero[1]))
        return "UTF-16BE";
    return NULL;
}

static bool is_wide(const char *text, size_t size, struct error *err)
{
    const char *encoding = wide_encoding(text, size);
    if (encoding)
        error_set(err, "is %s, expected UTF-8; convert it first (iconv -f %s -t UTF-8 FILE > result.json)", encoding,
                  encoding);
    return encoding != NULL;
}

static unsigned long line_of(const char *text, const char *at)
{
    unsigned long line = 1;
    for (const char *c = text; (c = memchr(c, '\n', (size_t)(at - c))); c++)
        line++;
    return line;
}

/* JSON holds none, neither between its tokens nor in its strings. */
static bool has_nul(const char *text, size_t size, struct error *err)
{
    const char *nul = memchr(text, '\0', size);
    if (!nul)
        return false;
    error_set(
        err,
        "line %lu holds a NUL byte, which no JSON has: the file is damaged, or is no text, expected a result file "
        "of benchrun or mongo-perf",
        line_of(text, nul));
    return true;
}

/* The last line before the first "results" that begins with a brace: what is printed before a result may hold JSON of
 * its own. NULL: none. */
static const char *find_result(const char *text, size_t size)
{
    static const char word[] = "\"results\"";
    const char *results = memmem(text, size, word, sizeof word - 1), *found = NULL;
    for (const char *line = text; results && line < results; line++) {
        if (*line == '{')
            found = line;
        line = memchr(line, '\n', (size_t)(results - line));
        if (!line)
            break;
    }
    return found;
}

static void say_other_text(const char *text, size_t size, const char *first, struct error *err)
{
    const char *json = find_result(text, size);
    size_t left = (size_t)(text + size - first), length = 0;
    while (length < left && length < EXCERPT && first[length] != '\n')
        length++;
    if (*first == '[')
        error_set(err, "is a JSON list, expected one JSON object; put each result into a file of its own "
                       "(jq '.[0]' FILE > first.json)");
    else if (json)
        error_set(err,
                  "is captured output: JSON begins in line %lu, expected nothing before it; cut off the lines above "
                  "(sed -n '%lu,$p' FILE > result.json)",
                  line_of(text, json), line_of(text, json));
    else
        error_set(err, "line %lu: expected a JSON object, found \"%.*s\"; give a result file of benchrun or mongo-perf",
                  line_of(text, first), (int)length, first);
}

bool file_kind_check(const char *text, size_t size, struct error *err)
{
    const char *first = text, *end = text + size;
    if (size == 0)
        error_set(err, "is empty, expected a result file of benchrun or mongo-perf");
    if (size == 0 || is_packed(text, size, err) || is_wide(text, size, err) || has_nul(text, size, err))
        return false;
    if (begins_with(text, size, "\xEF\xBB\xBF", 3))
        first += 3;
    while (first < end && strchr(" \t\r\n", *first))
        first++;
    if (first < end && *first == '{')
        return true;
    if (first == end)
        error_set(err, "holds only blanks, expected a result file of benchrun or mongo-perf");
    else
        say_other_text(text, size, first, err);
    return false;
}

const char *file_kind_of_member(const char *name)
{
    static const struct {
        const char *member, *kind;
    } known[] = {
        {"tests", "a file of test-case definitions"},
        {"ops", "a test-case definition"},
        {"comparisons", "what benchcompare --format json prints"},
        {"data", "a result wrapped in another object; take it out of its member \"data\""},
        {"journal", "a journal of benchrun; give the result file beside it"},
    };
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (strcmp(known[i].member, name) == 0)
            return known[i].kind;
    return NULL;
}
