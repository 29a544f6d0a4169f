/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_DEFOPERATOR_H
#define MODEL_DEFOPERATOR_H

#include "model/defexpand.h"

/* Whether a key is written like an operator: one #, and none of the #B_ names. */
bool defoperator_is_name(const char *key);

/* The object {key: argument}, where the key is an operator's name: checked, with its argument expanded; evaluated where
 * it stands for a constant. `at` is the argument. */
json_t *defoperator_expand(struct defexpand *expand, const char *key, const struct defref *at);

#endif
