/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "base/descriptors.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "base/rng.h"
#include "base/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

static void first_error_wins(void **state)
{
    (void)state;
    struct error err;
    error_init(&err);
    error_set(&err, "first %d", 1);
    error_set(&err, "second");
    error_prefix(&err, "file %s", "x");
    assert_string_equal(err.message, "file x: first 1");
}

static void long_messages_are_cut(void **state)
{
    (void)state;
    struct error err;
    error_init(&err);
    char text[4000];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    error_set(&err, "%s", text);
    error_prefix(&err, "p");
    assert_int_equal(strlen(err.message), sizeof err.message - 1);
    assert_memory_equal(err.message, "p: aaa", 6);
}

static void lists_keep_every_message(void **state)
{
    (void)state;
    struct message_list list;
    message_list_init(&list);
    for (int i = 0; i < 20; i++)
        message_list_add(&list, "m%d", i);
    assert_int_equal(list.count, 20);
    assert_string_equal(list.items[19], "m19");
    message_list_release(&list);
}

/* Known answer of Philox 4x32-10 for counter 0 and key 0 (Random123, kat_vectors). */
static void philox_known_answer(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 0, 0);
    uint32_t expected[] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
    for (int i = 0; i < 4; i++)
        assert_int_equal(rng_u32(&rng), expected[i]);
}

static void streams_differ_and_repeat(void **state)
{
    (void)state;
    struct rng a, b, again;
    rng_init(&a, 7, 1);
    rng_init(&b, 7, 2);
    rng_init(&again, 7, 1);
    int equal = 0;
    for (int i = 0; i < 1000; i++) {
        uint32_t x = rng_u32(&a);
        equal += x == rng_u32(&b);
        assert_int_equal(x, rng_u32(&again));
    }
    assert_true(equal < 3);
}

static void below_stays_in_range_and_reaches_both_ends(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 1, 1);
    bool first = false, last = false;
    for (int i = 0; i < 10000; i++) {
        uint32_t x = rng_below(&rng, 10);
        assert_true(x < 10);
        first |= x == 0;
        last |= x == 9;
        assert_true(rng_below_u64(&rng, UINT64_C(1) << 40) < UINT64_C(1) << 40);
    }
    assert_true(first && last);
    assert_int_equal(rng_below(&rng, 1), 0);
}

static void statistics_of_small_samples(void **state)
{
    (void)state;
    double values[] = {4, 1, 3, 2};
    assert_true(stats_mean(values, 4) == 2.5);
    assert_true(stats_median(values, 4) == 2.5);
    assert_true(stats_median(values, 3) == 3);
    assert_true(fabs(stats_stdev(values, 4) - sqrt(1.25)) < 1e-15);
    assert_true(stats_stdev(values, 1) == 0);
    assert_true(isnan(stats_mean(values, 0)));
}

static void nearest_words(void **state)
{
    (void)state;
    const char *words[] = {"insert", "update", "multi", "upsert"};
    assert_string_equal(nearest_find("insret", words, 4), "insert");
    assert_string_equal(nearest_find("Update", words, 4), "update");
    assert_string_equal(nearest_find("multy", words, 4), "multi");
    assert_null(nearest_find("delay", words, 4));
    assert_null(nearest_find("", words, 4));
}

static void iso_times(void **state)
{
    (void)state;
    char text[CLOCK_ISO_SIZE];
    clock_format_iso(INT64_C(1796057210072), text);
    assert_string_equal(text, "2026-11-30T16:46:50.072Z");
}

static void files_are_replaced_whole(void **state)
{
    (void)state;
    char folder[] = "/tmp/benchrun-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char *path = file_join(folder, "out.json");
    struct error err;
    error_init(&err);
    assert_true(file_replace(path, "one", 3, NULL, &err));
    assert_true(file_replace(path, "two!", 4, NULL, &err));
    struct buffer content = {0};
    assert_true(file_read(path, 100, &content, &err));
    assert_string_equal(buffer_text(&content), "two!");
    buffer_clear(&content);
    assert_false(file_read(path, 3, &content, &err));
    assert_non_null(strstr(err.message, "larger than 3 bytes"));
    buffer_release(&content);
    free(path);
    error_init(&err);
    assert_true(file_remove_tree(folder, &err));
    assert_false(file_is_folder(folder));
}

/* In a child: the limit would be that of the other tests too. */
static void open_files_are_allowed_up_to_the_hard_limit(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limit = {.rlim_cur = 100, .rlim_max = 200};
        struct error err;
        error_init(&err);
        bool ok = setrlimit(RLIMIT_NOFILE, &limit) == 0 && descriptors_allow(150, &err);
        ok = ok && getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur == 150;
        ok = ok && descriptors_allow(90, &err) && !descriptors_allow(201, &err) && strstr(err.message, "201");
        descriptors_allow_most();
        ok = ok && getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur == 200;
        _exit(ok ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(first_error_wins, "the first error wins and is prefixed on the way up"),
        NAMED_TEST(long_messages_are_cut, "a message that is too long is cut"),
        NAMED_TEST(lists_keep_every_message, "a message list keeps every message"),
        NAMED_TEST(philox_known_answer, "the random stream is Philox 4x32-10"),
        NAMED_TEST(streams_differ_and_repeat, "streams differ from each other and repeat themselves"),
        NAMED_TEST(below_stays_in_range_and_reaches_both_ends, "rng_below stays in its range and reaches both ends"),
        NAMED_TEST(statistics_of_small_samples, "mean, median and deviation of small samples"),
        NAMED_TEST(nearest_words, "the nearest word is found, a far one is not"),
        NAMED_TEST(iso_times, "times are ISO 8601 with milliseconds"),
        NAMED_TEST(files_are_replaced_whole, "a file is replaced whole"),
        NAMED_TEST(open_files_are_allowed_up_to_the_hard_limit, "open files are allowed up to the hard limit"),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
