/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_TRUST_H
#define ENGINE_TRUST_H

/*
 * The folder of the system's certificates, when OpenSSL can look up there by hash the one that it needs; NULL when it
 * cannot, or SSL_CERT_FILE or SSL_CERT_DIR says otherwise. Without it every connection parses the whole store, some
 * 30 ms and a megabyte each. Static storage.
 */
const char *trust_find_folder(void);

#endif
