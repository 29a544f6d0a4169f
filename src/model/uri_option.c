/* SPDX-License-Identifier: Apache-2.0 */
#include "model/uri_option.h"

#include <string.h>

#include "base/array.h"
#include "base/nearest.h"

#define OWN_CONNECTION .unused = "each session has a connection of its own"
#define PRIMARY_ONLY .unused = "the primary is measured"
#define SENT_ONCE .unused = "every operation is sent once and counted once", .harmless = "false"
#define AS_THEY_ARE .unused = "requests are sent as they are"

#define TRUTH .accepts = uri_value_is_truth, .expected = "true or false"
#define NUMBER(min_, max_)                                                                                             \
    .accepts = uri_value_is_number, .min = min_, .max = max_, .expected = "a whole number from " #min_ " to " #max_
#define FROM(min_) NUMBER(min_, 2147483647)
#define WORD(words_) .accepts = uri_value_is_word, .words = words_, .expected = "one of " words_
#define LIST(words_) .accepts = uri_value_is_list, .words = words_, .expected = "a list, with commas, of " words_
#define TEXT .accepts = uri_value_is_text, .expected = "a text"
#define SAME(name_) .today = name_

/* Every wait of benchrun ends, and libmongoc takes 0 for "not given": so none of the limits may be 0. */
const struct uri_option uri_option_table[] = {
    {"appName", .accepts = uri_value_is_text, .max = 102,
     .expected = "at most 102 bytes, as the id of the run is added and servers cut at 128"},
    {"authMechanism", .command_line = "--authenticationMechanism",
     WORD("SCRAM-SHA-1, SCRAM-SHA-256, MONGODB-X509, PLAIN, GSSAPI, MONGODB-AWS")},
    {"authMechanismProperties", .is_secret = true, .accepts = uri_value_is_properties,
     .expected = "a list, with commas, of SERVICE_NAME:NAME, CANONICALIZE_HOST_NAME:true, AWS_SESSION_TOKEN:TOKEN"},
    {"authSource", .command_line = "--authenticationDatabase", TEXT},
    {"canonicalizeHostname", TRUTH},
    {"compressors", LIST("snappy, zlib, zstd"), AS_THEY_ARE},
    {"connectTimeoutMS", FROM(1)},
    {"directConnection", TRUTH},
    {"gssapiServiceName", TEXT},
    {"heartbeatFrequencyMS", FROM(500), .unused = "no monitor runs beside the sessions"},
    {"journal", .command_line = "-j", TRUTH},
    {"loadBalanced", TRUTH},
    {"localThresholdMS", FROM(0), PRIMARY_ONLY},
    {"maxConnecting", FROM(1), OWN_CONNECTION},
    {"maxIdleTimeMS", FROM(0), OWN_CONNECTION},
    {"maxPoolSize", FROM(0), OWN_CONNECTION},
    {"maxStalenessSeconds", .accepts = uri_value_is_staleness, .min = 90, .max = 2147483647,
     .expected = "-1 or a whole number from 90 to 2147483647", PRIMARY_ONLY},
    {"minPoolSize", FROM(0), OWN_CONNECTION},
    {"readConcernLevel", .is_exact = true, WORD("local, available, majority, linearizable, snapshot")},
    {"readPreference", WORD("primary, primaryPreferred, secondary, secondaryPreferred, nearest"), PRIMARY_ONLY,
     .harmless = "primary"},
    {"readPreferenceTags", .is_composed = true, .accepts = uri_value_is_tags,
     .expected = "a list, with commas, of NAME:VALUE", PRIMARY_ONLY},
    {"replicaSet", .command_line = "--replset", TEXT},
    {"retryReads", TRUTH, SENT_ONCE},
    {"retryWrites", TRUTH, SENT_ONCE},
    {"safe", TRUTH},
    {"serverSelectionTimeoutMS", FROM(1)},
    {"serverSelectionTryOnce", TRUTH},
    {"slaveOk", TRUTH, PRIMARY_ONLY, .harmless = "false"},
    {"socketCheckIntervalMS", FROM(0), .unused = "no connection waits for its turn"},
    {"socketTimeoutMS", FROM(1)},
    {"srvMaxHosts", FROM(0)},
    {"srvServiceName", .accepts = uri_value_is_service,
     .expected = "the name of a service: letters, digits and single hyphens between them, at most 62"},
    {"ssl", SAME("tls")},
    {"sslAllowInvalidCertificates", SAME("tlsAllowInvalidCertificates")},
    {"sslAllowInvalidHostnames", SAME("tlsAllowInvalidHostnames")},
    {"sslCertificateAuthorityFile", SAME("tlsCAFile")},
    {"sslClientCertificateKeyFile", SAME("tlsCertificateKeyFile")},
    {"sslClientCertificateKeyPassword", SAME("tlsCertificateKeyFilePassword")},
    {"tls", .command_line = "--tls", TRUTH},
    {"tlsAllowInvalidCertificates", .command_line = "--tlsAllowInvalidCertificates", TRUTH},
    {"tlsAllowInvalidHostnames", .command_line = "--tlsAllowInvalidHostnames", TRUTH},
    {"tlsCAFile", .command_line = "--tlsCAFile", TEXT},
    {"tlsCertificateKeyFile", .command_line = "--tlsCertificateKeyFile", TEXT},
    {"tlsCertificateKeyFilePassword", .command_line = "--tlsCertificateKeyFilePassword", .is_secret = true, TEXT},
    {"tlsDisableCertificateRevocationCheck", TRUTH, .unused = "revocation lists are not looked at"},
    {"tlsDisableOCSPEndpointCheck", TRUTH, .unused = "no revocation service is asked"},
    {"tlsInsecure", TRUTH},
    {"w", .command_line = "-w", .accepts = uri_value_is_w, .max = 1000,
     .expected = "a whole number from 0 to 1000, majority, or the name of a write concern (letters, digits, _ - .)"},
    {"waitQueueMultiple", FROM(0), OWN_CONNECTION},
    {"waitQueueTimeoutMS", FROM(0), OWN_CONNECTION},
    {"wtimeoutMS", FROM(0)},
    {"zlibCompressionLevel", NUMBER(-1, 9), AS_THEY_ARE},
};
enum { OPTION_COUNT = COUNT_OF(uri_option_table) };
const size_t uri_option_count = OPTION_COUNT;

