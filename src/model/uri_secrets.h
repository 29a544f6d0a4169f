/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_URI_SECRETS_H
#define MODEL_URI_SECRETS_H

#include <stdbool.h>

/* What of a connection string nobody is to see: the password, and the value of every option that holds a secret or is
 * not known. The text may be malformed: what may be a password is taken for one. */

/* Whether the option of this name is such a one. */
bool uri_secrets_has(const char *option);

/* Replaces each by stars, at most three of them; the text gets shorter, and what it leaves is erased. */
void uri_secrets_mask(char *text);
/* The same in a copy, which has no user either; the caller frees. */
char *uri_secrets_public(const char *text);

#endif
