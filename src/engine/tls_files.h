/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_TLS_FILES_H
#define ENGINE_TLS_FILES_H

#include <stdbool.h>

#include "base/error.h"

/* The files that TLS is set up with, read as OpenSSL will read them for each connection: libmongoc says only that it
 * failed. Messages begin with the path. */

/* From now on OpenSSL asks for no pass phrase by itself: it would ask on every thread that connects. Once a process. */
void tls_files_forbid_prompts(void);

/* Certificates of the authorities that are trusted. */
bool tls_files_check_authorities(const char *path, struct error *err);

enum tls_key {
    TLS_KEY_GOOD,
    TLS_KEY_LOCKED, /* the key is encrypted, and no pass phrase was given; `err` is not set */
    TLS_KEY_BAD,
};

/* Our own certificate and its key. `pass_phrase` may be NULL. */
enum tls_key tls_files_check_key(const char *path, const char *pass_phrase, struct error *err);

#endif
