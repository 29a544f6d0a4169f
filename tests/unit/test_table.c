/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "model/table.h"
#include "sample_result.h"

static void assert_rate(double value, const char *expected)
{
    char text[TABLE_NUMBER_SIZE];
    table_format_rate(value, text);
    assert_string_equal(text, expected);
}

static void test_rates(void **state)
{
    (void)state;
    assert_rate(9730.4, "9.73k");
    assert_rate(154.2, "154");
    assert_rate(0.52, "0.52");
    assert_rate(0.0123, "0.0123");
    assert_rate(0, "0.00");
    assert_rate(9.994, "9.99");
    assert_rate(9.996, "10.0");
    assert_rate(99.94, "99.9");
    assert_rate(99.96, "100");
    assert_rate(999.4, "999");
    assert_rate(999.6, "1.00k");
    assert_rate(99949, "99.9k");
    assert_rate(999600, "1.00M");
    assert_rate(2.5e9, "2.50G");
    assert_rate(NAN, "-");
    assert_rate(INFINITY, "-");
    assert_rate(-1, "-");
}

static void assert_bytes(uint64_t bytes, const char *expected)
{
    char text[32];
    table_format_bytes(bytes, text, sizeof text);
    assert_string_equal(text, expected);
}

static void test_bytes(void **state)
{
    (void)state;
    assert_bytes(0, "0 B");
    assert_bytes(999, "999 B");
    assert_bytes(1000, "1.00 kB");
    assert_bytes(28953144, "29.0 MB");
    assert_bytes(UINT64_MAX, "18.4 EB");
}

static void assert_duration(int64_t ms, const char *expected)
{
    char text[32];
    table_format_duration(ms * CLOCK_NS_PER_MS, text, sizeof text);
    assert_string_equal(text, expected);
}

static void test_durations(void **state)
{
    (void)state;
    assert_duration(-5, "0 s");
    assert_duration(49, "0 s");
    assert_duration(499, "0.5 s");
    assert_duration(960, "1 s");
    assert_duration(12000, "12 s");
    assert_duration(59600, "1 min 00 s");
    assert_duration(200000, "3 min 20 s");
    assert_duration(3599600, "1 h 00 min");
    assert_duration(3720000, "1 h 02 min");
    assert_duration(360000000, "100 h 00 min");
}

static char *print(const struct result *result, unsigned width)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    table_print(result, width, out);
    fclose(out);
    return text;
}

static void assert_holds(const char *text, const char *expected)
{
    if (!strstr(text, expected))
        fail_msg("no \"%s\" in:\n%s", expected, text);
}

static void test_sample(void **state)
{
    (void)state;
    static const char expected[] = "ops/s at threads        1      2       128\n"
                                   "Insert.Empty        3.00k  5.00k!^<   void\n"
                                   "Update.\xC3\xA4 \"quoted\"  unprep   10.0+<   unsup\n"
                                   "\n";
    struct result result;
    sample_result(&result);
    char *text = print(&result, 0);
    assert_memory_equal(text, expected, strlen(expected));
    assert_holds(text, "!      operations failed");
    assert_holds(text, "^      operations were still under way");
    assert_holds(text, "<      fewer trials");
    assert_holds(text, "void   not one");
    assert_holds(text, "+      a part of the set-up failed, as the test allows");
    assert_holds(text, "at 2: measured although a step of the set-up failed: /pre/1/index: key too long");
    assert_holds(text, "unprep the test");
    assert_holds(text, "unsup  unsupported");
    assert_holds(text, "Insert.Empty at 2: 8 of 5014 operations failed, first: Document failed validation (code 121)");
    assert_holds(text, "at 1: could not be prepared: not authorized");
    assert_holds(text, "Skipped: Insert.TooNew needs a server >=99.0.");
    assert_null(strstr(text, "nan"));
    free(text);
    result_release(&result);
}

static char *print_one(struct trial_result trial)
{
    struct result result;
    sample_plan(&result);
    result_add_trial(&result, &trial);
    char *text = print(&result, 0);
    result_release(&result);
    return text;
}

static void test_updates_that_match_nothing(void **state)
{
    (void)state;
    struct trial_result trial = sample_trial(0, 0, 0, 500);
    trial.tally.inserted = 0;
    char *text = print_one(trial);
    assert_holds(text, "500?<");
    assert_holds(text, "?      no update matched");
    free(text);

    trial.tally.matched = 499;
    text = print_one(trial);
    assert_holds(text, "500~<");
    free(text);

    trial.tally.upserted = 1;
    text = print_one(trial);
    assert_holds(text, "500<");
    free(text);

    trial.tally.matched = 300;
    trial.tally.upserted = 0;
    trial.tally.local = 200;
    text = print_one(trial);
    assert_holds(text, "500<");
    free(text);
}

static void test_lost_connections(void **state)
{
    (void)state;
    struct trial_result trial = sample_trial(0, 0, 0, 500);
    trial.tally.started += 3;
    trial.tally.broken = 3;
    tally_reason_add(&trial.tally.breaks, 71, "the server's answer is none", 27, 3);
    char *text = print_one(trial);
    assert_holds(text, "3 of 503 operations lost their connection, first: the server's answer is none\n");
    free(text);
}

static void test_lost_trials(void **state)
{
    (void)state;
    struct result result;
    sample_plan(&result);
    struct trial_result measured = sample_trial(0, 0, 0, 500);
    struct trial_result lost = sample_lost_trial(0, 0, TRIAL_UNPREPARED, 13, "not authorized");
    result_add_trial(&result, &measured);
    result_add_trial(&result, &lost);
    char *text = print(&result, 0);
    assert_holds(text, "500<");
    assert_holds(text, "Insert.Empty at 1: 1 of 2 trials has no number: could not be prepared: not authorized\n");
    free(text);
    result_release(&result);
}

