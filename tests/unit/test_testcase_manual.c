/* SPDX-License-Identifier: Apache-2.0 */
/* The examples of benchrun-testcase(5) are real: each is loaded, its operations are compiled and its documents made. */
#include "base/file.h"
#include "engine/plan.h"
#include "model/docgen.h"
#include "testcase_check.h"

static void compile_operations(const struct testcase *test)
{
    json_t *concern = json_object();
    struct plan_config config = {.multidb = 1, .multicoll = 2, .sessions = 3, .write_concern = concern};
    struct error err;
    error_init(&err);
    struct plan *plan = plan_new(test, &config, &err);
    if (!plan)
        fail_msg("%s: %s", test->name, err.message);
    plan_free(plan);
    json_decref(concern);
}

static void make_documents(const json_t *template)
{
    const struct ejson_names names = {"test0", "T0"};
    struct docgen *docgen = docgen_new(template, &names, 1);
    for (uint64_t i = 0; i < 20; i++) {
        bson_t document = BSON_INITIALIZER;
        struct error err;
        error_init(&err);
        if (!docgen_make(docgen, i, &document, &err))
            fail_msg("%s", err.message);
        bson_destroy(&document);
    }
    docgen_free(docgen);
}

static void go_all_the_way(const struct testcase *test)
{
    size_t i;
    json_t *step;
    compile_operations(test);
    json_array_foreach(test->pre, i, step) {
        if (json_object_get(step, "insert"))
            make_documents(json_object_get(step, "insert"));
    }
}

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
    for (size_t i = 0; i < loaded.set.count; i++)
        go_all_the_way(&loaded.set.items[i]);
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
    assert_int_equal(count, 9);
    buffer_release(&page);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(examples_of_the_manual_load,
                   "the examples of the manual load without a warning, compile and make documents"),
    };
    return cmocka_run_group_tests_name("testcase_manual", tests, NULL, NULL);
}
