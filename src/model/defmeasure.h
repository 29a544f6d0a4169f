/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_DEFMEASURE_H
#define MODEL_DEFMEASURE_H

#include "model/defexpand.h"

/* Whether `times` copies of the value would stay within what is left of the limit, found out by counting, before
 * anything is made; false after a complaint about the outermost count that is too large. A constant #ARRAY counts once
 * here and asks again when it is made. */
bool defmeasure_fits(struct defexpand *expand, const struct defref *value, uint64_t times);

#endif
