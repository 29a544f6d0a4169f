/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/login.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/server_codes.h"

/* " (-u)", where it is known. The caller frees. */
static char *in_parentheses(const char *source)
{
    return source ? memory_printf(" (%s)", source) : memory_strdup("");
}

/* libmongoc keeps the server's message of a failed log-in, but not its code. */
static void report_refusal(const struct target *target, const char *reason, struct error *err)
{
    const char *user = mongoc_uri_get_username(target->uri);
    if (!user) {
        error_set(err, "cannot log in by authMechanism=%s: %s", mongoc_uri_get_auth_mechanism(target->uri), reason);
        return;
    }
    char *user_source = in_parentheses(target->options->user_source);
    char *password_source = in_parentheses(target->options->password_source);
    error_set(err,
              "cannot log in as \"%s\"%s%s%s: %s; the user was looked for in the database \"%s\", "
              "--authenticationDatabase names another",
              user, user_source, *password_source ? " with the password" : "", password_source, reason,
              mongoc_uri_get_auth_source(target->uri));
    free(user_source);
    free(password_source);
}

bool login_prove(struct target *target, struct error *err)
{
    bson_t command = BSON_INITIALIZER;
    bson_error_t reason = {0};
    BSON_APPEND_INT32(&command, "ping", 1);
    bool ok = mongoc_client_command_simple(target->peer->client, "admin", &command, NULL, NULL, &reason);
    bson_destroy(&command);
    bool is_login = reason.domain == MONGOC_ERROR_CLIENT && reason.code == MONGOC_ERROR_CLIENT_AUTHENTICATE;
    if (!ok && is_login)
        report_refusal(target, reason.message, err);
    else if (!ok)
        error_set(err, "%s", reason.message);
    return ok;
}

bool login_check_rights(struct target *target, struct error *err)
{
    bson_t command = BSON_INITIALIZER, filter;
    int32_t code;
    struct error refusal = {0};
    BSON_APPEND_INT32(&command, "listCollections", 1);
    BSON_APPEND_DOCUMENT_BEGIN(&command, "filter", &filter);
    BSON_APPEND_UTF8(&filter, "name", "benchrun");
    bson_append_document_end(&command, &filter);
    bool ok = target_command(target, "test0", &command, NULL, &code, &refusal) || code != SERVER_UNAUTHORIZED;
    bson_destroy(&command);
    if (!ok)
        error_set(err, "%s", refusal.message);
    return ok;
}

char *login_advice(const struct target *target, const char *db)
{
    const char *user = mongoc_uri_get_username(target->uri);
    if (strcmp(db, "admin") == 0)
        return NULL;
    if (!user && !mongoc_uri_get_auth_mechanism(target->uri))
        return memory_strdup("no user is logged in: name one with -u NAME");
    char *source = in_parentheses(target->options->user_source);
    char *advice =
        memory_printf("the user %s%s needs the role readWrite on %s", user ? user : "of the certificate", source, db);
    free(source);
    return advice;
}
