/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_DEFINDEX_H
#define MODEL_DEFINDEX_H

#include "model/defexpand.h"

/* {"#INDEX": argument}: the number itself where everything is known, else the operator with all six keys. */
json_t *defindex_expand(struct defexpand *expand, const struct defref *argument);

/* The round of the @list or element of the #ARRAY around a constant; a complaint where there is none. */
bool defindex_item(struct defexpand *expand, const struct defref *at, const char *name, uint64_t *number);

#endif
