/* SPDX-License-Identifier: Apache-2.0 */
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "list.h"
#include "unit.h"

static int64_t now_ns;

static int64_t fake_clock(void)
{
    return now_ns;
}

static void pass_seconds(int64_t seconds)
{
    now_ns += seconds * CLOCK_NS_PER_SEC;
}

/* Two tests on the rungs 1 and 8, two trials of one second each. */
struct bench {
    char *text;
    size_t size, seen;
    FILE *out;
    struct progress progress;
    struct run_listener listener;
    struct result result;
    struct target target;
    struct trial_result trial;
};

static void set_up(struct bench *b, bool is_terminal, unsigned columns)
{
    *b = (struct bench){0};
    now_ns = CLOCK_NS_PER_SEC;
    b->out = open_memstream(&b->text, &b->size);
    progress_init(&b->progress, b->out, is_terminal, columns, CLOCK_NS_PER_SEC, fake_clock);
    b->listener = progress_listener(&b->progress);
    result_init(&b->result);
    b->result.test_count = b->result.thread_count = 2;
    b->result.tests = memory_zeroed(2, sizeof *b->result.tests);
    b->result.threads = memory_zeroed(2, sizeof *b->result.threads);
    b->result.tests[0].name = memory_strdup("Insert.Empty");
    b->result.tests[1].name = memory_strdup("Update.Mms\xc3\xa9");
    b->result.threads[0] = 1;
    b->result.threads[1] = 8;
    b->target.testbed.product = (char[]){"MongoDB"};
    b->target.write_concern = json_pack("{s:b}", "j", 0);
    struct estimate plan = {.tests = 2,
                            .rungs = 2,
                            .cells = 4,
                            .trials = 2,
                            .measuring_ns = 8 * CLOCK_NS_PER_SEC,
                            .documents = 4800,
                            .bytes = 29000000};
    b->listener.on_plan(&plan, &b->target, b->listener.context);
}

static void begin(struct bench *b, size_t test, size_t rung, unsigned trial)
{
    b->trial = (struct trial_result){.test = test, .rung = rung, .trial = trial, .elapsed_ns = CLOCK_NS_PER_SEC};
    tally_init(&b->trial.tally);
    b->listener.on_trial_begin(&b->result, &b->trial, b->listener.context);
}

static void end(struct bench *b, enum trial_state state, uint64_t succeeded, uint64_t failed)
{
    b->trial.state = state;
    b->trial.tally.succeeded = succeeded;
    b->trial.tally.failed = failed;
    b->trial.tally.started = succeeded + failed;
    result_add_trial(&b->result, &b->trial);
    b->listener.on_trial_end(&b->result, &b->trial, b->listener.context);
}

/* What has been printed since the last call. */
static char *printed(struct bench *b)
{
    fflush(b->out);
    char *copy = memory_strdup(b->text + b->seen);
    b->seen = b->size;
    return copy;
}

static void assert_printed(struct bench *b, const char *expected)
{
    char *text = printed(b);
    assert_string_equal(text, expected);
    free(text);
}

static void assert_mentions(struct bench *b, const char *expected)
{
    char *text = printed(b);
    if (!strstr(text, expected))
        assert_string_equal(text, expected);
    free(text);
}

static void tear_down(struct bench *b)
{
    fclose(b->out);
    free(b->text);
    json_decref(b->target.write_concern);
    result_release(&b->result);
}

static void plan(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, false, 0);
    assert_printed(&b, "MongoDB unknown, unknown, at unknown\nwrite concern {\"j\": false}\n2 tests x 2 rungs = 4 "
                       "cells of 2 trials: 8 s of "
                       "measuring, 4800 documents (about 29.0 MB) to load\n");
    struct estimate empty = {.tests = 1, .rungs = 1, .cells = 1, .trials = 1, .measuring_ns = CLOCK_NS_PER_SEC};
    b.target.testbed.default_w = (char[]){"majority"};
    b.listener.on_plan(&empty, &b.target, b.listener.context);
    assert_mentions(&b, "\nwrite concern {\"j\": false} (no w is sent: the server's default is majority)\n"
                        "1 test x 1 rung = 1 cell of 1 trial: 1 s of measuring, nothing to load\n");
    json_object_set_new(b.target.write_concern, "w", json_integer(2));
    b.listener.on_plan(&empty, &b.target, b.listener.context);
    assert_mentions(&b, "\nwrite concern {\"j\": false, \"w\": 2}\n");
    tear_down(&b);
}

