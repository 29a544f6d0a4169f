/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_ASK_H
#define CLI_ASK_H

#include <stdbool.h>

/* Questions whose answers nobody may see. */

/* Whether there is a terminal to ask on. */
bool cli_ask_can(void);
/* "<what> of <whom>: " on stderr, and the line that is typed without being shown; the caller erases and frees. NULL:
 * nothing was typed, or a signal came. */
char *cli_ask_secret(const char *what, const char *whom);

#endif
