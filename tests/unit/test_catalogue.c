/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shipped definitions against tests/data/testcases-75.tsv, which was written when they were equal, test by test and
 * type by type, to what mongo-perf's tree of June 2017 sends and loads. After a change that is meant, run this test
 * with BENCHRUN_RECORD=1 in the environment: it writes the table anew.
 */
#include "base/buffer.h"
#include "base/file.h"
#include "base/memory.h"
#include "model/docgen.h"
#include "model/testcase.h"

#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

#include "unit.h"

static const char *const files[] = {
    "complex_insert",       "complex_update", "dv_insert",           "dv_update",     "long_multi_update",
    "partial_index_insert", "simple_insert",  "simple_multi_update", "simple_update", "simple_update_mms",
};
#define FILE_COUNT (sizeof files / sizeof *files)
/* What a server adds to a document without one: an ObjectId under "_id". */
#define OBJECT_ID_BYTES 17

static char *source_path(const char *folder, const char *name, const char *suffix)
{
    const char *source = getenv("srcdir");
    return memory_printf("%s/%s/%s%s", source ? source : ".", folder, name, suffix);
}

static void read_source(const char *folder, const char *name, const char *suffix, struct buffer *bytes)
{
    struct error err;
    error_init(&err);
    char *path = source_path(folder, name, suffix);
    if (!file_read(path, 1 << 20, bytes, &err))
        fail_msg("%s", err.message);
    free(path);
}

static void load(struct testcase_set *set, const char *name, const void *bytes, size_t size)
{
    struct message_list errors, warnings;
    message_list_init(&errors);
    message_list_init(&warnings);
    if (!testcase_set_load_bytes(set, name, bytes, size, 1, &errors, &warnings))
        fail_msg("%s", errors.items[0]);
    if (warnings.count)
        fail_msg("%s", warnings.items[0]);
    message_list_release(&errors);
    message_list_release(&warnings);
}

static void load_shipped(struct testcase_set *set)
{
    testcase_set_init(set);
    for (size_t i = 0; i < FILE_COUNT; i++) {
        struct buffer bytes = {0};
        read_source("testcases", files[i], ".json", &bytes);
        load(set, files[i], bytes.data, bytes.size);
        buffer_release(&bytes);
    }
}

/* JSON text tells 1 from 1.0 and keeps the order of keys. */
static uint64_t digest(const json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT);
    uint64_t hash = XXH3_64bits(text, strlen(text));
    free(text);
    return hash;
}

struct load_sums {
    uint64_t documents, bytes, least, most;
    XXH3_state_t *hash;
};

static void add_document(struct load_sums *sums, const bson_t *doc)
{
    uint64_t bytes = doc->len + (bson_has_field(doc, "_id") ? 0 : OBJECT_ID_BYTES);
    sums->least = sums->documents == 0 || bytes < sums->least ? bytes : sums->least;
    sums->most = bytes > sums->most ? bytes : sums->most;
    sums->bytes += bytes;
    sums->documents++;
    XXH3_64bits_update(sums->hash, bson_get_data(doc), doc->len);
}

static void add_step(struct load_sums *sums, const json_t *step)
{
    const struct ejson_names names = {"test0", "c"};
    struct error err;
    error_init(&err);
    uint64_t count;
    assert_true(docgen_step_count(step, 1, &count, &err));
    struct docgen *docgen = docgen_new(json_object_get(step, "insert"), &names, 1);
    for (uint64_t i = 0; i < count; i++) {
        bson_t doc = BSON_INITIALIZER;
        if (!docgen_make(docgen, i, &doc, &err))
            fail_msg("%s", err.message);
        add_document(sums, &doc);
        bson_destroy(&doc);
    }
    docgen_free(docgen);
}

