/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_TEXT_H
#define MODEL_TEXT_H

#include <jansson.h>

/* Text of any origin (a server, a file name, a message cut at a fixed size) as a JSON string: every byte that is no
 * part of valid UTF-8 becomes '?'. NULL becomes null. New reference, never NULL. */
json_t *text_to_json(const char *text);
/* NAN and infinities become null. New reference, never NULL. */
json_t *text_number_to_json(double value);

#endif
