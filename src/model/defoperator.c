/* SPDX-License-Identifier: Apache-2.0 */
#include "model/defoperator.h"

#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "model/defdata.h"
#include "model/ejson.h"

#define RAND_STRING_MAX (16 << 20)

/* The operators of mongo-perf, which stay until an operation or a document is made. `check` looks at the expanded
 * argument. */
struct op_row {
    const char *name;
    bool in_documents; /* else in operations only */
    bool (*check)(const json_t *argument, const struct defexpand *expand);
    const char *expects;
};

static bool is_int32(const json_t *value, int64_t *number)
{
    return defexpand_is_whole(value, number) && *number >= INT32_MIN && *number <= INT32_MAX;
}

/* A number that an operation knows only when it is made. */
static bool is_computed(const json_t *value)
{
    const char *name = ejson_operator(value, NULL);
    return name && (strcmp(name, "#VARIABLE") == 0 || strcmp(name, "#RAND_INT") == 0);
}

static bool check_rand_int(const json_t *argument, const struct defexpand *expand)
{
    (void)expand;
    size_t count = json_array_size(argument);
    int64_t number[3] = {0};
    bool known[3] = {false};
    for (size_t i = 0; i < count && i < 3; i++) {
        const json_t *item = json_array_get(argument, i);
        known[i] = is_int32(item, &number[i]);
        if (!known[i] && !is_computed(item))
            return false;
    }
    bool is_ordered = !known[0] || !known[1] || number[1] > number[0];
    return (count == 2 || count == 3) && is_ordered;
}

static bool check_rand_int_plus_thread(const json_t *argument, const struct defexpand *expand)
{
    int64_t number;
    return json_array_size(argument) == 2 && is_int32(json_array_get(argument, 0), &number) &&
           is_int32(json_array_get(argument, 1), &number) && check_rand_int(argument, expand);
}

static bool check_seq_int(const json_t *argument, const struct defexpand *expand)
{
    static const char *const known[] = {"seq_id", "start", "step", "unique", "mod"};
    int64_t number;
    const char *key;
    json_t *value;
    (void)expand;
    for (size_t i = 0; i < 3; i++)
        if (!is_int32(json_object_get(argument, known[i]), &number))
            return false;
    json_object_foreach((json_t *)(uintptr_t)argument, key, value)
    {
        if (strcmp(key, "unique") == 0 && !json_is_boolean(value))
            return false;
        if (strcmp(key, "mod") == 0 && !(is_int32(value, &number) && number > 0))
            return false;
        size_t i = 0;
        while (i < 5 && strcmp(key, known[i]) != 0)
            i++;
        if (i == 5)
            return false;
    }
    return true;
}

static bool is_ascii(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text >= 0x80)
            return false;
    return true;
}

static bool check_rand_string(const json_t *argument, const struct defexpand *expand)
{
    int64_t length;
    size_t count = json_array_size(argument);
    const char *alphabet = json_string_value(json_array_get(argument, 1));
    bool is_two = count == 2 && expand->place == DEFPLACE_TEMPLATE && alphabet && *alphabet && is_ascii(alphabet);
    return (count == 1 || is_two) && defexpand_is_whole(json_array_get(argument, 0), &length) && length >= 1 &&
           length <= RAND_STRING_MAX;
}

static bool check_concat(const json_t *argument, const struct defexpand *expand)
{
    size_t i;
    json_t *item;
    (void)expand;
    json_array_foreach(argument, i, item) if (json_is_null(item) || json_is_array(item) ||
                                              (json_is_object(item) && !ejson_is_wrapper(item) &&
                                               !ejson_operator(item, NULL))) return false;
    return json_array_size(argument) >= 2;
}

static bool check_oid(const json_t *argument, const struct defexpand *expand)
{
    (void)argument;
    return expand->member && strcmp(expand->member, "_id") == 0;
}

static bool check_variable(const json_t *argument, const struct defexpand *expand)
{
    return json_string_length(argument) && json_object_get(expand->variables, json_string_value(argument));
}

