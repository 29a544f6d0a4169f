/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_URI_H
#define CLI_URI_H

#include <stdbool.h>
#include <stddef.h>

/* The little that must be known of a connection string before the driver sees it: where its password is. */
struct cli_uri_span {
    size_t begin, length;
};

/* The password in "mongodb://user:password@host/...", also when it is badly escaped; empty when there is none. */
struct cli_uri_span cli_uri_password(const char *uri);
bool cli_uri_has_user(const char *uri);
/* The value of the first option behind `from` bytes that holds a secret (the password of a key, properties of a
 * log-in); empty: there is none. */
struct cli_uri_span cli_uri_secret_option(const char *uri, size_t from);
/* The user, decoded (the caller frees); NULL: none. */
char *cli_uri_user(const char *uri);
/* Replaces the span by stars, at most three of them, and shortens the text. */
void cli_uri_mask(char *text, struct cli_uri_span span);
/* Removes the password with its colon from a well-formed `uri` and returns it decoded (the caller erases and frees);
 * NULL: there was none. */
char *cli_uri_take_password(char *uri);

#endif
