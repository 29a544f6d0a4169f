/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "unit.h"

/* A new folder as the working folder of a group of tests, and gone afterwards; *state is its path. */
static inline int scratch_enter(void **state)
{
    char *folder = strdup("/tmp/benchrun-test.XXXXXX");
    *state = folder;
    return folder && mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static inline int scratch_leave(void **state)
{
    bool ok = chdir("/") == 0 && file_remove_tree(*state, NULL);
    free(*state);
    return ok ? 0 : -1;
}

static inline void scratch_put(const char *path, const char *text)
{
    assert_true(file_replace(path, text, strlen(text), NULL, NULL));
}

static inline void scratch_assert_holds(const char *path, const char *expected)
{
    struct buffer bytes = {0};
    if (!file_read(path, 1 << 20, &bytes, NULL))
        fail_msg("%s cannot be read", path);
    assert_string_equal(buffer_text(&bytes), expected);
    buffer_release(&bytes);
}

#endif
