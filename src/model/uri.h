/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_URI_H
#define MODEL_URI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* A connection string as text: its parts, how characters are escaped in it, and the changes that benchrun makes. What
 * an option may say is in uri_options.h, what of it is secret in uri_secrets.h. */

/* A piece of a text that is somebody else's. */
struct uri_span {
    const char *at;
    size_t size;
};

/* Lives as long as the text that was split. */
struct uri {
    bool is_srv;
    bool has_user;
    bool may_quote;       /* false: an unescaped password may have been cut into host, database or options */
    struct uri_span user; /* with its password */
    struct uri_span hosts, database, options;
};

struct uri_pair {
    struct uri_span name, value; /* as written */
    bool has_value;              /* there is a "=" */
};

/* Finds the parts, whatever they hold. No message quotes a piece of what may be a password. */
bool uri_split(struct uri *uri, const char *text, struct error *err);
/* Cuts the next NAME=VALUE off `rest`, which begins as uri->options. False: there is none. */
bool uri_next_pair(struct uri_span *rest, struct uri_pair *pair);
/* Cuts `span` at the first `c` and returns what follows it, empty when there is no `c`. */
struct uri_span uri_cut(struct uri_span *span, int c);
bool uri_span_is(struct uri_span span, const char *text); /* letters that differ in case are equal */

/* With the escapes resolved, the caller frees; NULL: an escape that is none, a NUL, or no UTF-8. */
char *uri_decode(struct uri_span span);
/* Whether the text, escaped, is in order as a value: libmongoc wants UTF-8. */
bool uri_can_hold(const char *text);
/* With everything escaped that a URI gives a meaning to; the caller frees. */
char *uri_encode(const char *text);

/* The name of the user, decoded, the caller frees; NULL: there is none. `text` can be split. */
char *uri_user(const char *text);
/* The same text with this user; there was none. The caller erases and frees. */
char *uri_with_user(const char *text, const char *user);
/* Removes the password with its colon from a well-formed text and returns it decoded (the caller erases and frees);
 * NULL: there was none. */
char *uri_take_password(char *text);

#endif
