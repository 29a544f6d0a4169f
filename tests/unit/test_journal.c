/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/memory.h"
#include "model/journal.h"
#include "sample_result.h"

static char folder[] = "/tmp/test_journal.XXXXXX";
static char *out_path;

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    out_path = file_join(folder, "out.json");
    return setenv("XDG_STATE_HOME", folder, 1);
}

static int remove_folder(void **state)
{
    (void)state;
    free(out_path);
    return file_remove_tree(folder, NULL) ? 0 : -1;
}

/* The note that was made goes to `noted`. */
static char noted[300];
static struct journal *open_at(const char *path, const char *run_id, struct error *err)
{
    struct message_list notes = {0};
    struct journal *journal = journal_open(path, run_id, &notes, err);
    assert_true(notes.count <= 1);
    snprintf(noted, sizeof noted, "%s", notes.count ? notes.items[0] : "");
    message_list_release(&notes);
    return journal;
}

static struct journal *open_journal(void)
{
    struct error err = {0};
    struct journal *journal = open_at(out_path, "1", &err);
    if (!journal)
        fail_msg("%s", err.message);
    return journal;
}

static char *dump(const struct result *result)
{
    json_t *json = result_to_json(result);
    char *text = json_dumps(json, JSON_INDENT(4));
    json_decref(json);
    assert_non_null(text);
    return text;
}

/* Writes the sample run; snapshots[i] is the result as JSON after line i + 1. Returns how many. */
static size_t write_run(struct journal *journal, char *snapshots[SAMPLE_TRIALS + 2])
{
    struct result plan, result;
    struct error err = {0};
    struct trial_result *trials = memory_zeroed(SAMPLE_TRIALS, sizeof *trials);
    size_t count = 0;
    sample_plan(&plan);
    sample_trials(trials);
    result_init(&result);
    assert_true(journal_begin(journal, &result, &plan, &err));
    snapshots[count++] = dump(&result);
    for (size_t i = 0; i < SAMPLE_TRIALS; i++) {
        assert_true(journal_trial(journal, &result, &trials[i], &err));
        snapshots[count++] = dump(&result);
    }
    assert_true(journal_end(journal, &result, true, false, &err));
    snapshots[count++] = dump(&result);
    result_release(&result);
    result_release(&plan);
    free(trials);
    return count;
}

static void free_all(char **texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
}

static void test_every_cut(void **state)
{
    (void)state;
    char *snapshots[SAMPLE_TRIALS + 2];
    struct journal *journal = open_journal();
    size_t count = write_run(journal, snapshots), lines = 0;
    struct buffer bytes = {0};
    assert_true(file_read(journal_path(journal), 1 << 20, &bytes, NULL));
    for (size_t cut = 0; cut <= bytes.size; cut++) {
        struct result result;
        lines += cut > 0 && bytes.data[cut - 1] == '\n';
        result_init(&result);
        bool ok = journal_read_bytes("cut", (const char *)bytes.data, cut, &result, NULL);
        assert_int_equal(ok, lines > 0);
        /* Within a line nothing changes: compare where a line begins, and one byte before it ends. */
        if (ok && (bytes.data[cut - 1] == '\n' || bytes.data[cut] == '\n')) {
            char *text = dump(&result);
            assert_string_equal(text, snapshots[lines - 1]);
            free(text);
        }
        result_release(&result);
    }
    assert_int_equal(lines, count);
    buffer_release(&bytes);
    free_all(snapshots, count);
    journal_close(journal, true);
}

static void test_read_from_file(void **state)
{
    (void)state;
    char *snapshots[SAMPLE_TRIALS + 2];
    struct journal *journal = open_journal();
    size_t count = write_run(journal, snapshots);
    struct result result;
    struct error err = {0};
    result_init(&result);
    assert_true(journal_read(journal_path(journal), &result, &err));
    char *text = dump(&result);
    assert_string_equal(text, snapshots[count - 1]);
    assert_true(result.complete);
    assert_non_null(strstr(text, "\"interrupted\": false"));
    free(text);
    result_release(&result);
    free_all(snapshots, count);
    journal_close(journal, true);
}

