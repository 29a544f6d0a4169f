/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_DEFPAD_H
#define MODEL_DEFPAD_H

#include "model/defexpand.h"

/* Replaces the @pad of an operation's document by the text that gives the document its size. Operators in it have to be
 * of a known size; a @pad that is no direct field, or a document that is too large without it, is complained about. */
void defpad_fill(struct defexpand *expand, const struct defref *at, json_t *document);

#endif
