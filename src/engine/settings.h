/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_SETTINGS_H
#define ENGINE_SETTINGS_H

#include <jansson.h>
#include <mongoc/mongoc.h>

#include "base/error.h"
#include "model/run_options.h"

/* What an address and the options together ask of a connection. */

/* With password, application name and limits of our own where the address has none. The caller destroys; NULL: `err`
 * says why. */
mongoc_uri_t *settings_make_uri(const char *address, const struct run_options *options, const char *app_name,
                                struct error *err);
/* "benchrun-<run id>" behind the address's own name, which leaves room for it. The caller frees. */
char *settings_make_app_name(const char *address, const char *run_id);
/* NULL: no TLS. Its texts live as long as `uri`; the caller frees. */
mongoc_ssl_opt_t *settings_make_tls(const mongoc_uri_t *uri);
/* What is in effect of the connection string and the defaults, named in small letters as libmongoc does; nothing
 * secret. A new reference. */
json_t *settings_describe(const mongoc_uri_t *uri);
/* Sent with each write: -w/-j beat the address's, which beats {"j": false}. A new reference. */
json_t *settings_make_write_concern(const struct run_options *options, const mongoc_uri_t *uri);

#endif