static void test_direct_and_journalled_agree(void **state)
{
    (void)state;
    char *snapshots[SAMPLE_TRIALS + 2];
    struct journal *journal = open_journal();
    size_t count = write_run(journal, snapshots);
    struct result direct;
    sample_result(&direct);
    char *text = dump(&direct);
    assert_string_equal(text, snapshots[count - 2]);
    free(text);
    result_release(&direct);
    free_all(snapshots, count);
    journal_close(journal, true);
}

static void test_lock(void **state)
{
    (void)state;
    struct journal *journal = open_journal();
    struct error err = {0};
    assert_null(open_at(out_path, "2", &err));
    assert_non_null(strstr(err.message, "another benchrun"));
    journal_close(journal, true);
    journal_close(open_journal(), true);
}

static void test_old_journals_are_kept(void **state)
{
    (void)state;
    for (unsigned round = 1; round <= 2; round++) {
        char *snapshots[SAMPLE_TRIALS + 2];
        struct journal *killed = open_journal();
        free_all(snapshots, write_run(killed, snapshots));
        journal_close(killed, false);
        struct journal *journal = open_journal();
        char *kept = memory_printf("%s.journal.%u", out_path, round);
        assert_non_null(strstr(noted, kept));
        struct result result;
        result_init(&result);
        assert_true(journal_read(kept, &result, NULL));
        assert_int_equal(result.trial_count, SAMPLE_TRIALS);
        result_release(&result);
        free(kept);
        journal_close(journal, true);
    }
}

static void test_what_is_no_journal_is_kept(void **state)
{
    (void)state;
    char *path = memory_printf("%s.journal", out_path), *kept = memory_printf("%s.journal.3", out_path);
    assert_true(file_replace(path, "mine", 4, NULL, NULL));
    struct journal *journal = open_journal();
    assert_non_null(strstr(noted, kept));
    struct buffer bytes = {0};
    assert_true(file_read(kept, 100, &bytes, NULL));
    assert_string_equal(buffer_text(&bytes), "mine");
    buffer_release(&bytes);
    journal_close(journal, true);
    free(path);
    free(kept);
}

static void test_journals_without_a_trial_are_not_kept(void **state)
{
    (void)state;
    struct result plan, result;
    sample_plan(&plan);
    result_init(&result);
    struct journal *killed = open_journal();
    assert_true(journal_begin(killed, &result, &plan, NULL));
    journal_close(killed, false);
    struct journal *journal = open_journal();
    assert_string_equal(noted, "");
    struct stat st;
    assert_int_equal(stat(journal_path(journal), &st), 0);
    assert_int_equal(st.st_size, 0);
    journal_close(journal, true);
    result_release(&result);
    result_release(&plan);
}

static void test_without_out(void **state)
{
    (void)state;
    struct error err = {0};
    char *expected = memory_printf("%s/benchrun/abc.journal", folder);
    assert_true(journal_check_place(NULL, &err));
    struct journal *journal = open_at(NULL, "abc", &err);
    assert_non_null(journal);
    assert_string_equal(noted, "");
    assert_string_equal(journal_path(journal), expected);
    journal_close(journal, true);
    assert_int_equal(access(expected, F_OK), -1);
    free(expected);
}

static void test_bad_places(void **state)
{
    (void)state;
    struct error err = {0};
    assert_null(open_at("/nowhere/at/all.json", "1", &err));
    assert_non_null(strstr(err.message, "/nowhere/at/all.json.journal"));
    error_init(&err);
    setenv("XDG_STATE_HOME", "/dev/null", 1);
    assert_false(journal_check_place(NULL, &err));
    assert_non_null(strstr(err.message, "give --out FILE, or another folder in XDG_STATE_HOME"));
    setenv("XDG_STATE_HOME", folder, 1);
}

static void assert_refused(const char *text, const char *expected)
{
    struct error err = {0};
    struct result result;
    result_init(&result);
    assert_false(journal_read_bytes("j", text, strlen(text), &result, &err));
    if (!strstr(err.message, expected))
        fail_msg("\"%s\" does not hold \"%s\"", err.message, expected);
    assert_null(result.header);
}

