/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_SUPPORT_H
#define ENGINE_SUPPORT_H

#include <stdbool.h>
#include <stdint.h>

/* Whether a server's error code says that it does not know or support what was asked of it, as against refusing it to
 * this user, for these data, or at this time. */
bool support_is_missing(int32_t code);

#endif
