/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <stdio.h>

#include "base/rng.h"
#include "model/tally.h"
#include "model/tally_json.h"

static void add(struct tally_reasons *reasons, int32_t code, const char *text, uint64_t count)
{
    tally_reason_add(reasons, code, text, strlen(text), count);
}

static void test_balance(void **state)
{
    (void)state;
    struct tally tally;
    tally_init(&tally);
    assert_true(tally_is_balanced(&tally));
    uint64_t *const classes[] = {&tally.succeeded, &tally.failed, &tally.broken, &tally.abandoned, &tally.unconfirmed};
    for (size_t i = 0; i < 5; i++) {
        (*classes[i])++;
        assert_false(tally_is_balanced(&tally));
        tally.started++;
        assert_true(tally_is_balanced(&tally));
    }
    tally.local++; /* is part of succeeded, no class */
    assert_true(tally_is_balanced(&tally));
}

static void test_sum(void **state)
{
    (void)state;
    struct tally a = {
        .started = 3, .succeeded = 1, .failed = 2, .matched = 4, .no_service_ns = 6, .last_counted_ns = 9};
    struct tally b = {
        .started = 2, .broken = 1, .abandoned = 1, .matched = 5, .no_service_ns = 7, .last_counted_ns = 8};
    struct tally sum;
    tally_init(&sum);
    a.latency_min_ns = b.latency_min_ns = UINT64_MAX;
    tally_latency(&a, 50);
    tally_latency(&a, 20);
    add(&a.failures, 11000, "duplicate", 2);
    add(&b.failures, 11000, "another text", 1);
    tally_add(&sum, &a);
    tally_add(&sum, &b);
    assert_int_equal(sum.started, 5);
    assert_true(tally_is_balanced(&sum));
    assert_int_equal(sum.matched, 9);
    assert_int_equal(sum.no_service_ns, 13);
    assert_int_equal(sum.last_counted_ns, 9);
    assert_int_equal(sum.latency_count, 2);
    assert_int_equal(sum.latency_sum_ns, 70);
    assert_int_equal(sum.latency_min_ns, 20);
    assert_int_equal(sum.latency_max_ns, 50);
    assert_int_equal(sum.failures.count, 1);
    assert_int_equal(sum.failures.items[0].count, 3);
    assert_string_equal(sum.failures.items[0].text, "duplicate");
}

static void test_overflow(void **state)
{
    (void)state;
    struct tally_reasons reasons = {0};
    uint64_t sum = 0;
    for (int32_t code = 1; code <= TALLY_FAILURES_MAX + 5; code++)
        add(&reasons, code, "x", 10);
    assert_int_equal(reasons.count, TALLY_FAILURES_MAX);
    for (size_t i = 0; i < reasons.count; i++)
        sum += reasons.items[i].count;
    assert_int_equal(sum, 10 * (TALLY_FAILURES_MAX + 5));
    assert_int_equal(reasons.items[TALLY_FAILURES_MAX - 1].code, TALLY_FAILURES_MAX);
    assert_int_equal(reasons.items[TALLY_FAILURES_MAX - 1].count, 60);
}

static void test_text(void **state)
{
    (void)state;
    struct tally_reasons reasons = {0};
    tally_reason_add(&reasons, 1,
                     "a\xFF"
                     "b\xC3\xA4",
                     5, 1);
    assert_string_equal(reasons.items[0].text, "a?b\xC3\xA4");
    tally_reason_add(&reasons, 2, "l\0i\nne\x7F!", 8, 1);
    assert_string_equal(reasons.items[1].text, "l?i ne?!");
    tally_reason_add(&reasons, 3, "no NUL at the end", 6, 1);
    assert_string_equal(reasons.items[2].text, "no NUL");
    add(&reasons, 3, "is not the first", 1);
    assert_string_equal(reasons.items[2].text, "no NUL");
}

static void test_long_text(void **state)
{
    (void)state;
    for (size_t shift = 0; shift < 4; shift++) {
        struct tally_reasons reasons = {0};
        char text[300] = "";
        memset(text, 'x', shift);
        for (size_t i = shift; i + 4 < sizeof text; i += 4)
            snprintf(text + i, sizeof text - i, "\xF0\x9F\x98\x80");
        add(&reasons, 1, text, 1);
        size_t length = strlen(reasons.items[0].text);
        assert_true(length < TALLY_TEXT_MAX && length > TALLY_TEXT_MAX - 5);
        assert_int_equal((length - shift) % 4, 0);
        assert_memory_equal(reasons.items[0].text, text, length);
    }
}

static void fill(struct tally *tally, struct rng *rng)
{
    tally_init(tally);
    uint64_t *const counts[] = {&tally->started,      &tally->succeeded,   &tally->failed,   &tally->broken,
                                &tally->abandoned,    &tally->unconfirmed, &tally->local,    &tally->within_trial_time,
                                &tally->inserted,     &tally->matched,     &tally->modified, &tally->upserted,
                                &tally->no_service_ns};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        *counts[i] = rng_u64(rng) >> (1 + rng_below(rng, 63));
    for (uint32_t i = rng_below(rng, 4); i > 0; i--)
        tally_latency(tally, rng_u32(rng));
    for (uint32_t i = rng_below(rng, 20); i > 0; i--)
        add(&tally->failures, (int32_t)rng_u32(rng), "code \xC3\xA4", rng_u32(rng));
    for (uint32_t i = rng_below(rng, 3); i > 0; i--)
        add(&tally->breaks, (int32_t)i, "cause", i);
}

static void test_json_round_trip(void **state)
{
    (void)state;
    struct rng rng;
    const uint64_t seed = 20;
    printf("# seed %d\n", (int)seed);
    rng_init(&rng, seed, 0);
    for (unsigned i = 0; i < 200; i++) {
        struct tally tally, again;
        struct error err = {0};
        fill(&tally, &rng);
        json_t *json = tally_to_json(&tally);
        assert_true(tally_from_json(json, &again, &err));
        assert_memory_equal(&tally, &again, sizeof tally);
        json_decref(json);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NAMED_TEST(test_balance, "started is the sum of the five classes"),
        NAMED_TEST(test_sum, "tallies add up"),
        NAMED_TEST(test_overflow, "reasons that find no place are counted in the last one"),
        NAMED_TEST(test_text, "a message becomes one line of UTF-8, and the first one stays"),
        NAMED_TEST(test_long_text, "a long message is cut between characters"),
        NAMED_TEST(test_json_round_trip, "a tally comes back from JSON unchanged"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