static void another_product(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, false, 0);
    struct testbed *testbed = &b.target.testbed;
    testbed->product = (char[]){"OtherDB"};
    testbed->product_version = (char[]){"0.5.3-beta.165"};
    testbed->version = (char[]){"8.2.11"};
    struct estimate empty = {.tests = 1, .rungs = 1, .cells = 1, .trials = 1, .measuring_ns = CLOCK_NS_PER_SEC};
    b.listener.on_plan(&empty, &b.target, b.listener.context);
    assert_mentions(&b, "\nOtherDB 0.5.3-beta.165 (as MongoDB 8.2.11), unknown, at unknown\n");
    tear_down(&b);
}

static void one_line_a_cell(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, false, 0);
    free(printed(&b));
    begin(&b, 0, 0, 0);
    struct trial_progress now = {.elapsed_ns = CLOCK_NS_PER_SEC, .succeeded = 10};
    b.listener.on_progress(&now, b.listener.context);
    end(&b, TRIAL_MEASURED, 1000, 0);
    assert_printed(&b, "");
    begin(&b, 0, 0, 1);
    end(&b, TRIAL_MEASURED, 3000, 1);
    assert_printed(&b, "[1/2] Insert.Empty, 1 thread: 2.00k ops/s, 1 failure\n");
    tear_down(&b);
}

static void abandoned_operations(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, false, 0);
    free(printed(&b));
    begin(&b, 0, 0, 1);
    b.trial.tally.abandoned = 4;
    end(&b, TRIAL_MEASURED, 1000, 0);
    assert_printed(&b, "[1/2] Insert.Empty, 1 thread: 1.00k ops/s, 0 failures, 4 abandoned\n");
    tear_down(&b);
}

static void cells_without_a_number(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, false, 0);
    free(printed(&b));
    begin(&b, 0, 1, 0);
    snprintf(b.trial.reason, sizeof b.trial.reason, "no such command: 'create'");
    end(&b, TRIAL_UNSUPPORTED, 0, 0);
    assert_mentions(&b, "no such command: 'create'\n");
    begin(&b, 1, 0, 0);
    end(&b, TRIAL_INTERRUPTED, 5, 0);
    assert_printed(&b, "");
    tear_down(&b);
}

static void live_line(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, true, 0);
    free(printed(&b));
    begin(&b, 0, 0, 0);
    assert_printed(&b, "\r[1/2] Insert.Empty, 1 thread, trial 1/2: preparing, about 8 s left");
    struct trial_progress now = {.elapsed_ns = CLOCK_NS_PER_SEC / 2, .succeeded = 50, .failed = 1, .broken = 1};
    b.listener.on_progress(&now, b.listener.context);
    assert_printed(&b, "\r[1/2] Insert.Empty, 1 thread, trial 1/2: 100 ops/s, 2 failures, about 8 s left");
    pass_seconds(10);
    end(&b, TRIAL_MEASURED, 100, 2);
    begin(&b, 0, 0, 1);
    assert_mentions(&b, "trial 2/2: preparing, about 1 min 10 s left");
    progress_end(&b.progress);
    char *text = printed(&b);
    assert_int_equal(strspn(text, "\r "), strlen(text));
    free(text);
    tear_down(&b);
}

static void time_left_never_runs_below_zero(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, true, 0);
    begin(&b, 1, 1, 1);
    free(printed(&b));
    pass_seconds(100);
    struct trial_progress now = {.elapsed_ns = CLOCK_NS_PER_SEC, .succeeded = 50};
    b.listener.on_progress(&now, b.listener.context);
    assert_mentions(&b, "about 0 s left");
    tear_down(&b);
}

