/* SPDX-License-Identifier: Apache-2.0 */
#include "model/operator.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/nearest.h"
#include "model/defdata.h"
#include "model/defindex.h"
#include "model/ejson.h"
#include "model/opvalue.h"

static bool is_int32(const json_t *value, int64_t *number)
{
    return ejson_is_whole(value, number) && *number >= INT32_MIN && *number <= INT32_MAX;
}

/* A 32-bit number, or an operator that gives such. */
static bool read_range(const json_t *value, const struct defexpand *expand, struct opvalue *range)
{
    enum operator_id id = operator_of(value, NULL);
    int64_t number;
    if (id == OPERATOR_COUNT ? !is_int32(value, &number) : id != OPERATOR_RAND_INT && id != OPERATOR_VARIABLE)
        return false;
    *range = opvalue_of(value, expand->variables);
    return range->gives == OPVALUE_NUMBER && range->low >= INT32_MIN && range->high <= INT32_MAX;
}

static bool check_rand_int(const json_t *argument, const struct defexpand *expand)
{
    struct opvalue min, max, mult;
    size_t count = json_array_size(argument);
    return (count == 2 || count == 3) && read_range(json_array_get(argument, 0), expand, &min) &&
           read_range(json_array_get(argument, 1), expand, &max) && max.low > min.high &&
           (count == 2 || read_range(json_array_get(argument, 2), expand, &mult));
}

static bool check_rand_int_plus_thread(const json_t *argument, const struct defexpand *expand)
{
    (void)expand;
    int64_t min, max;
    return json_array_size(argument) == 2 && is_int32(json_array_get(argument, 0), &min) &&
           is_int32(json_array_get(argument, 1), &max) && max > min;
}

static bool check_seq_int(const json_t *argument, const struct defexpand *expand)
{
    static const char *const required[] = {"seq_id", "start", "step"};
    const json_t *unique = json_object_get(argument, "unique"), *mod = json_object_get(argument, "mod");
    int64_t number;
    (void)expand;
    for (size_t i = 0; i < COUNT_OF(required); i++)
        if (!is_int32(json_object_get(argument, required[i]), &number))
            return false;
    return (!unique || json_is_boolean(unique)) && (!mod || (is_int32(mod, &number) && number > 0)) &&
           json_object_size(argument) == 3u + (unique != NULL) + (mod != NULL);
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
    const char *letters = json_string_value(json_array_get(argument, 1));
    bool has_letters = count == 2 && expand->place == DEFPLACE_TEMPLATE && letters && *letters && is_ascii(letters);
    return (count == 1 || has_letters) && ejson_is_whole(json_array_get(argument, 0), &length) && length >= 1 &&
           length <= DOCUMENT_BYTES_MAX;
}

