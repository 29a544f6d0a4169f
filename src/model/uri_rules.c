/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/memory.h"
#include "model/uri_option.h"
#include "model/uri_options.h"

/* Two options with these values; NULL: any value. */
struct pair_rule {
    const char *one, *one_value, *other, *other_value;
};

static const struct pair_rule excluding[] = {
    {"w", NULL, "safe", NULL},
    {"w", "0", "journal", "true"},
    {"safe", "false", "journal", "true"},
    {"directConnection", "true", "loadBalanced", "true"},
    {"loadBalanced", "true", "replicaSet", NULL},
    {"srvMaxHosts", NULL, "replicaSet", NULL},
    {"srvMaxHosts", NULL, "loadBalanced", "true"},
    {"readPreference", "primary", "readPreferenceTags", NULL},
    {"readPreference", "primary", "maxStalenessSeconds", NULL},
    {"gssapiServiceName", NULL, "authMechanismProperties", NULL},
    {"canonicalizeHostname", NULL, "authMechanismProperties", NULL},
    {"tlsInsecure", NULL, "tlsAllowInvalidCertificates", NULL},
    {"tlsInsecure", NULL, "tlsAllowInvalidHostnames", NULL},
    {"tlsInsecure", NULL, "tlsDisableCertificateRevocationCheck", NULL},
    {"tlsInsecure", NULL, "tlsDisableOCSPEndpointCheck", NULL},
    {"tlsAllowInvalidCertificates", NULL, "tlsDisableCertificateRevocationCheck", NULL},
    {"tlsAllowInvalidCertificates", NULL, "tlsDisableOCSPEndpointCheck", NULL},
    {"tlsDisableCertificateRevocationCheck", NULL, "tlsDisableOCSPEndpointCheck", NULL},
    {"tls", "false", "tlsAllowInvalidCertificates", NULL},
    {"tls", "false", "tlsAllowInvalidHostnames", NULL},
    {"tls", "false", "tlsCAFile", NULL},
    {"tls", "false", "tlsCertificateKeyFile", NULL},
    {"tls", "false", "tlsDisableCertificateRevocationCheck", NULL},
    {"tls", "false", "tlsDisableOCSPEndpointCheck", NULL},
    {"tls", "false", "tlsInsecure", NULL},
};

/* The first has no meaning without the second. */
static const struct pair_rule needing[] = {
    {"readPreferenceTags", NULL, "readPreference", NULL},
    {"maxStalenessSeconds", NULL, "readPreference", NULL},
    {"gssapiServiceName", NULL, "authMechanism", "GSSAPI"},
    {"canonicalizeHostname", NULL, "authMechanism", "GSSAPI"},
    {"authMechanismProperties", NULL, "authMechanism", NULL},
    {"authMechanism", "MONGODB-X509", "tlsCertificateKeyFile", NULL},
    {"tlsCertificateKeyFilePassword", NULL, "tlsCertificateKeyFile", NULL},
};

static bool is_given(const struct uri *uri, const char *name, const char *value)
{
    if (value)
        return uri_options_say(uri, name, value);
    char *given = uri_options_get(uri, name);
    memory_erase(given);
    return given != NULL;
}

/* "w=0", or "w"; with what says the same on the command line. The caller frees. */
static char *describe_option(const char *name, const char *value)
{
    const char *same = uri_option_find((struct uri_span){name, strlen(name)})->command_line;
    return memory_printf("%s%s%s%s%s%s", name, value ? "=" : "", value ? value : "", same ? " (" : "", same ? same : "",
                         same ? ")" : "");
}

/* `is_wanted`: the other one must be there, else it must not. */
static bool check_pair(const struct uri *uri, const struct pair_rule *rule, bool is_wanted, struct error *err)
{
    if (!is_given(uri, rule->one, rule->one_value) || is_given(uri, rule->other, rule->other_value) == is_wanted)
        return true;
    char *one = describe_option(rule->one, rule->one_value), *other = describe_option(rule->other, rule->other_value);
    if (is_wanted)
        error_set(err, "option %s has no effect without %s; give both or none", one, other);
    else
        error_set(err, "options %s and %s exclude each other; give one of them", one, other);
    free(one);
    free(other);
    return false;
}

