/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_GEN_TEXT_H
#define ENGINE_GEN_TEXT_H

#include "engine/gen.h"

/* Values as the mongo shell writes them, for #CONCAT. */

/* Types that can be written. */
#define GEN_TEXT_TYPES (GEN_NUMBERS | 1u << WIRE_STRING | 1u << WIRE_BOOL | 1u << WIRE_DATE)

/* Bytes that the text of any value of the generator needs at most. */
size_t gen_text_size_max(const struct gen *gen);
/* The text of a value that is no string; `out` has room for 32 bytes. Returns its size. */
size_t gen_text_put(const struct gen_state *state, uint8_t type, const uint8_t *value, uint8_t *out);

#endif
