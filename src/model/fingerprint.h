/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_FINGERPRINT_H
#define MODEL_FINGERPRINT_H

#include <jansson.h>

#define FINGERPRINT_SIZE 17

/* xxh3 of a JSON value in hexadecimal: equal values have equal ones, 1 and 1.0 are different, and so is another order
 * of an object's members. The same on every machine. */
void fingerprint_json(json_t *value, char text[FINGERPRINT_SIZE]);

#endif
