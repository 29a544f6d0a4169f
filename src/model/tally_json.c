/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tally_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/text.h"

struct tally_member {
    const char *name;
    size_t offset;
};

#define MEMBER(name)                                                                                                   \
    {                                                                                                                  \
#name, offsetof(struct tally, name)                                                                            \
    }

static const struct tally_member operations[] = {
    MEMBER(started),   MEMBER(succeeded),   MEMBER(failed), MEMBER(broken),
    MEMBER(abandoned), MEMBER(unconfirmed), MEMBER(local),  MEMBER(within_trial_time),
};
static const struct tally_member documents[] = {MEMBER(inserted), MEMBER(matched), MEMBER(modified), MEMBER(upserted)};
static const struct tally_member times[] = {
    MEMBER(latency_count),  MEMBER(latency_sum_ns), MEMBER(latency_min_ns),
    MEMBER(latency_max_ns), MEMBER(no_service_ns),
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void write_members(json_t *object, const struct tally *tally, const struct tally_member *members, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t value;
        memcpy(&value, (const char *)tally + members[i].offset, sizeof value);
        if (value <= INT64_MAX) /* only latency_min_ns, while there is no latency, is more */
            json_object_set_new(object, members[i].name, json_integer((json_int_t)value));
    }
}

static bool read_members(const json_t *object, struct tally *tally, const struct tally_member *members, size_t count,
                         struct error *err)
{
    for (size_t i = 0; i < count; i++) {
        const json_t *value = json_object_get(object, members[i].name);
        if (!value)
            continue;
        if (!json_is_integer(value) || json_integer_value(value) < 0) {
            error_set(err, "%s: expected a number from 0", members[i].name);
            return false;
        }
        uint64_t number = (uint64_t)json_integer_value(value);
        memcpy((char *)tally + members[i].offset, &number, sizeof number);
    }
    return true;
}

json_t *tally_operations_to_json(const struct tally *tally)
{
    json_t *object = json_object();
    write_members(object, tally, operations, COUNT(operations));
    return object;
}

json_t *tally_documents_to_json(const struct tally *tally)
{
    json_t *object = json_object();
    write_members(object, tally, documents, COUNT(documents));
    return object;
}

json_t *tally_reasons_to_json(const struct tally_reasons *reasons)
{
    json_t *list = json_array();
    for (size_t i = 0; i < reasons->count; i++) {
        const struct tally_reason *reason = &reasons->items[i];
        json_t *item = json_object();
        json_object_set_new(item, "code", json_integer(reason->code));
        json_object_set_new(item, "count", json_integer((json_int_t)reason->count));
        json_object_set_new(item, "message", text_to_json(reason->text));
        json_array_append_new(list, item);
    }
    return list;
}

bool tally_reasons_from_json(const json_t *list, struct tally_reasons *reasons, struct error *err)
{
    size_t i;
    json_t *item;
    json_array_foreach(list, i, item) {
        const json_t *code = json_object_get(item, "code"), *count = json_object_get(item, "count");
        const char *text = json_string_value(json_object_get(item, "message"));
        if (!json_is_integer(code) || !json_is_integer(count) || json_integer_value(count) < 0 || !text ||
            json_integer_value(code) < INT32_MIN || json_integer_value(code) > INT32_MAX) {
            error_set(err, "failures, breaks, setup_failures: expected objects with code, count and message");
            return false;
        }
        tally_reason_add(reasons, (int32_t)json_integer_value(code), text, strlen(text),
                         (uint64_t)json_integer_value(count));
    }
    return true;
}

static double microseconds(const struct tally *tally, uint64_t ns)
{
    return tally->latency_count ? (double)ns / 1e3 : NAN;
}

void tally_latency_to_json(const struct tally *tally, json_t *object)
{
    double mean = microseconds(tally, tally->latency_sum_ns) / (double)tally->latency_count;
    json_object_set_new(object, "latency_mean_us", text_number_to_json(mean));
    json_object_set_new(object, "latency_min_us", text_number_to_json(microseconds(tally, tally->latency_min_ns)));
    json_object_set_new(object, "latency_max_us", text_number_to_json(microseconds(tally, tally->latency_max_ns)));
}

json_t *tally_to_json(const struct tally *tally)
{
    json_t *object = json_object();
    write_members(object, tally, operations, COUNT(operations));
    write_members(object, tally, documents, COUNT(documents));
    write_members(object, tally, times, COUNT(times));
    json_object_set_new(object, "failures", tally_reasons_to_json(&tally->failures));
    json_object_set_new(object, "breaks", tally_reasons_to_json(&tally->breaks));
    return object;
}

bool tally_from_json(const json_t *json, struct tally *tally, struct error *err)
{
    tally_init(tally);
    return read_members(json, tally, operations, COUNT(operations), err) &&
           read_members(json, tally, documents, COUNT(documents), err) &&
           read_members(json, tally, times, COUNT(times), err) &&
           tally_reasons_from_json(json_object_get(json, "failures"), &tally->failures, err) &&
           tally_reasons_from_json(json_object_get(json, "breaks"), &tally->breaks, err);
}
