/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_BATCH_H
#define ENGINE_BATCH_H

#include <bson/bson.h>
#include <stdbool.h>

/* The first batch of a cursor's reply, which is all of it where what was asked for is named. False: there is none. */
bool batch_open(const bson_t *reply, bson_iter_t *list);
/* The next document of that or of any other list; it points into the reply. False: no more. */
bool batch_next(bson_iter_t *list, bson_t *document);

#endif
