/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_URI_OPTIONS_H
#define MODEL_URI_OPTIONS_H

#include "base/error.h"
#include "model/uri.h"

/* The options of a connection string. benchrun(1) has the table. An option goes by any of its names, in small or
 * capital letters; a message has today's name. */

/* Every value must be one that libmongoc reads as it is written, and an option that is there more than once must say
 * the same each time. No secret is quoted. */
bool uri_options_check(const struct uri *uri, struct error *err);
/* The value that some other way gave to the option, not escaped. The message does not name the option. */
bool uri_options_check_value(const char *name, const char *value, struct error *err);
/* Options that need or exclude each other, or a user, or a kind of address: libmongoc would overlook one of them, or
 * refuse them in words that cannot be shown. `uri` has passed uri_options_check(). */
bool uri_options_check_together(const struct uri *uri, struct error *err);
/* Adds a warning for each option that is not known or has no effect here, beginning with `source`. */
void uri_options_review(const struct uri *uri, const char *source, struct message_list *warnings);

/* The value, decoded; the caller frees, and erases when it is a secret. NULL: the option is not there. */
char *uri_options_get(const struct uri *uri, const char *name);
bool uri_options_say(const struct uri *uri, const char *name, const char *value);
/* The same text with this value in place of any that the option had. `text` can be split. The caller erases and
 * frees. */
char *uri_options_set(const char *text, const char *name, const char *value);

#endif
