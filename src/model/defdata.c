/* SPDX-License-Identifier: Apache-2.0 */
#include "model/defdata.h"

#include <math.h>
#include <string.h>

#include "base/nearest.h"
#include "model/defindex.h"
#include "model/defmeasure.h"
#include "model/ejson.h"
#include "model/shuffle.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define STEPS_MAX 9007199254740992.0

static const char *const data_names[] = {"#INDEX", "#CYCLE", "#RAND_DOUBLE", "#SHUFFLED_INT", "#ARRAY"};

static bool stays(const struct defexpand *expand)
{
    return expand->place == DEFPLACE_TEMPLATE;
}

static json_t *expand_cycle(struct defexpand *expand, const struct defref *at)
{
    struct defref list = *at;
    uint64_t number = 0;
    if (!defexpand_resolve(expand, &list))
        return NULL;
    if (!json_is_array(list.value) || (!stays(expand) && !defindex_item(expand, at, "#CYCLE", &number))) {
        if (!json_is_array(list.value))
            defsource_error(expand->source, &list, "#CYCLE expects a list");
        return NULL;
    }
    json_t *values = defexpand_array(expand, &list, NULL, NULL);
    size_t count = json_array_size(values);
    if (count && stays(expand))
        return json_pack("{so}", "#CYCLE", values);
    json_t *value = count ? json_incref(json_array_get(values, number % count)) : NULL;
    json_decref(values);
    if (!count)
        defsource_error(expand->source, &list, "#CYCLE expects at least one value");
    return value;
}

static bool is_stepped(const json_t *list, double *steps)
{
    double v[3];
    for (size_t i = 0; i < 3; i++) {
        const json_t *item = json_array_get(list, i);
        if (!json_is_number(item))
            return false;
        v[i] = json_number_value(item);
    }
    /* hi is exclusive; a quotient that misses a whole number by rounding counts as that number */
    *steps = ceil((v[1] - v[0]) / v[2] - 1e-9);
    return json_array_size(list) == 3 && v[2] > 0 && *steps >= 1 && *steps <= STEPS_MAX;
}

static json_t *expand_rand_double(struct defexpand *expand, const struct defref *at)
{
    json_t *list = defexpand_value(expand, at), *result = NULL;
    double steps;
    if (list && !is_stepped(list, &steps)) {
        defsource_error(expand->source, at, "#RAND_DOUBLE expects [lo, hi, step], numbers with step > 0 and hi > lo");
    } else if (list && stays(expand)) {
        result = json_pack("{sO}", "#RAND_DOUBLE", list);
    } else if (list) {
        double k = (double)rng_below_u64(&expand->rng, (uint64_t)steps);
        double lo = json_number_value(json_array_get(list, 0)), step = json_number_value(json_array_get(list, 2));
        expand->has_drawn = true;
        result = json_real(lo + k * step);
    }
    json_decref(list);
    return result;
}

static json_t *expand_shuffled_int(struct defexpand *expand, const struct defref *at)
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
    if (!defexpand_is_whole(count, &n)) {
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
    const char *name = ejson_operator(count, NULL);
    return (defexpand_is_whole(count, &n) && n >= 0) ||
           (name && (strcmp(name, "#RAND_INT") == 0 || strcmp(name, "#INDEX") == 0));
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
        defsource_error(expand->source, at,
                        "#ARRAY expects {\"count\": n, \"value\": v}, n a whole number from 0, "
                        "#RAND_INT or #INDEX");
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

static json_t *expand_array(struct defexpand *expand, const struct defref *at)
{
    struct defref argument = *at;
    struct defview view = {0};
    json_t *result = NULL;
    if (!defexpand_resolve(expand, &argument))
        return NULL;
    if (!json_is_object(argument.value))
        defsource_error(expand->source, &argument, "#ARRAY expects {\"count\": n, \"value\": v}");
    else if (defexpand_open(expand, &argument, &view))
        result = expand_members(expand, at, &view);
    defview_release(&view);
    return result;
}

bool defdata_is_operator(const char *key)
{
    for (size_t i = 0; i < COUNT_OF(data_names); i++)
        if (strcmp(key, data_names[i]) == 0)
            return true;
    return false;
}

const char *defdata_nearest(const char *key)
{
    return nearest_find(key, data_names, COUNT_OF(data_names));
}

json_t *defdata_expand(struct defexpand *expand, const char *key, const struct defref *at)
{
    const char *member = expand->member;
    json_t *result;
    expand->member = NULL;
    if (strcmp(key, "#INDEX") == 0)
        result = defindex_expand(expand, at);
    else if (strcmp(key, "#CYCLE") == 0)
        result = expand_cycle(expand, at);
    else if (strcmp(key, "#RAND_DOUBLE") == 0)
        result = expand_rand_double(expand, at);
    else if (strcmp(key, "#SHUFFLED_INT") == 0)
        result = expand_shuffled_int(expand, at);
    else
        result = expand_array(expand, at);
    expand->member = member;
    return result;
}
