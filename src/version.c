/* SPDX-License-Identifier: Apache-2.0 */
#include "version.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <bson/bson.h>
#include <jansson.h>
#include <mongoc/mongoc.h>
#include <openssl/crypto.h>
#include <pcre2.h>
#include <xxhash.h>

void version_print(FILE *out)
{
    char pcre2[64] = "unknown";
    pcre2_config(PCRE2_CONFIG_VERSION, pcre2);
    unsigned xxhash = XXH_versionNumber();
    fprintf(out, "benchrun %s\n", PACKAGE_VERSION);
    fprintf(out, "libmongoc %s, libbson %s, OpenSSL %s, jansson %s, PCRE2 %s, xxHash %u.%u.%u\n", mongoc_get_version(),
            bson_get_version(), OpenSSL_version(OPENSSL_VERSION_STRING), jansson_version_str(), pcre2, xxhash / 10000,
            xxhash / 100 % 100, xxhash % 100);
}
