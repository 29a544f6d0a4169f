/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/batch.h"

bool batch_open(const bson_t *reply, bson_iter_t *list)
{
    bson_iter_t iter, found;
    return bson_iter_init(&iter, reply) && bson_iter_find_descendant(&iter, "cursor.firstBatch", &found) &&
           BSON_ITER_HOLDS_ARRAY(&found) && bson_iter_recurse(&found, list);
}

bool batch_next(bson_iter_t *list, bson_t *document)
{
    const uint8_t *bytes;
    uint32_t size;
    while (bson_iter_next(list)) {
        if (!BSON_ITER_HOLDS_DOCUMENT(list))
            continue;
        bson_iter_document(list, &size, &bytes);
        return bson_init_static(document, bytes, size);
    }
    return false;
}