const struct uri_option *uri_option_find(struct uri_span name)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const char *today = uri_option_table[i].today;
        if (uri_span_is(name, uri_option_table[i].name))
            return today ? uri_option_find((struct uri_span){today, strlen(today)}) : &uri_option_table[i];
    }
    return NULL;
}

/* Names that pymongo, the Node.js and Java drivers, mongoose and the shells have or had, where ours is not near. */
static const struct {
    const char *theirs, *ours;
} elsewhere[] = {
    {"authdb", "authSource"},
    {"authenticationDatabase", "authSource"},
    {"checkServerIdentity", "tlsAllowInvalidHostnames"},
    {"connectTimeout", "connectTimeoutMS"},
    {"fsync", "journal"},
    {"j", "journal"},
    {"maxTimeMS", "socketTimeoutMS"},
    {"poolSize", "maxPoolSize"},
    {"readConcern", "readConcernLevel"},
    {"rs_name", "replicaSet"},
    {"secondaryAcceptableLatencyMS", "localThresholdMS"},
    {"socketTimeout", "socketTimeoutMS"},
    {"ssl_ca_certs", "tlsCAFile"},
    {"ssl_cert_reqs", "tlsAllowInvalidCertificates"},
    {"ssl_certfile", "tlsCertificateKeyFile"},
    {"ssl_keyfile", "tlsCertificateKeyFile"},
    {"ssl_match_hostname", "tlsAllowInvalidHostnames"},
    {"ssl_pem_passphrase", "tlsCertificateKeyFilePassword"},
    {"sslCA", "tlsCAFile"},
    {"sslCAFile", "tlsCAFile"},
    {"sslCert", "tlsCertificateKeyFile"},
    {"sslKey", "tlsCertificateKeyFile"},
    {"sslPass", "tlsCertificateKeyFilePassword"},
    {"sslPEMKeyFile", "tlsCertificateKeyFile"},
    {"sslPEMKeyPassword", "tlsCertificateKeyFilePassword"},
    {"sslValidate", "tlsAllowInvalidCertificates"},
    {"strict", "tlsAllowInvalidCertificates"},
    {"timeoutMS", "socketTimeoutMS"},
    {"tlsCertificateFile", "tlsCertificateKeyFile"},
    {"tlsKeyFile", "tlsCertificateKeyFile"},
    {"waitQueueTimeout", "waitQueueTimeoutMS"},
    {"writeConcern", "w"},
    {"wtimeout", "wtimeoutMS"},
};
enum { ELSEWHERE_COUNT = COUNT_OF(elsewhere) };

#define NAME_SIZE 64

/* "tls_ca_file" and "tls-ca-file" are "tlscafile". */
static void join_words(char joined[NAME_SIZE], struct uri_span name)
{
    for (size_t i = 0; i < name.size; i++)
        if (name.at[i] != '_' && name.at[i] != '-')
            *joined++ = name.at[i];
    *joined = '\0';
}

const char *uri_option_guess(struct uri_span name)
{
    const char *names[OPTION_COUNT];
    char joined[NAME_SIZE];
    if (name.size >= NAME_SIZE)
        return NULL;
    for (size_t i = 0; i < ELSEWHERE_COUNT; i++)
        if (uri_span_is(name, elsewhere[i].theirs))
            return elsewhere[i].ours;
    for (size_t i = 0; i < OPTION_COUNT; i++)
        names[i] = uri_option_table[i].name;
    join_words(joined, name);
    return nearest_find(joined, names, OPTION_COUNT);
}