static void write_row(struct buffer *text, const struct testcase *test)
{
    struct load_sums sums = {.hash = XXH3_createState()};
    XXH3_64bits_reset(sums.hash);
    for (size_t i = 0; i < json_array_size(test->pre); i++)
        if (json_object_get(json_array_get(test->pre, i), "insert"))
            add_step(&sums, json_array_get(test->pre, i));
    buffer_append_printf(text, "%s\t%s\t", test->file, test->name);
    for (size_t i = 0; i < test->tag_count; i++)
        buffer_append_printf(text, "%s%s", i ? "," : "", test->tags[i]);
    buffer_append_printf(text, "\t%016llx\t%016llx\t%llu\t%llu\t%llu\t%llu\t%016llx\n",
                         (unsigned long long)digest(test->ops), (unsigned long long)digest(test->pre),
                         (unsigned long long)sums.documents, (unsigned long long)sums.bytes,
                         (unsigned long long)sums.least, (unsigned long long)sums.most,
                         (unsigned long long)XXH3_64bits_digest(sums.hash));
    XXH3_freeState(sums.hash);
}

static void record(const struct buffer *text)
{
    struct error err;
    error_init(&err);
    char *path = source_path("tests/data", "testcases-75", ".tsv");
    if (!file_replace(path, text->data, text->size, NULL, &err))
        fail_msg("%s", err.message);
    free(path);
}

static void expect_lines(char *got, char *expected)
{
    char *got_line, *expected_line;
    while ((expected_line = strsep(&expected, "\n"))) {
        got_line = strsep(&got, "\n");
        assert_string_equal(got_line ? got_line : "(no more tests)", expected_line);
    }
    assert_null(got);
}

static void definitions_and_documents_are_mongo_perfs(void **state)
{
    (void)state;
    struct testcase_set set;
    struct buffer got = {0}, expected = {0};
    load_shipped(&set);
    buffer_append_printf(&got, "# file\ttest\ttags\tops\tpre\tdocuments\tbytes\tleast\tmost\tdata\n");
    for (size_t i = 0; i < set.count; i++)
        write_row(&got, &set.items[i]);
    if (getenv("BENCHRUN_RECORD"))
        record(&got);
    read_source("tests/data", "testcases-75", ".tsv", &expected);
    buffer_text(&got);
    buffer_text(&expected);
    expect_lines((char *)got.data, (char *)expected.data);
    assert_int_equal(set.count, 75);
    buffer_release(&got);
    buffer_release(&expected);
    testcase_set_release(&set);
}

static bool is_same_definition(const struct testcase_set *a, const struct testcase_set *b)
{
    for (size_t i = 0; i < a->count; i++)
        if (digest(a->items[i].ops) != digest(b->items[i].ops) || digest(a->items[i].pre) != digest(b->items[i].pre))
            return false;
    return true;
}

/* Takes each ".0" out of the file, one at a time. */
static size_t check_every_double(const char *name)
{
    struct testcase_set whole;
    struct buffer bytes = {0};
    size_t doubles = 0;
    read_source("testcases", name, ".json", &bytes);
    testcase_set_init(&whole);
    load(&whole, name, bytes.data, bytes.size);
    for (size_t i = 1; i + 2 < bytes.size; i++) {
        if (memcmp(bytes.data + i, ".0", 2) != 0 || bytes.data[i - 1] < '0' || bytes.data[i - 1] > '9')
            continue;
        struct buffer changed = {0};
        struct testcase_set set;
        testcase_set_init(&set);
        buffer_append(&changed, bytes.data, i);
        buffer_append(&changed, bytes.data + i + 2, bytes.size - i - 2);
        load(&set, name, changed.data, changed.size);
        if (is_same_definition(&whole, &set))
            fail_msg("%s: the double at byte %zu may be an integer unnoticed", name, i);
        testcase_set_release(&set);
        buffer_release(&changed);
        doubles++;
    }
    testcase_set_release(&whole);
    buffer_release(&bytes);
    return doubles;
}

static void a_double_that_becomes_an_integer_is_noticed(void **state)
{
    (void)state;
    size_t doubles = 0;
    for (size_t i = 0; i < FILE_COUNT; i++)
        doubles += check_every_double(files[i]);
    assert_true(doubles > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(definitions_and_documents_are_mongo_perfs, "75 definitions and their documents are mongo-perf's"),
        NAMED_TEST(a_double_that_becomes_an_integer_is_noticed, "a double that becomes an integer is noticed"),
    };
    return cmocka_run_group_tests_name("catalogue", tests, NULL, NULL);
}