#define BEGIN                                                                                                          \
    "{\"journal\":1,\"start_wall_ms\":5,\"header\":{},\"threads\":[1],\"tests\":"                                      \
    "[{\"name\":\"a\",\"fingerprint\":\"0\"}]}\n"

static void test_damaged_journals(void **state)
{
    (void)state;
    assert_refused("", "no whole line");
    assert_refused("{}", "no whole line");
    assert_refused("nonsense\n", "j:1");
    assert_refused("[]\n", "first line");
    assert_refused("{\"end\":{}}\n", "first line");
    assert_refused("{\"journal\":2,\"header\":{}}\n", "journal: expected");
    assert_refused("{\"journal\":1,\"header\":{},\"threads\":[0]}\n", "threads");
    assert_refused("{\"journal\":1,\"header\":{},\"tests\":[{}]}\n", "tests");
    assert_refused(BEGIN BEGIN, "j:2: header");
    assert_refused(BEGIN "{\"trial\":{\"test\":1,\"state\":\"measured\"}}\n", "j:2: test");
    assert_refused(BEGIN "{\"trial\":{\"rung\":-1,\"state\":\"measured\"}}\n", "rung");
    assert_refused(BEGIN "{\"trial\":{\"state\":\"lost\"}}\n", "state");
    assert_refused(BEGIN "{\"trial\":{\"state\":\"measured\",\"elapsed_ns\":1.5}}\n", "elapsed_ns");
    assert_refused(BEGIN "{\"trial\":{\"state\":\"measured\",\"tally\":{\"started\":-1}}}\n", "started");
    assert_refused(BEGIN "{\"trial\":{\"state\":\"measured\",\"tally\":{\"failures\":[1]}}}\n", "failures");
    assert_refused(BEGIN "\n", "j:2");
}

/* In a child process: 0 when the line was refused, and the trial kept. */
static int try_with_limit(struct journal *journal, struct result *result, const struct trial_result *trial, rlim_t size)
{
    struct error err = {0};
    struct rlimit limit = {.rlim_cur = size, .rlim_max = size};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0 || signal(SIGXFSZ, SIG_IGN) == SIG_ERR)
        return 2;
    bool ok = journal_trial(journal, result, trial, &err);
    return !ok && err.is_set && result->trial_count == 1 ? 0 : 1;
}

static void test_full_disk(void **state)
{
    (void)state;
    struct error err = {0};
    struct journal *journal = open_journal();
    struct result plan, result;
    sample_plan(&plan);
    result_init(&result);
    assert_true(journal_begin(journal, &result, &plan, &err));
    /* A file-size limit stands in for a disk without room: part of the line fits. */
    struct stat st;
    assert_int_equal(stat(journal_path(journal), &st), 0);
    struct trial_result trial = sample_trial(0, 0, 0, 5);
    pid_t child = fork();
    if (child == 0)
        _exit(try_with_limit(journal, &result, &trial, (rlim_t)st.st_size + 10));
    assert_true(child > 0);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    struct stat after;
    assert_int_equal(stat(journal_path(journal), &after), 0);
    assert_int_equal(after.st_size, st.st_size);
    result_release(&result);
    result_release(&plan);
    journal_close(journal, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(test_every_cut, "a journal cut at any byte gives the result as of its last whole line"),
        NAMED_TEST(test_read_from_file, "a journal that is read gives the bytes that the run gave"),
        NAMED_TEST(test_direct_and_journalled_agree, "the way through the journal changes no number"),
        NAMED_TEST(test_lock, "two runs cannot write beside one result file"),
        NAMED_TEST(test_old_journals_are_kept, "the journal of a killed run is kept under a new name"),
        NAMED_TEST(test_what_is_no_journal_is_kept, "so is what is no journal at all"),
        NAMED_TEST(test_journals_without_a_trial_are_not_kept, "but not one in which no trial has ended"),
        NAMED_TEST(test_without_out, "without a result file the journal lies in the state folder"),
        NAMED_TEST(test_bad_places, "a place that cannot be is named, with what to do"),
        NAMED_TEST(test_damaged_journals, "damage is named with its line, and gives no result"),
        NAMED_TEST(test_full_disk, "a line that finds no room is taken back and its trial kept"),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