static bool check_concat(const json_t *argument, const struct defexpand *expand)
{
    size_t i;
    json_t *item;
    json_array_foreach(argument, i, item) {
        if (opvalue_of(item, expand->variables).gives == OPVALUE_OTHER)
            return false;
    }
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

/* Some 285,000 years, so that no date overflows. */
static bool check_cur_date(const json_t *argument, const struct defexpand *expand)
{
    struct opvalue offset = opvalue_of(argument, expand->variables);
    int64_t number;
    enum operator_id id = operator_of(argument, NULL);
    bool is_good =
        id == OPERATOR_COUNT ? ejson_is_whole(argument, &number) : id == OPERATOR_RAND_INT || id == OPERATOR_VARIABLE;
    return is_good && offset.gives == OPVALUE_NUMBER && offset.low >= -OPVALUE_EXACT_MAX &&
           offset.high <= OPVALUE_EXACT_MAX;
}

#define IN_OPS OPERATOR_STAYS_IN_OPS
#define IN_DOCUMENTS OPERATOR_STAYS_IN_DOCUMENTS
#define IN_BOTH (IN_OPS | IN_DOCUMENTS)

const struct operator_row operator_rows[OPERATOR_COUNT] = {
    [OPERATOR_RAND_INT] = {"#RAND_INT", IN_BOTH,
                           "[min, max] or [min, max, mult], whole 32-bit numbers (or #RAND_INT, #VARIABLE) with max > "
                           "min",
                           check_rand_int, NULL},
    [OPERATOR_RAND_INT_PLUS_THREAD] = {"#RAND_INT_PLUS_THREAD", IN_OPS,
                                       "[min, max], whole 32-bit numbers with max > min", check_rand_int_plus_thread,
                                       NULL},
    [OPERATOR_SEQ_INT] = {"#SEQ_INT", IN_OPS,
                          "{\"seq_id\", \"start\", \"step\"}, whole 32-bit numbers, and perhaps \"unique\" (true or "
                          "false), \"mod\" (from 1)",
                          check_seq_int, NULL},
    [OPERATOR_RAND_STRING] = {"#RAND_STRING", IN_BOTH,
                              "[length] with a length from 1 to 16777216; in documents of pre also [length, \"ASCII "
                              "characters\"]",
                              check_rand_string, NULL},
    [OPERATOR_CONCAT] = {"#CONCAT", IN_BOTH,
                         "a list of two or more texts, numbers, dates, true, false or operators that give such",
                         check_concat, NULL},
    [OPERATOR_OID] = {"#OID", IN_BOTH, "to be the value of a field \"_id\"", check_oid, NULL},
    [OPERATOR_VARIABLE] = {"#VARIABLE", IN_OPS, "the name of a variable that a \"let\" before it sets", check_variable,
                           NULL},
    [OPERATOR_CUR_DATE] = {"#CUR_DATE", IN_BOTH, "a whole number of milliseconds (or #RAND_INT, #VARIABLE)",
                           check_cur_date, NULL},
    [OPERATOR_INDEX] = {"#INDEX", IN_DOCUMENTS, "an object, {} or {\"of\": .., \"mod\": ..}", NULL, defindex_expand},
    [OPERATOR_CYCLE] = {"#CYCLE", IN_DOCUMENTS, "a list of at least one value", NULL, defdata_expand_cycle},
    [OPERATOR_RAND_DOUBLE] = {"#RAND_DOUBLE", IN_DOCUMENTS, "[lo, hi, step], numbers with step > 0 and hi > lo", NULL,
                              defdata_expand_rand_double},
    [OPERATOR_SHUFFLED_INT] = {"#SHUFFLED_INT", IN_DOCUMENTS, "a whole number from 1 to 2147483647", NULL,
                               defdata_expand_shuffled_int},
    [OPERATOR_ARRAY] = {"#ARRAY", IN_DOCUMENTS,
                        "{\"count\": n, \"value\": v}, n a whole number from 0, #RAND_INT or #INDEX", NULL,
                        defdata_expand_array},
};

enum operator_id operator_find(const char *name)
{
    for (size_t i = 0; i < OPERATOR_COUNT; i++)
        if (strcmp(name, operator_rows[i].name) == 0)
            return (enum operator_id)i;
    return OPERATOR_COUNT;
}

enum operator_id operator_of(const json_t *value, const json_t **argument)
{
    const char *name = ejson_operator(value, argument);
    return name ? operator_find(name) : OPERATOR_COUNT;
}

const char *operator_nearest(const char *name)
{
    const char *names[OPERATOR_COUNT];
    for (size_t i = 0; i < OPERATOR_COUNT; i++)
        names[i] = operator_rows[i].name;
    return nearest_find(name, names, OPERATOR_COUNT);
}

/* hi is exclusive: a quotient that misses a whole number by rounding counts as that number. */
uint64_t operator_step_count(const json_t *argument)
{
    double v[3];
    if (json_array_size(argument) != 3)
        return 0;
    for (size_t i = 0; i < 3; i++) {
        if (!json_is_number(json_array_get(argument, i)))
            return 0;
        v[i] = json_number_value(json_array_get(argument, i));
    }
    double steps = v[2] > 0 ? ceil((v[1] - v[0]) / v[2] * (1 - 4e-16)) : 0;
    return steps >= 1 && steps <= (double)OPVALUE_EXACT_MAX ? (uint64_t)steps : 0;
}