static void test_every_trouble(void **state)
{
    (void)state;
    struct trial_result trial = sample_trial(0, 0, 0, 500);
    trial.tally.started += 6;
    trial.tally.failed = 1;
    trial.tally.broken = 2;
    trial.tally.abandoned = 3;
    tally_reason_add(&trial.tally.failures, 121, "bad", 3, 1);
    tally_reason_add(&trial.tally.breaks, 71, "gone", 4, 2);
    char *text = print_one(trial);
    assert_holds(text, "500!^<");
    assert_holds(text, "Insert.Empty at 1: 1 of 506 operations failed, first: bad (code 121); 2 of 506 operations lost "
                       "their connection, first: gone; 3 of 506 operations were abandoned\n");
    free(text);
}

static void test_unconfirmed(void **state)
{
    (void)state;
    struct trial_result trial = sample_trial(0, 0, 0, 0);
    trial.tally.started = trial.tally.unconfirmed = 500;
    char *text = print_one(trial);
    assert_holds(text, "  unconf");
    assert_holds(text, "unconf unconfirmed: -w 0 asks for no answer");
    assert_holds(text, "500 operations were sent and none confirmed");
    assert_null(strstr(text, "void"));
    free(text);

    trial.tally.started++;
    trial.tally.failed = 1;
    text = print_one(trial);
    assert_holds(text, "  void");
    assert_null(strstr(text, "unconf "));
    free(text);
}

static void test_spread(void **state)
{
    (void)state;
    struct result result;
    sample_plan(&result);
    const uint64_t counts[2][2] = {{1000, 1010}, {1000, 1500}};
    for (size_t rung = 0; rung < 2; rung++) {
        for (unsigned i = 0; i < 2; i++) {
            struct trial_result trial = sample_trial(0, rung, i, counts[rung][i]);
            result_add_trial(&result, &trial);
        }
    }
    char *text = print(&result, 0);
    assert_holds(text, "1.00k  1.25k*");
    assert_holds(text, "median 20.5 %, largest 40.0 % (Insert.Empty at 2 threads)");
    free(text);
    result_release(&result);
    text = print_one(sample_trial(0, 0, 0, 5));
    assert_holds(text, "With one trial per cell the spread is unknown");
    free(text);
}

static void test_narrow(void **state)
{
    (void)state;
    struct result result;
    sample_result(&result);
    char *text = print(&result, 34), *wide = print(&result, 200);
    unsigned headings = 0;
    for (const char *at = text; (at = strstr(at, "ops/s at threads")); at++)
        headings++;
    assert_int_equal(headings, 2);
    char *narrowest = print(&result, 1), *unlimited = print(&result, 0);
    assert_holds(narrowest, "ops/s at threads     128\n");
    assert_string_equal(wide, unlimited);
    free(unlimited);
    free(narrowest);
    free(wide);
    free(text);
    result_release(&result);
}

static void test_control_characters(void **state)
{
    (void)state;
    char *text = print_one(sample_lost_trial(0, 0, TRIAL_UNPREPARED, 1, "one\ntwo \x1B[2Jthree"));
    assert_holds(text, "one two ?[2Jthree\n");
    free(text);
}

static void test_many_troubles(void **state)
{
    (void)state;
    struct result result;
    sample_plan(&result);
    result.thread_count = 20;
    result.threads = memory_resize(result.threads, 20, sizeof *result.threads);
    for (size_t rung = 0; rung < 20; rung++) {
        result.threads[rung] = (unsigned)rung + 1;
        struct trial_result trial = sample_lost_trial(0, rung, TRIAL_UNPREPARED, 1, "no");
        result_add_trial(&result, &trial);
    }
    char *text = print(&result, 80);
    assert_holds(text, "at 12: could not be prepared: no\n... and 8 more cells");
    free(text);
    result_release(&result);
}

static void test_nothing(void **state)
{
    (void)state;
    struct result result;
    sample_plan(&result);
    result.interrupted = true;
    char *text = print(&result, 80);
    assert_holds(text, "2 of 3 tests were not reached");
    assert_holds(text, "interrupted");
    free(text);
    result_release(&result);
    text = print(&result, 80);
    assert_string_equal(text, "");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(test_rates, "rates have three significant digits and a unit"),
        NAMED_TEST(test_bytes, "bytes go by powers of 1000"),
        NAMED_TEST(test_durations, "durations are rounded to what is shown"),
        NAMED_TEST(test_sample, "tests go down, rungs across, and what is no plain number is explained"),
        NAMED_TEST(test_updates_that_match_nothing, "updates that match nothing are marked"),
        NAMED_TEST(test_lost_connections, "a lost connection is told by its cause, not by a code"),
        NAMED_TEST(test_lost_trials, "a trial without a number beside one that has one is explained"),
        NAMED_TEST(test_every_trouble, "all that went wrong in a cell is told"),
        NAMED_TEST(test_unconfirmed, "a cell of -w 0 is unconfirmed, not void"),
        NAMED_TEST(test_spread, "trials that lie far apart are marked, one trial is no measure of spread"),
        NAMED_TEST(test_narrow, "rungs that do not fit go into further blocks"),
        NAMED_TEST(test_control_characters, "a server's message cannot steer the terminal"),
        NAMED_TEST(test_many_troubles, "a long list of troubles ends with their number"),
        NAMED_TEST(test_nothing, "a run without any trial says so"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
