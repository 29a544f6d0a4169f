/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/uri_options.h"

#include <string.h>
#include <strings.h>

#include "base/nearest.h"

#define OWN_CONNECTION "each session has a connection of its own"
#define PRIMARY_ONLY "the primary is measured"
#define SENT_ONCE "every operation is sent once and counted once"

/* What a connection string may hold. `unused`: why it has no effect; NULL: it has one. */
struct uri_option {
    const char *name, *unused;
};

static const struct uri_option uri_options[] = {
    {"appName", NULL},
    {"authMechanism", NULL},
    {"authMechanismProperties", NULL},
    {"authSource", NULL},
    {"canonicalizeHostname", NULL},
    {"compressors", "requests are sent as they are"},
    {"connectTimeoutMS", NULL},
    {"directConnection", NULL},
    {"gssapiServiceName", NULL},
    {"heartbeatFrequencyMS", "no monitor runs beside the sessions"},
    {"journal", NULL},
    {"loadBalanced", NULL},
    {"localThresholdMS", PRIMARY_ONLY},
    {"maxConnecting", OWN_CONNECTION},
    {"maxIdleTimeMS", OWN_CONNECTION},
    {"maxPoolSize", OWN_CONNECTION},
    {"maxStalenessSeconds", PRIMARY_ONLY},
    {"minPoolSize", OWN_CONNECTION},
    {"readConcernLevel", NULL},
    {"readPreference", PRIMARY_ONLY},
    {"readPreferenceTags", PRIMARY_ONLY},
    {"replicaSet", NULL},
    {"retryReads", SENT_ONCE},
    {"retryWrites", SENT_ONCE},
    {"safe", "every reply is read"},
    {"serverSelectionTimeoutMS", NULL},
    {"serverSelectionTryOnce", NULL},
    {"slaveOk", PRIMARY_ONLY},
    {"socketCheckIntervalMS", "no connection waits for its turn"},
    {"socketTimeoutMS", NULL},
    {"srvMaxHosts", NULL},
    {"srvServiceName", NULL},
    {"ssl", NULL},
    {"sslAllowInvalidCertificates", NULL},
    {"sslAllowInvalidHostnames", NULL},
    {"sslCertificateAuthorityFile", NULL},
    {"sslClientCertificateKeyFile", NULL},
    {"sslClientCertificateKeyPassword", NULL},
    {"tls", NULL},
    {"tlsAllowInvalidCertificates", NULL},
    {"tlsAllowInvalidHostnames", NULL},
    {"tlsCAFile", NULL},
    {"tlsCertificateKeyFile", NULL},
    {"tlsCertificateKeyFilePassword", NULL},
    {"tlsDisableCertificateRevocationCheck", "revocation lists are not looked at"},
    {"tlsDisableOCSPEndpointCheck", "no revocation service is asked"},
    {"tlsInsecure", NULL},
    {"w", NULL},
    {"waitQueueMultiple", OWN_CONNECTION},
    {"waitQueueTimeoutMS", OWN_CONNECTION},
    {"wtimeoutMS", NULL},
    {"zlibCompressionLevel", "requests are sent as they are"},
};
enum { OPTION_COUNT = sizeof uri_options / sizeof *uri_options };

struct given {
    const char *name, *value;
    size_t name_length, value_length;
};

/* Cuts the next NAME=VALUE off `rest`. */
static bool next_option(const char **rest, struct given *given)
{
    if (!**rest)
        return false;
    size_t length = strcspn(*rest, "&");
    given->name = *rest;
    given->name_length = strcspn(*rest, "=&");
    given->value = *rest + given->name_length + 1;
    given->value_length = length > given->name_length ? length - given->name_length - 1 : 0;
    *rest += length + ((*rest)[length] == '&');
    return true;
}

static bool is_same(const struct given *one, const char *name, size_t length)
{
    return one->name_length == length && strncasecmp(one->name, name, length) == 0;
}

static const struct uri_option *find(const struct given *given)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (is_same(given, uri_options[i].name, strlen(uri_options[i].name)))
            return &uri_options[i];
    }
    return NULL;
}

static void warn_unknown(const struct given *given, struct message_list *warnings)
{
    const char *names[OPTION_COUNT];
    char word[64];
    for (size_t i = 0; i < OPTION_COUNT; i++)
        names[i] = uri_options[i].name;
    size_t length = given->name_length < sizeof word ? given->name_length : sizeof word - 1;
    memcpy(word, given->name, length);
    word[length] = '\0';
    const char *nearest = nearest_find(word, names, OPTION_COUNT);
    message_list_add(warnings, "connection string: option \"%s\" is not known and has no effect%s%s%s", word,
                     nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
}

/* What is asked for is what is done anyway. */
static bool is_harmless(const struct given *given, const struct uri_option *option)
{
    bool is_retry = strncmp(option->name, "retry", strlen("retry")) == 0;
    bool is_preference = strcmp(option->name, "readPreference") == 0;
    const char *harmless = is_retry ? "false" : is_preference ? "primary" : "";
    return *harmless && given->value_length == strlen(harmless) &&
           strncasecmp(given->value, harmless, given->value_length) == 0;
}

/* How often, and whether this is the first time. */
static size_t count_same(const char *options, const struct given *given, bool *is_first)
{
    struct given other;
    size_t count = 0;
    while (next_option(&options, &other)) {
        if (!is_same(&other, given->name, given->name_length))
            continue;
        if (count++ == 0)
            *is_first = other.name == given->name;
    }
    return count;
}

static void review(const char *options, const struct given *given, struct message_list *warnings)
{
    bool is_first = true;
    const struct uri_option *option = find(given);
    size_t count = count_same(options, given, &is_first);
    if (!is_first)
        return;
    if (!option)
        warn_unknown(given, warnings);
    else if (option->unused && !is_harmless(given, option))
        message_list_add(warnings, "connection string: option %s has no effect: %s", option->name, option->unused);
    else if (count > 1)
        message_list_add(warnings, "connection string: option %s is given %zu times; the last one counts", option->name,
                         count);
}

void uri_options_review(const char *uri, struct message_list *warnings)
{
    const char *authority = strstr(uri, "://") + 3;
    const char *query = strchr(authority + strcspn(authority, "/?"), '?');
    const char *rest = query ? query + 1 : "";
    struct given given;
    while (next_option(&rest, &given))
        review(query + 1, &given, warnings);
}
