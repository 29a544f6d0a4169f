/* SPDX-License-Identifier: Apache-2.0 */
#include "model/defoperator.h"

#include <stdlib.h>
#include <string.h>

#include "model/operator.h"

bool defoperator_is_name(const char *key)
{
    return key[0] == '#' && key[1] != '#' && strncmp(key, "#B_", 3) != 0;
}

/* A mongoebench file has the eight operators of mongo-perf only: those that stay in operations. */
static const struct operator_row *find(const struct defexpand *expand, const char *key)
{
    enum operator_id id = operator_find(key);
    bool is_known =
        id != OPERATOR_COUNT && (!expand->source->is_literal || operator_rows[id].stays & OPERATOR_STAYS_IN_OPS);
    return is_known ? &operator_rows[id] : NULL;
}

static void complain_unknown(struct defexpand *expand, const char *key, const struct defref *at)
{
    const char *best = operator_nearest(key);
    if (best && find(expand, best))
        defsource_error(expand->source, at, "unknown operator \"%s\": did you mean \"%s\"?", key, best);
    else
        defsource_error(expand->source, at, "unknown operator \"%s\"; a literal key is written #%s", key, key);
}

static bool is_allowed(struct defexpand *expand, const struct operator_row *row, const struct defref *at)
{
    bool is_in_documents = row->stays & OPERATOR_STAYS_IN_DOCUMENTS;
    if (row->expand || expand->place == DEFPLACE_OP || (expand->place == DEFPLACE_TEMPLATE && is_in_documents))
        return true;
    if (expand->place == DEFPLACE_TEMPLATE)
        defsource_error(expand->source, at, "%s is for operations; documents of pre count with #INDEX", row->name);
    else
        defsource_error(expand->source, at, "%s is for operations%s, not for what is read once", row->name,
                        is_in_documents ? " and documents" : "");
    return false;
}

/* The operator stays, with its argument expanded. */
static json_t *keep(struct defexpand *expand, const struct operator_row *row, json_t *argument, const struct defref *at)
{
    if (row->check(argument, expand))
        return json_pack("{so}", row->name, argument);
    char *got = defsource_describe(argument);
    defsource_error(expand->source, at, "%s: expected %s, got %s", row->name, row->expects, got);
    free(got);
    json_decref(argument);
    return NULL;
}

/* What an argument holds is the member of no document. */
static json_t *expand_argument(struct defexpand *expand, const struct operator_row *row, const struct defref *at)
{
    size_t complaints = expand->source->error_count;
    const char *member = expand->member;
    expand->member = NULL;
    json_t *value = row->expand ? row->expand(expand, at) : defexpand_value(expand, at);
    expand->member = member;
    if (value && complaints != expand->source->error_count) {
        json_decref(value);
        return NULL;
    }
    return value;
}

json_t *defoperator_expand(struct defexpand *expand, const char *key, const struct defref *at)
{
    const struct operator_row *row = find(expand, key);
    if (!row) {
        complain_unknown(expand, key, at);
        return NULL;
    }
    json_t *value = is_allowed(expand, row, at) ? expand_argument(expand, row, at) : NULL;
    return value && !row->expand ? keep(expand, row, value, at) : value;
}