/* The live line of a trial of a test of that name on a terminal of that width. */
static void assert_live(const char *name, unsigned columns, const char *expected)
{
    struct bench b;
    set_up(&b, true, columns);
    free(b.result.tests[0].name);
    b.result.tests[0].name = memory_strdup(name);
    begin(&b, 0, 1, 0);
    progress_end(&b.progress);
    free(printed(&b));
    struct trial_progress now = {.elapsed_ns = CLOCK_NS_PER_SEC, .succeeded = 9730, .failed = 12};
    b.listener.on_progress(&now, b.listener.context);
    assert_printed(&b, expected);
    tear_down(&b);
}

static void the_name_gives_way(void **state)
{
    (void)state;
    const char *name = "Update.\xc3\xa4-really-long-name";
    assert_live(name, 96,
                "\r[1/2] Update.\xc3\xa4-really-long-name, 8 threads, trial 1/2: 9.73k ops/s, 12 failures, about 6 s "
                "left");
    assert_live(name, 95,
                "\r[1/2] Update.\xc3\xa4-really-long-..., 8 threads, trial 1/2: 9.73k ops/s, 12 failures, about 6 s "
                "left");
    assert_live(name, 77, "\r[1/2] Upd..., 8 threads, trial 1/2: 9.73k ops/s, 12 failures, about 6 s left");
    assert_live(name, 76, "\r[1/2] Update.\xc3\xa4..., 8 threads, trial 1/2: 9.73k ops/s, 12 failures, 6 s left");
    assert_live(name, 60, "\r[1/2] Upd..., 8 threads: 9.73k ops/s, 12 failures, 6 s left");
    assert_live(name, 59, "\rUpdate.\xc3\xa4..., 8 threads: 9.73k ops/s, 12 failures, 6 s left");
    assert_live(name, 53, "\r8 threads: 9.73k ops/s, 12 failures, 6 s left");
    assert_live(name, 45, "\r9.73k ops/s, 12 failures, 6 s left");
    assert_live(name, 20, "\r9.73k ops/s, 12 fai");
    assert_live("A", 66, "\r[1/2] A, 8 threads, trial 1/2: 9.73k ops/s, 12 failures, 6 s left");
}

static void names_cannot_steer(void **state)
{
    (void)state;
    assert_live("a\x1b[2J\n\xe2\x80\xae", 0,
                "\r[1/2] a?[2J ?, 8 threads, trial 1/2: 9.73k ops/s, 12 failures, about 6 s left");
    struct bench b;
    set_up(&b, false, 0);
    free(printed(&b));
    b.listener.on_note("said: \x1b[2J\nnote: all is well", b.listener.context);
    assert_printed(&b, "note: said: ?[2J note: all is well\n");
    tear_down(&b);
}

static void notes_clear_the_line(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, true, 0);
    begin(&b, 0, 0, 0);
    b.listener.on_note("clouds", b.listener.context);
    assert_mentions(&b, " \rnote: clouds\n");
    tear_down(&b);
}

static void wait_seconds(struct bench *b, int64_t seconds)
{
    b->listener.on_outage("no primary", seconds * CLOCK_NS_PER_SEC, 30 * CLOCK_NS_PER_SEC, b->listener.context);
}

static void outages_are_shown(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, true, 0);
    begin(&b, 0, 1, 0);
    free(printed(&b));
    wait_seconds(&b, 1);
    assert_mentions(&b,
                    "\rnote: waiting for a server that takes writes, 30 s at most: no primary\n"
                    "\r[1/2] Insert.Empty, 8 threads, trial 1/2: waiting for a server that takes writes, 1 s of 30 s");
    wait_seconds(&b, 12);
    assert_printed(&b,
                   "\r[1/2] Insert.Empty, 8 threads, trial 1/2: waiting for a server that takes writes, 12 s of 30 s");
    /* The next one. */
    wait_seconds(&b, 1);
    assert_mentions(&b, "\rnote: waiting for a server that takes writes, 30 s at most: no primary\n");
    tear_down(&b);
    set_up(&b, false, 0);
    begin(&b, 0, 1, 0);
    free(printed(&b));
    wait_seconds(&b, 1);
    wait_seconds(&b, 2);
    assert_printed(&b, "note: waiting for a server that takes writes, 30 s at most: no primary\n");
    tear_down(&b);
}

