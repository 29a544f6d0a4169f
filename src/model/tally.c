/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tally.h"

#include <string.h>

#include "base/text.h"

void tally_init(struct tally *tally)
{
    *tally = (struct tally){.latency_min_ns = UINT64_MAX};
}

void tally_reasons_add(struct tally_reasons *into, const struct tally_reasons *from)
{
    for (size_t i = 0; i < from->count; i++) {
        const struct tally_reason *reason = &from->items[i];
        tally_reason_add(into, reason->code, reason->text, strlen(reason->text), reason->count);
    }
}

void tally_add(struct tally *into, const struct tally *from)
{
    into->started += from->started;
    into->succeeded += from->succeeded;
    into->failed += from->failed;
    into->broken += from->broken;
    into->abandoned += from->abandoned;
    into->unconfirmed += from->unconfirmed;
    into->local += from->local;
    into->within_trial_time += from->within_trial_time;
    into->inserted += from->inserted;
    into->matched += from->matched;
    into->modified += from->modified;
    into->upserted += from->upserted;
    into->latency_count += from->latency_count;
    into->latency_sum_ns += from->latency_sum_ns;
    into->no_service_ns += from->no_service_ns;
    if (from->latency_min_ns < into->latency_min_ns)
        into->latency_min_ns = from->latency_min_ns;
    if (from->latency_max_ns > into->latency_max_ns)
        into->latency_max_ns = from->latency_max_ns;
    if (from->last_counted_ns > into->last_counted_ns)
        into->last_counted_ns = from->last_counted_ns;
    tally_reasons_add(&into->failures, &from->failures);
    tally_reasons_add(&into->breaks, &from->breaks);
}

bool tally_is_balanced(const struct tally *tally)
{
    return tally->started == tally->succeeded + tally->failed + tally->broken + tally->abandoned + tally->unconfirmed;
}

uint64_t tally_lost(const struct tally *tally)
{
    return tally->failed + tally->broken + tally->abandoned;
}

bool tally_is_unconfirmed(const struct tally *tally)
{
    return tally->unconfirmed > 0 && tally->started == tally->local + tally->unconfirmed;
}

void tally_latency(struct tally *tally, uint64_t latency_ns)
{
    tally->latency_count++;
    tally->latency_sum_ns += latency_ns;
    if (latency_ns < tally->latency_min_ns)
        tally->latency_min_ns = latency_ns;
    if (latency_ns > tally->latency_max_ns)
        tally->latency_max_ns = latency_ns;
}

void tally_reason_add(struct tally_reasons *reasons, int32_t code, const char *text, size_t length, uint64_t count)
{
    size_t i = 0;
    while (i < reasons->count && reasons->items[i].code != code)
        i++;
    if (i == TALLY_FAILURES_MAX)
        i = TALLY_FAILURES_MAX - 1;
    if (i == reasons->count) {
        reasons->items[i].code = code;
        text_copy_safe(reasons->items[i].text, TALLY_TEXT_MAX, text, length);
        reasons->count++;
    }
    reasons->items[i].count += count;
}
