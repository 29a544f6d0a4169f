/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_DEFOP_H
#define MODEL_DEFOP_H

#include "model/defexpand.h"

/* One operation of "ops", an element of defexpand_array(): its fields as mongo-perf names them, those that change
 * nothing here left out. */
json_t *defop_expand(struct defexpand *expand, const struct defref *ref, void *unused);

/* Whether the expanded value is a document: an object, but no operator and no extended JSON wrapper. */
bool defop_is_document(const json_t *value);

#endif
