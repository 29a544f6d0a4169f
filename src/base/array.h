/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

/* How many elements an array has; not for pointers. */
#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#endif
