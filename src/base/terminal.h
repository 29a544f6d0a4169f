/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_TERMINAL_H
#define BASE_TERMINAL_H

#include <stdbool.h>

/* Whether `fd` is a terminal on which a line can be written over and colours be shown: TERM names it, and not as
 * "dumb". */
bool terminal_is_capable(int fd);
/* Its width; 0: unknown, or no terminal. */
unsigned terminal_columns(int fd);

#endif
