/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_DEFDATA_H
#define MODEL_DEFDATA_H

#include "model/defexpand.h"

/*
 * The data operators: #INDEX, #CYCLE, #RAND_DOUBLE, #SHUFFLED_INT, #ARRAY. In the documents of an insert step they
 * stay, normalised as testcase.h says, save an #INDEX whose number is known already; elsewhere they are evaluated now,
 * counting the rounds of the @list or #ARRAY around.
 */
bool defdata_is_operator(const char *key);
/* The data operator that `key` was probably meant to be, or NULL. */
const char *defdata_nearest(const char *key);
json_t *defdata_expand(struct defexpand *expand, const char *key, const struct defref *at);

#endif