static void print_args(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, false, 0);
    free(printed(&b));
    struct testcase tests[2] = {{.name = (char[]){"other"}},
                                {.name = (char[]){"mine"}, .ops = json_pack("[{s:s}]", "op", "nop")}};
    struct testcase_set set = {.items = tests, .count = 2};
    struct run_options options = {.threads = b.result.threads,
                                  .thread_count = 2,
                                  .trial_time_ns = 300 * CLOCK_NS_PER_MS,
                                  .multidb = 1,
                                  .multicoll = 3,
                                  .password = (char[]){"s3cret"}};
    size_t selected[] = {1};
    progress_print_args(&b.progress, &options, &set, selected);
    begin(&b, 0, 1, 0);
    assert_printed(&b, "{\"test\":\"mine\",\"parallel\":8,\"seconds\":0.3,\"trial\":0,\"multidb\":1,\"multicoll\":3,"
                       "\"writeConcern\":{\"j\":false},\"ops\":[{\"op\":\"nop\"}]}\n");
    json_decref(tests[1].ops);
    tear_down(&b);
}

static void lists(void **state)
{
    (void)state;
    char *tags[] = {(char[]){"insert"}, (char[]){"core"}};
    struct testcase tests[3] = {
        {.name = (char[]){"Long.Name"}, .file = (char[]){"a.json"}, .tags = tags, .tag_count = 2},
        {.name = (char[]){"left out"}, .file = (char[]){"a.json"}},
        {.name = (char[]){"B"}, .file = (char[]){"b.json"}}};
    struct testcase_set set = {.items = tests, .count = 3};
    size_t indices[] = {0, 2};
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    list_print(&set, indices, 2, out);
    fclose(out);
    assert_string_equal(text, "Long.Name  insert,core  a.json\nB          -            b.json\n");
    free(text);
    out = open_memstream(&text, &size);
    list_print_json(&set, indices, 2, out);
    fclose(out);
    json_t *json = json_loads(text, 0, NULL);
    json_t *expected = json_pack("[{s:s,s:[s,s],s:s},{s:s,s:[],s:s}]", "name", "Long.Name", "tags", "insert", "core",
                                 "file", "a.json", "name", "B", "tags", "file", "b.json");
    assert_true(json_equal(json, expected));
    json_decref(json);
    json_decref(expected);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(plan, "the plan says what is ahead"),
        NAMED_TEST(another_product, "a product that is not MongoDB has its own version and the one that it claims"),
        NAMED_TEST(one_line_a_cell, "elsewhere than on a terminal there is one line a cell"),
        NAMED_TEST(abandoned_operations, "abandoned operations are named"),
        NAMED_TEST(cells_without_a_number, "a cell without a number gives its reason, an interrupted one nothing"),
        NAMED_TEST(live_line, "the live line counts the set-up into the time left"),
        NAMED_TEST(time_left_never_runs_below_zero, "the time left never runs below zero"),
        NAMED_TEST(the_name_gives_way, "on a narrow terminal the name gives way, the numbers stay"),
        NAMED_TEST(names_cannot_steer, "neither a name nor a note can steer the terminal"),
        NAMED_TEST(notes_clear_the_line, "a note stands on a line of its own"),
        NAMED_TEST(outages_are_shown, "waiting for a server is said once, and counted on a terminal"),
        NAMED_TEST(print_args, "--printArgs shows what a trial does, no user and no password"),
        NAMED_TEST(lists, "--list prints columns or JSON"),
    };
    return cmocka_run_group_tests_name("progress", tests, NULL, NULL);
}