static bool check_cur_date(const json_t *argument, const struct defexpand *expand)
{
    int64_t number;
    (void)expand;
    return defexpand_is_whole(argument, &number) || is_computed(argument);
}

static const struct op_row operators[] = {
    {"#RAND_INT", true, check_rand_int,
     "[min, max] or [min, max, mult], whole 32-bit numbers (or #RAND_INT, #VARIABLE) with max > min"},
    {"#RAND_INT_PLUS_THREAD", false, check_rand_int_plus_thread, "[min, max], whole 32-bit numbers with max > min"},
    {"#SEQ_INT", false, check_seq_int,
     "{\"seq_id\", \"start\", \"step\"}, whole 32-bit numbers, and perhaps \"unique\" (true or false), \"mod\" (from "
     "1)"},
    {"#RAND_STRING", true, check_rand_string,
     "[length] with a length from 1 to 16777216; in documents of pre also [length, \"ASCII characters\"]"},
    {"#CONCAT", true, check_concat, "a list of two or more texts, numbers, true, false or operators"},
    {"#OID", true, check_oid, "to be the value of a field \"_id\""},
    {"#VARIABLE", false, check_variable, "the name of a variable that a \"let\" before it sets"},
    {"#CUR_DATE", true, check_cur_date, "a whole number of milliseconds (or #RAND_INT, #VARIABLE)"},
};

#define OPERATOR_COUNT (sizeof operators / sizeof *operators)

bool defoperator_is_name(const char *key)
{
    return key[0] == '#' && key[1] != '#' && strncmp(key, "#B_", 3) != 0;
}

static const struct op_row *find_operator(const char *name)
{
    for (size_t i = 0; i < OPERATOR_COUNT; i++)
        if (strcmp(name, operators[i].name) == 0)
            return &operators[i];
    return NULL;
}

static void complain_unknown(struct defexpand *expand, const char *key, const struct defref *at)
{
    const char *best = NULL;
    for (size_t i = 0; i < OPERATOR_COUNT && !best; i++)
        best = nearest_find(key, &operators[i].name, 1);
    best = best ? best : defdata_nearest(key);
    if (best)
        defsource_error(expand->source, at, "unknown operator \"%s\": did you mean \"%s\"?", key, best);
    else
        defsource_error(expand->source, at, "unknown operator \"%s\"; a literal key is written #%s", key, key);
}

static bool is_allowed(struct defexpand *expand, const struct op_row *op, const struct defref *at)
{
    if (expand->place == DEFPLACE_OP || (expand->place == DEFPLACE_TEMPLATE && op->in_documents))
        return true;
    if (expand->place == DEFPLACE_TEMPLATE)
        defsource_error(expand->source, at, "%s is for operations; documents of pre count with #INDEX", op->name);
    else
        defsource_error(expand->source, at, "%s is for operations%s, not for what is read once", op->name,
                        op->in_documents ? " and documents" : "");
    return false;
}

json_t *defoperator_expand(struct defexpand *expand, const char *key, const struct defref *at)
{
    if (!expand->source->is_literal && defdata_is_operator(key))
        return defdata_expand(expand, key, at);
    const struct op_row *op = find_operator(key);
    if (!op)
        complain_unknown(expand, key, at);
    if (!op || !is_allowed(expand, op, at))
        return NULL;
    size_t complaints = expand->source->error_count;
    const char *member = expand->member;
    expand->member = NULL;
    json_t *argument = defexpand_value(expand, at);
    expand->member = member;
    if (!argument || complaints != expand->source->error_count) {
        json_decref(argument);
        return NULL;
    }
    if (op->check(argument, expand))
        return json_pack("{so}", key, argument);
    char *got = defsource_describe(argument);
    defsource_error(expand->source, at, "%s: expected %s, got %s", key, op->expects, got);
    free(got);
    json_decref(argument);
    return NULL;
}
