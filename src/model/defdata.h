/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_DEFDATA_H
#define MODEL_DEFDATA_H

#include "model/defexpand.h"

/*
 * The data operators #CYCLE, #RAND_DOUBLE, #SHUFFLED_INT and #ARRAY (#INDEX: defindex.h), each from its argument. In
 * the documents of an insert step they stay, normalised as testcase.h says; elsewhere they are evaluated now, counting
 * the rounds of the @list or #ARRAY around.
 */
json_t *defdata_expand_cycle(struct defexpand *expand, const struct defref *at);
json_t *defdata_expand_rand_double(struct defexpand *expand, const struct defref *at);
json_t *defdata_expand_shuffled_int(struct defexpand *expand, const struct defref *at);
json_t *defdata_expand_array(struct defexpand *expand, const struct defref *at);

#endif
