/* SPDX-License-Identifier: Apache-2.0 */
#include "model/result_file.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sample_result.h"
#include "scratch.h"

#define MONGO_PERF "{\"results\": [{\"name\": \"A\", \"results\": {\"1\": {\"ops_per_sec\": 5}, \"start\": \"x\"}}]}"
#define OLD_MONGO_PERF "{\"results\": [{\"name\": \"A\", \"results\": {\"1\": {\"median\": 5}}}]}"
#define NO_NUMBER                                                                                                      \
    "{\"program\": {\"name\": \"benchrun\"}, \"results\": [{\"results\": {\"1\": {\"ops_per_sec\": null}}}]}"

#define NO_ANSWERS                                                                                                     \
    "{\"program\": {\"name\": \"benchrun\"}, \"results\": [{\"results\": {\"1\": {\"ops_per_sec\": null, "             \
    "\"operations\": {\"started\": 5}}}}]}"
#define CAME_TO_ITS_END "{\"program\": {\"name\": \"benchrun\"}, \"complete\": true, \"results\": []}"

/* Each test begins with "r.json" holding that, and nothing else; NULL: not there. */
static void begin_with(const char *text)
{
    static const char *const names[] = {"r.json", "r.json.1", "r.json.2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(names[i]);
    assert_true(!text || file_replace("r.json", text, strlen(text), NULL, NULL));
}

static char *text_of(const struct result *result)
{
    char *text = result_to_text(result, NULL);
    assert_non_null(text);
    return text;
}

static void assert_is(const char *path, const struct result *result)
{
    char *text = text_of(result);
    scratch_assert_holds(path, text);
    free(text);
}

static void open_file(struct result_file *file, bool force)
{
    struct error err = {0};
    if (!result_file_open(file, "r.json", force, &err))
        fail_msg("%s", err.message);
}

/* With how many notes it was written. */
static size_t write_file(struct result_file *file, const struct result *result)
{
    struct message_list notes = {0};
    struct error err = {0};
    if (!result_file_write(file, result, &notes, &err))
        fail_msg("%s", err.message);
    size_t count = notes.count;
    message_list_release(&notes);
    return count;
}

static void results_are_kept(void **state)
{
    (void)state;
    static const char *const olds[] = {MONGO_PERF, OLD_MONGO_PERF, "{\"results\": []}", NO_ANSWERS, CAME_TO_ITS_END};
    struct result result;
    sample_result(&result);
    for (size_t i = 0; i < sizeof olds / sizeof *olds; i++) {
        struct result_file file;
        begin_with(olds[i]);
        open_file(&file, false);
        scratch_assert_holds("r.json", olds[i]);
        assert_int_equal(write_file(&file, &result), 1);
        scratch_assert_holds("r.json.1", olds[i]);
        assert_is("r.json", &result);
        assert_int_equal(write_file(&file, &result), 0);
        assert_int_equal(access("r.json.2", F_OK), -1);
        result_file_close(&file);
    }
    result_release(&result);
}

static void our_own_are_kept_in_turn(void **state)
{
    (void)state;
    struct result first, second;
    sample_result(&first);
    sample_result(&second);
    second.complete = true;
    begin_with(NULL);
    for (size_t i = 0; i < 3; i++) {
        struct result_file file;
        open_file(&file, false);
        assert_int_equal(write_file(&file, i == 0 ? &first : &second), i > 0);
        result_file_close(&file);
    }
    assert_is("r.json.1", &first);
    assert_is("r.json.2", &second);
    result_release(&first);
    result_release(&second);
}

static void what_holds_nothing_is_not_kept(void **state)
{
    (void)state;
    static const char *const olds[] = {"", NO_NUMBER, NULL};
    struct result result;
    sample_result(&result);
    for (size_t i = 0; i < sizeof olds / sizeof *olds; i++) {
        struct result_file file;
        begin_with(olds[i]);
        open_file(&file, false);
        assert_int_equal(write_file(&file, &result), 0);
        assert_is("r.json", &result);
        assert_int_equal(access("r.json.1", F_OK), -1);
        result_file_close(&file);
    }
    result_release(&result);
}

/* With w: 0, or where all fail: there is no rate, and yet a result. */
static void operations_without_a_rate_are_a_result(void **state)
{
    (void)state;
    struct result_file file;
    struct result result;
    sample_plan(&result);
    begin_with(MONGO_PERF);
    open_file(&file, false);
    struct trial_result trial = sample_trial(0, 0, 1, 0);
    trial.tally.started = trial.tally.unconfirmed = 5;
    result_add_trial(&result, &trial);
    assert_int_equal(write_file(&file, &result), 1);
    assert_is("r.json", &result);
    scratch_assert_holds("r.json.1", MONGO_PERF);
    result_file_close(&file);
    open_file(&file, false);
    assert_int_equal(write_file(&file, &result), 1);
    assert_is("r.json.2", &result);
    result_file_close(&file);
    result_release(&result);
}

static void nothing_measured_replaces_nothing(void **state)
{
    (void)state;
    struct result_file file;
    struct result result;
    sample_plan(&result);
    begin_with(MONGO_PERF);
    open_file(&file, false);
    static const enum trial_state states[] = {TRIAL_INTERRUPTED, TRIAL_UNPREPARED, TRIAL_UNSUPPORTED};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        assert_int_equal(write_file(&file, &result), 0);
        assert_true(file.is_left);
        scratch_assert_holds("r.json", MONGO_PERF);
        struct trial_result lost = sample_lost_trial(0, i, states[i], 1, "no");
        result_add_trial(&result, &lost);
    }
    result.complete = true;
    assert_int_equal(write_file(&file, &result), 1);
    assert_false(file.is_left);
    assert_is("r.json", &result);
    scratch_assert_holds("r.json.1", MONGO_PERF);
    result_file_close(&file);
    result_release(&result);
    sample_plan(&result);
    begin_with(NULL);
    open_file(&file, false);
    assert_int_equal(write_file(&file, &result), 0);
    assert_is("r.json", &result);
    result_file_close(&file);
    result_release(&result);
}

