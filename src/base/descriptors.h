/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_DESCRIPTORS_H
#define BASE_DESCRIPTORS_H

#include <stdbool.h>

#include "base/error.h"

/* Sees to it that this process may have `count` files open at once: raises the soft limit where the hard one allows it.
 * Children inherit that. The error tells both numbers and how to mend it. */
bool descriptors_allow(unsigned count, struct error *err);
/* As many as the hard limit allows. */
void descriptors_allow_most(void);

#endif
