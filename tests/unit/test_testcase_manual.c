/* SPDX-License-Identifier: Apache-2.0 */
/* The examples of benchrun-testcase(5) are real: each is loaded. */
#include "base/file.h"
#include "testcase_check.h"

/* Loads an example: a whole file, or members of a document in an insert step. */
static void load_example(const char *example)
{
    bool is_file = example[0] == '{';
    char *text = is_file
                     ? memory_strdup(example)
                     : memory_printf("{\"tests\": [{\"name\": \"T\", \"pre\": [{\"insert\": {%s}}], \"ops\": [{\"op\": "
                                     "\"insert\", \"doc\": {}}]}]}",
                                     example);
    struct loaded loaded = load_good(text);
    expect_messages(text, &loaded.warnings, "");
    release_loaded(&loaded);
    free(text);
}

static void examples_of_the_manual_load(void **state)
{
    (void)state;
    const char *srcdir = getenv("srcdir"), begin[] = ".Bd -literal\n", end[] = "\n.Ed";
    char *path = file_join(srcdir ? srcdir : ".", "man/benchrun-testcase.5");
    struct buffer page = {0};
    assert_true(file_read(path, 1 << 20, &page, NULL));
    const char *at = buffer_text(&page);
    size_t count = 0;
    for (; (at = strstr(at, begin)); count++) {
        at += strlen(begin);
        const char *stop = strstr(at, end);
        assert_non_null(stop);
        char *example = memory_printf("%.*s", (int)(stop - at), at);
        load_example(example);
        free(example);
    }
    assert_int_equal(count, 8);
    buffer_release(&page);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(examples_of_the_manual_load, "the examples of the manual load without a warning"),
    };
    return cmocka_run_group_tests_name("testcase_manual", tests, NULL, NULL);
}