static void what_comes_in_between_is_kept(void **state)
{
    (void)state;
    struct result_file file;
    struct result result;
    sample_result(&result);
    begin_with(NULL);
    open_file(&file, false);
    begin_with("somebody's");
    assert_int_equal(write_file(&file, &result), 1);
    scratch_assert_holds("r.json.1", "somebody's");
    assert_is("r.json", &result);
    result_file_close(&file);
    result_release(&result);
}

static void other_files_are_refused(void **state)
{
    (void)state;
    static const char *const others[] = {"text",
                                         "{}",
                                         "[]",
                                         "[" MONGO_PERF "]",
                                         "{\"tests\": []}",
                                         "{\"results\": {}}",
                                         "{\"results\": [5]}",
                                         "{\"results\": [{\"name\": \"A\"}]}",
                                         MONGO_PERF "x",
                                         "{\"results\": [{\"results\": {}}"};
    struct result result;
    sample_result(&result);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct result_file file;
        struct error err = {0};
        begin_with(others[i]);
        assert_false(result_file_open(&file, "r.json", false, &err));
        assert_non_null(strstr(err.message, "r.json: is not a result file"));
        scratch_assert_holds("r.json", others[i]);
        result_file_close(&file);
        open_file(&file, true);
        assert_int_equal(write_file(&file, &result), 1);
        scratch_assert_holds("r.json.1", others[i]);
        assert_is("r.json", &result);
        result_file_close(&file);
    }
    result_release(&result);
}

static void links_stay(void **state)
{
    (void)state;
    struct result_file file;
    struct result result;
    struct stat st;
    sample_result(&result);
    begin_with(MONGO_PERF);
    assert_int_equal(symlink("r.json", "link.json"), 0);
    assert_true(result_file_open(&file, "link.json", false, NULL));
    assert_string_equal(result_file_path(&file), "r.json");
    assert_int_equal(write_file(&file, &result), 1);
    scratch_assert_holds("r.json.1", MONGO_PERF);
    assert_is("link.json", &result);
    assert_true(lstat("link.json", &st) == 0 && S_ISLNK(st.st_mode));
    result_file_close(&file);
    result_release(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(results_are_kept, "a result keeps its name until there is a newer one, and is then kept"),
        NAMED_TEST(our_own_are_kept_in_turn, "run after run, each under the next number"),
        NAMED_TEST(what_holds_nothing_is_not_kept,
                   "an empty file and what was cut short before its first cell are replaced"),
        NAMED_TEST(operations_without_a_rate_are_a_result, "a result without a rate is one, and kept"),
        NAMED_TEST(nothing_measured_replaces_nothing,
                   "a run that measured nothing leaves the old result alone until its end"),
        NAMED_TEST(what_comes_in_between_is_kept, "what somebody puts there during the run is kept, too"),
        NAMED_TEST(other_files_are_refused, "what is no result is refused, and kept with force"),
        NAMED_TEST(links_stay, "a link stays one"),
    };
    return cmocka_run_group_tests_name("result_file", tests, scratch_enter, scratch_leave);
}
