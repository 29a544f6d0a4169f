/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_TESTCASE_CHECK_H
#define TESTS_TESTCASE_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "model/testcase.h"
#include "unit.h"

/* What came of one text. */
struct loaded {
    struct testcase_set set;
    struct message_list errors, warnings;
    bool ok;
};

static inline struct loaded load_text(const char *text, uint64_t seed)
{
    struct loaded loaded;
    testcase_set_init(&loaded.set);
    message_list_init(&loaded.errors);
    message_list_init(&loaded.warnings);
    /* A copy without a NUL, so that reading past the end is seen. */
    size_t size = strlen(text);
    void *bytes = memory_copy(text, size);
    loaded.ok = testcase_set_load_bytes(&loaded.set, "x.json", bytes, size, seed, &loaded.errors, &loaded.warnings);
    free(bytes);
    return loaded;
}

static inline void release_loaded(struct loaded *loaded)
{
    testcase_set_release(&loaded->set);
    message_list_release(&loaded->errors);
    message_list_release(&loaded->warnings);
}

/* `lines` are the complaints, each ended by a newline. */
static inline void expect_messages(const char *text, const struct message_list *list, const char *lines)
{
    struct buffer all = {0};
    for (size_t i = 0; i < list->count; i++)
        buffer_append_printf(&all, "%s\n", list->items[i]);
    if (strcmp(buffer_text(&all), lines) != 0)
        fail_msg("for %s\n  got:      %s  expected: %s", text, buffer_text(&all), lines);
    buffer_release(&all);
}

static inline void expect_json(const json_t *value, const char *expected)
{
    char *got = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    assert_string_equal(got, expected);
    free(got);
}

static inline struct loaded load_good(const char *text)
{
    struct loaded loaded = load_text(text, 1);
    if (!loaded.ok)
        fail_msg("for %s: %s", text, loaded.errors.items[0]);
    return loaded;
}

#endif
