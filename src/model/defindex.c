/* SPDX-License-Identifier: Apache-2.0 */
#include "model/defindex.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "model/deftext.h"
#include "model/operator.h"
#include "model/opvalue.h"

static const char *const index_keys[] = {"of", "up", "div", "mod", "mul", "add", "as"};
static const char *const index_types[] = {"double", "int32", "int64", "decimal", "date", "string"};

/* as(((i div D) mod M) * mul + add) */
struct index_operator {
    bool is_known; /* `number` is i; else "of" says what will be counted */
    uint64_t number;
    const char *of;
    int64_t div, mod;
    json_t *mul, *add; /* numbers, or #INDEX that is not known */
    const char *as;
};

bool defindex_item(struct defexpand *expand, const struct defref *at, const char *name, uint64_t *number)
{
    *number = expand->item.number;
    if (expand->item.kind == DEFITEM_ROUND)
        return true;
    defsource_error(expand->source, at, "%s outside of documents needs a counting @list or #ARRAY around it", name);
    return false;
}

/* A text that is one of `words`; *word is left alone when the key is missing. */
static bool read_word(struct defexpand *expand, const struct defview *view, const char *key, const char *const *words,
                      size_t count, const char **word)
{
    const struct defref *given = defview_find(view, key);
    if (!given)
        return true;
    struct defref ref = *given;
    if (!defexpand_resolve(expand, &ref))
        return false;
    const char *text = json_string_value(ref.value);
    for (size_t i = 0; text && i < count; i++) {
        if (strcmp(text, words[i]) == 0) {
            *word = words[i];
            return true;
        }
    }
    defsource_error(
        expand->source, &ref, "\"%s\": expected \"%s\"%s%s", key, words[0],
        count > 3 ? ", \"int32\", \"int64\", \"decimal\", \"date\" or \"string\"" : ", \"item\" or \"field\"", "");
    return false;
}

static bool find_field(struct defexpand *expand, const struct defref *at, const struct defref *up,
                       struct index_operator *index)
{
    int64_t levels = 0;
    if (up && !defexpand_whole(expand, up, "\"up\"", 0, DEFEXPAND_DEPTH_MAX, &levels))
        return false;
    const struct deffield *field = expand->field;
    for (; field && levels; levels--)
        field = field->outer;
    if (!field) {
        defsource_error(expand->source, at, "\"of\": \"field\" needs %s @fields around it", up ? "that many" : "a");
        return false;
    }
    index->is_known = true;
    index->number = field->number;
    return true;
}

static bool find_counter(struct defexpand *expand, const struct defref *at, const struct defview *view,
                         struct index_operator *index)
{
    static const char *const counters[] = {"doc", "item", "field"};
    const struct defref *up = defview_find(view, "up");
    index->of = counters[0];
    if (!read_word(expand, view, "of", counters, COUNT_OF(counters), &index->of))
        return false;
    if (strcmp(index->of, "field") == 0)
        return find_field(expand, at, up, index);
    if (up) {
        defsource_error(expand->source, up, "\"up\" is for \"of\": \"field\"");
        return false;
    }
    if (strcmp(index->of, "doc") == 0 && expand->place != DEFPLACE_TEMPLATE) {
        defsource_error(
            expand->source, at,
            "#INDEX of \"doc\" is for documents of an insert step; here write \"of\": \"item\" or \"field\"");
        return false;
    }
    if (strcmp(index->of, "item") != 0 || expand->item.kind == DEFITEM_ARRAY)
        return true;
    if (expand->item.kind == DEFITEM_NONE) {
        defsource_error(expand->source, at, "\"of\": \"item\" needs a counting @list or #ARRAY around it");
        return false;
    }
    index->is_known = true;
    index->number = expand->item.number;
    return true;
}

/* As a double, or as the integer that it is where a double would not be exact. */
static json_t *exact_number(const json_t *value)
{
    json_int_t whole = json_integer_value(value);
    bool is_beyond = whole > OPVALUE_EXACT_MAX || whole < -OPVALUE_EXACT_MAX;
    return is_beyond ? json_integer(whole) : json_real(json_number_value(value));
}