static bool check_pairs(const struct uri *uri, struct error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < COUNT_OF(excluding); i++)
        ok = check_pair(uri, &excluding[i], false, err);
    for (size_t i = 0; ok && i < COUNT_OF(needing); i++)
        ok = check_pair(uri, &needing[i], true, err);
    return ok;
}

static bool check_needs_user(const struct uri *uri, const char *name, struct error *err)
{
    if (uri->has_user || !is_given(uri, name, NULL))
        return true;
    char *option = describe_option(name, NULL);
    error_set(err, "option %s has no effect without a user: name one with -u NAME, or as mongodb://NAME@HOST", option);
    free(option);
    return false;
}

/* Where users are known outside of the server, libmongoc overlooks a source, or refuses it. */
static bool check_source(const struct uri *uri, const char *mechanism, struct error *err)
{
    if (!is_given(uri, "authSource", NULL) || is_given(uri, "authSource", "$external"))
        return true;
    char *option = describe_option("authSource", NULL);
    error_set(err, "option %s has no effect with authMechanism=%s, which knows users by $external alone; leave it out",
              option, mechanism);
    free(option);
    return false;
}

static bool check_login(const struct uri *uri, struct error *err)
{
    static const char *const outside[] = {"MONGODB-X509", "MONGODB-AWS", "GSSAPI"};
    bool knows_itself = is_given(uri, "authMechanism", outside[0]) || is_given(uri, "authMechanism", outside[1]);
    for (size_t i = 0; i < COUNT_OF(outside); i++)
        if (is_given(uri, "authMechanism", outside[i]) && !check_source(uri, outside[i], err))
            return false;
    return knows_itself || (check_needs_user(uri, "authSource", err) && check_needs_user(uri, "authMechanism", err));
}

/* Each property belongs to one mechanism, and the others do not look at it. */
static bool check_properties(const struct uri *uri, struct error *err)
{
    char *value = uri_options_get(uri, "authMechanismProperties");
    struct uri_span rest = {value, value ? strlen(value) : 0};
    bool ok = true;
    while (ok && rest.size > 0) {
        struct uri_span name = rest;
        rest = uri_cut(&name, ',');
        uri_cut(&name, ':');
        const char *mechanism = uri_span_is(name, "AWS_SESSION_TOKEN") ? "MONGODB-AWS" : "GSSAPI";
        ok = uri_options_say(uri, "authMechanism", mechanism);
        if (!ok)
            error_set(err, "option authMechanismProperties: %.*s has no effect without authMechanism=%s",
                      (int)name.size, name.at, mechanism);
    }
    memory_erase(value);
    return ok;
}

/* What an option asks of the address itself. */
static bool check_address(const struct uri *uri, struct error *err)
{
    static const char *const of_services[] = {"srvServiceName", "srvMaxHosts"};
    static const char *const of_one_host[] = {"directConnection", "loadBalanced"};
    bool has_one_host = !memchr(uri->hosts.at, ',', uri->hosts.size);
    bool ok = true;
    for (size_t i = 0; ok && i < 2; i++) {
        ok = uri->is_srv || !is_given(uri, of_services[i], NULL);
        if (!ok)
            error_set(err, "option %s makes sense with mongodb+srv:// only", of_services[i]);
    }
    for (size_t i = 0; ok && i < 2; i++) {
        ok = has_one_host || !is_given(uri, of_one_host[i], "true");
        if (!ok)
            error_set(err, "option %s=true makes sense with one host only", of_one_host[i]);
    }
    if (!ok || !uri->is_srv || !is_given(uri, "directConnection", "true"))
        return ok;
    error_set(err, "option directConnection=true makes no sense with mongodb+srv://, which may find several hosts");
    return false;
}

bool uri_options_check_together(const struct uri *uri, struct error *err)
{
    return check_pairs(uri, err) && check_login(uri, err) && check_properties(uri, err) && check_address(uri, err);
}
