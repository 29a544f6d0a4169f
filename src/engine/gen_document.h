/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_GEN_DOCUMENT_H
#define ENGINE_GEN_DOCUMENT_H

#include "engine/gen.h"

/* An object or array, with or without operators inside, as one value. */
const struct gen *gen_document(struct compiler *compiler, const json_t *container);

#endif
