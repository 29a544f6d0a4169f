/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_DEFCONSTRUCT_H
#define MODEL_DEFCONSTRUCT_H

#include "model/defexpand.h"

/* The @ constructs. */

/* {"@list": [v..], "count": n, "from": k}: `values` is the list; without "count" it stands once and counts nothing. */
struct defconstruct_list {
    struct defref values;
    uint64_t count, from;
    bool is_counting;
};

bool defconstruct_read_list(struct defexpand *expand, const struct defview *view, struct defconstruct_list *list);

/* @string, @pad: the value that the only member of an object stands for. */
json_t *defconstruct_value(struct defexpand *expand, const struct defref *member);
/* @fields: adds its fields to `object`. Any other construct there is complained about. */
void defconstruct_splice(struct defexpand *expand, json_t *object, const struct defref *member);
/* Puts a member in; takes `value`. A key that is there already is complained about. */
void defconstruct_set(struct defexpand *expand, json_t *object, const char *key, json_t *value,
                      const struct defref *at);

/* One group of @fields. */
struct defconstruct_group {
    struct defref name, names, value;
    int64_t count; /* -1: as many as there are names */
};

bool defconstruct_read_group(struct defexpand *expand, const struct defref *ref, struct defconstruct_group *group);
bool defconstruct_read_string(struct defexpand *expand, const struct defref *ref, struct defref *text, int64_t *count);

#endif
