/* SPDX-License-Identifier: Apache-2.0 */
#include "model/defmeasure.h"

#include <string.h>

#include "model/defconstruct.h"

/* Counts with a copy of the expansion's state whose complaints nobody hears: what is wrong is found when it is really
 * expanded. What cannot be read counts as nothing. */

static uint64_t product(uint64_t a, uint64_t b)
{
    uint64_t result;
    return __builtin_mul_overflow(a, b, &result) ? UINT64_MAX : result;
}

/* What became too large is better named by the outermost count around it. */
static void blame(struct defexpand *trial, const struct defref *counting, bool is_counting)
{
    if (trial->is_over && is_counting)
        trial->over_at = *counting;
}

static void count_value(struct defexpand *trial, const struct defref *ref, uint64_t times);

static void count_elements(struct defexpand *trial, const struct defref *array, uint64_t times)
{
    for (size_t i = 0; i < json_array_size(array->value) && times && !trial->is_over; i++) {
        struct defref element = defref_element(array, i);
        count_value(trial, &element, times);
    }
}

static void count_fields(struct defexpand *trial, const struct defref *ref, uint64_t times)
{
    struct defref value = *ref;
    struct defconstruct_group group;
    if (!defexpand_resolve(trial, &value))
        return;
    if (json_is_array(value.value)) {
        for (size_t i = 0; i < json_array_size(value.value) && !trial->is_over; i++) {
            struct defref element = defref_element(&value, i);
            count_fields(trial, &element, times);
        }
    } else if (defexpand_spend(trial, ref, DEFEXPAND_VALUE_BYTES, 1) &&
               defconstruct_read_group(trial, &value, &group)) {
        struct defref names = group.names;
        if (group.count < 0 && defexpand_resolve(trial, &names))
            group.count = (int64_t)json_array_size(names.value);
        if (group.count > 0)
            count_value(trial, &group.value, product(times, (uint64_t)group.count));
        blame(trial, ref, group.count > 1);
    }
}

static void count_string(struct defexpand *trial, const struct defref *ref, uint64_t times)
{
    struct defref text;
    int64_t count;
    if (defconstruct_read_string(trial, ref, &text, &count) && count > 0)
        defexpand_spend(trial, ref, json_string_length(text.value), product(times, (uint64_t)count));
}

static void count_member(struct defexpand *trial, const struct defref *member, uint64_t times)
{
    if (strcmp(member->key, "@fields") == 0)
        count_fields(trial, member, times);
    else if (strcmp(member->key, "@string") == 0)
        count_string(trial, member, times);
    else if (defexpand_spend(trial, member, strlen(member->key), times))
        count_value(trial, member, times);
}

static void count_object(struct defexpand *trial, const struct defref *ref, uint64_t times)
{
    struct defview view = {0};
    struct defconstruct_list list;
    if (!defexpand_open(trial, ref, &view))
        goto done;
    if (defview_find(&view, "@list")) {
        if (defconstruct_read_list(trial, &view, &list))
            count_elements(trial, &list.values, product(times, list.count));
        blame(trial, ref, true);
        goto done;
    }
    for (size_t i = 0; i < view.count && !trial->is_over; i++)
        count_member(trial, &view.members[i], times);
done:
    defview_release(&view);
}

static void count_value(struct defexpand *trial, const struct defref *ref, uint64_t times)
{
    struct defref value = *ref;
    if (!times || !defexpand_spend(trial, ref, DEFEXPAND_VALUE_BYTES, times) || !defexpand_resolve(trial, &value))
        return;
    if (++trial->depth <= DEFEXPAND_DEPTH_MAX) {
        if (json_is_object(value.value))
            count_object(trial, &value, times);
        else if (json_is_array(value.value))
            count_elements(trial, &value, times);
        else
            defexpand_spend(trial, ref, json_string_length(value.value), times);
    }
    trial->depth--;
}

bool defmeasure_fits(struct defexpand *expand, const struct defref *value, uint64_t times)
{
    struct defsource quiet = *expand->source;
    struct defexpand trial = *expand;
    quiet.is_quiet = true;
    trial.source = &quiet;
    count_value(&trial, value, times);
    return !trial.is_over || defexpand_spend(expand, &trial.over_at, UINT64_MAX, 1);
}
