/* SPDX-License-Identifier: Apache-2.0 */
#include "model/defdata.h"

#include "base/array.h"
#include "model/defindex.h"
#include "model/defmeasure.h"
#include "model/ejson.h"
#include "model/operator.h"
#include "model/opvalue.h"
#include "model/shuffle.h"

static bool stays(const struct defexpand *expand)
{
    return expand->place == DEFPLACE_TEMPLATE;
}

/* "#CYCLE: expected a list of at least one value" */
static json_t *complain(struct defexpand *expand, enum operator_id id, const struct defref *at)
{
    defsource_error(expand->source, at, "%s: expected %s", operator_rows[id].name, operator_rows[id].expects);
    return NULL;
}

json_t *defdata_expand_cycle(struct defexpand *expand, const struct defref *at)
{
    struct defref list = *at;
    uint64_t number = 0;
    if (!defexpand_resolve(expand, &list))
        return NULL;
    if (!json_is_array(list.value))
        return complain(expand, OPERATOR_CYCLE, &list);
    if (!stays(expand) && !defindex_item(expand, at, "#CYCLE", &number))
        return NULL;
    json_t *values = defexpand_array(expand, &list, NULL, NULL);
    size_t count = json_array_size(values);
    if (count && stays(expand))
        return json_pack("{so}", "#CYCLE", values);
    json_t *value = count ? json_incref(json_array_get(values, number % count)) : NULL;
    json_decref(values);
    return count ? value : complain(expand, OPERATOR_CYCLE, &list);
}

/* One of the values, drawn now. */
static json_t *draw_step(struct defexpand *expand, const json_t *list, uint64_t steps)
{
    double k = (double)rng_below_u64(&expand->rng, steps);
    expand->has_drawn = true;
    return json_real(json_number_value(json_array_get(list, 0)) + k * json_number_value(json_array_get(list, 2)));
}

json_t *defdata_expand_rand_double(struct defexpand *expand, const struct defref *at)
{
    json_t *list = defexpand_value(expand, at), *result = NULL;
    uint64_t steps = list ? operator_step_count(list) : 0;
    if (steps && stays(expand))
        result = json_pack("{sO}", "#RAND_DOUBLE", list);
    else if (steps)
        result = draw_step(expand, list, steps);
    else if (list)
        complain(expand, OPERATOR_RAND_DOUBLE, at);
    json_decref(list);
    return result;
}

json_t *defdata_expand_shuffled_int(struct defexpand *expand, const struct defref *at)
{
    int64_t n;
    if (!defexpand_whole(expand, at, "#SHUFFLED_INT", 1, INT32_MAX, &n))
        return NULL;
    if (stays(expand))
        return json_pack("{sI}", "#SHUFFLED_INT", (json_int_t)n);
    uint64_t item, size = (uint64_t)n, key = expand->rng.seed ^ expand->rng.stream ^ size;
    if (!defindex_item(expand, at, "#SHUFFLED_INT", &item))
        return NULL;
    expand->has_drawn = true;
    return json_real((double)shuffle_position(item % size, size, key));
}

/* Now, element by element. */
static json_t *make_array(struct defexpand *expand, const struct defref *at, const struct defref *value,
                          const json_t *count)
{
    int64_t n;
    if (!ejson_is_whole(count, &n)) {
        defsource_error(expand->source, at, "\"count\" of an #ARRAY outside of documents: expected a whole number");
        return NULL;
    }
    if (!defmeasure_fits(expand, value, (uint64_t)n))
        return NULL;
    size_t complaints = expand->source->error_count;
    json_t *array = json_array();
    for (int64_t i = 0; i < n && complaints == expand->source->error_count; i++) {
        expand->item = (struct defitem){DEFITEM_ROUND, (uint64_t)i};
        json_t *element = defexpand_value(expand, value);
        if (element)
            json_array_append_new(array, element);
    }
    return array;
}

/* A number from 0, or an operator that gives one for each document. */
static bool is_count(const json_t *count)
{
    int64_t n;
    switch (operator_of(count, NULL)) {
    case OPERATOR_COUNT:
        return ejson_is_whole(count, &n) && n >= 0;
    case OPERATOR_RAND_INT:
        return opvalue_of(count, NULL).low >= 0;
    case OPERATOR_INDEX:
        return true;
    default:
        return false;
    }
}

static json_t *expand_members(struct defexpand *expand, const struct defref *at, const struct defview *view)
{
    static const char *const known[] = {"count", "value"};
    const struct defref *count = defview_find(view, "count"), *value = defview_find(view, "value");
    if (!defview_check_keys(expand, view, "#ARRAY", known, COUNT_OF(known)))
        return NULL;
    json_t *n = count ? defexpand_value(expand, count) : NULL, *result = NULL;
    struct defitem outer = expand->item;
    if (!value || (!n && !count) || (n && !is_count(n))) {
        complain(expand, OPERATOR_ARRAY, at);
    } else if (n && stays(expand)) {
        expand->item = (struct defitem){DEFITEM_ARRAY, 0};
        json_t *element = defexpand_value(expand, value);
        result = element ? json_pack("{s{sOso}}", "#ARRAY", "count", n, "value", element) : NULL;
    } else if (n) {
        result = make_array(expand, at, value, n);
    }
    expand->item = outer;
    json_decref(n);
    return result;
}

json_t *defdata_expand_array(struct defexpand *expand, const struct defref *at)
{
    struct defref argument = *at;
    struct defview view = {0};
    json_t *result = NULL;
    if (!defexpand_resolve(expand, &argument))
        return NULL;
    if (!json_is_object(argument.value))
        complain(expand, OPERATOR_ARRAY, &argument);
    else if (defexpand_open(expand, &argument, &view))
        result = expand_members(expand, at, &view);
    defview_release(&view);
    return result;
}