/* "mul" and "add": a number or another #INDEX, whose result is a double. */
static bool read_factor(struct defexpand *expand, const struct defview *view, const char *key, double fallback,
                        json_t **factor)
{
    const struct defref *given = defview_find(view, key);
    struct defref ref = given ? *given : (struct defref){0};
    if (!given) {
        *factor = json_real(fallback);
        return true;
    }
    if (!defexpand_resolve(expand, &ref))
        return false;
    const json_t *argument = NULL, *type;
    if (operator_of(ref.value, &argument) == OPERATOR_INDEX) {
        type = json_object_get(argument, "as");
        *factor = !type || (json_is_string(type) && strcmp(json_string_value(type), "double") == 0)
                      ? defexpand_value(expand, &ref)
                      : NULL;
        if (*factor || type == NULL)
            return *factor != NULL;
    } else if (json_is_number(ref.value)) {
        *factor = exact_number(ref.value);
        return true;
    }
    defsource_error(expand->source, &ref, "\"%s\": expected a number or another #INDEX without \"as\"", key);
    return false;
}

static json_t *whole_as(double value, const char *as)
{
    if (strcmp(as, "int32") == 0)
        return json_integer((json_int_t)value);
    char *digits = memory_printf("%.0f", value);
    json_t *result;
    if (strcmp(as, "int64") == 0)
        result = json_pack("{ss}", "$numberLong", digits);
    else if (strcmp(as, "decimal") == 0)
        result = json_pack("{ss}", "$numberDecimal", digits);
    else if (strcmp(as, "date") == 0)
        result = json_pack("{s{ss}}", "$date", "$numberLong", digits);
    else
        result = json_string(digits);
    free(digits);
    return result;
}

static json_t *make_constant(struct defexpand *expand, const struct defref *at, const struct index_operator *index)
{
    uint64_t i = index->number / (uint64_t)index->div;
    if (index->mod)
        i %= (uint64_t)index->mod;
    double value = (double)i * json_number_value(index->mul) + json_number_value(index->add);
    if (strcmp(index->as, "double") == 0 && isfinite(value))
        return json_real(value);
    double limit = strcmp(index->as, "int32") == 0 ? INT32_MAX : (double)OPVALUE_EXACT_MAX;
    if (value == floor(value) && fabs(value) <= limit)
        return whole_as(value, index->as);
    defsource_error(expand->source, at, "#INDEX gives %.17g here, which is no %s%s", value,
                    strcmp(index->as, "double") == 0 ? "" : "whole ", index->as);
    return NULL;
}

static json_t *make_operator(const struct index_operator *index)
{
    json_t *of = index->is_known ? json_integer((json_int_t)index->number) : json_string(index->of);
    return json_pack("{s{sosIsIsOsOss}}", "#INDEX", "of", of, "div", (json_int_t)index->div, "mod",
                     (json_int_t)index->mod, "mul", index->mul, "add", index->add, "as", index->as);
}

static bool read_index(struct defexpand *expand, const struct defref *at, const struct defview *view,
                       struct index_operator *index)
{
    const struct defref *div = defview_find(view, "div"), *mod = defview_find(view, "mod");
    index->div = 1;
    index->as = index_types[0];
    return defview_check_keys(expand, view, "#INDEX", index_keys, COUNT_OF(index_keys)) &&
           find_counter(expand, at, view, index) &&
           (!div || defexpand_whole(expand, div, "\"div\"", 1, INT64_MAX, &index->div)) &&
           (!mod || defexpand_whole(expand, mod, "\"mod\"", 0, INT64_MAX, &index->mod)) &&
           read_factor(expand, view, "mul", 1, &index->mul) && read_factor(expand, view, "add", 0, &index->add) &&
           read_word(expand, view, "as", index_types, COUNT_OF(index_types), &index->as);
}

json_t *defindex_expand(struct defexpand *expand, const struct defref *argument)
{
    struct defref ref = *argument;
    struct defview view = {0};
    struct index_operator index = {0};
    json_t *result = NULL;
    if (!defexpand_resolve(expand, &ref))
        return NULL;
    if (!json_is_object(ref.value))
        defsource_error(expand->source, argument, "#INDEX: expected %s", operator_rows[OPERATOR_INDEX].expects);
    else if (defexpand_open(expand, &ref, &view) && read_index(expand, argument, &view, &index))
        result = index.is_known && json_is_number(index.mul) && json_is_number(index.add)
                     ? make_constant(expand, argument, &index)
                     : make_operator(&index);
    json_decref(index.mul);
    json_decref(index.add);
    defview_release(&view);
    return result;
}
