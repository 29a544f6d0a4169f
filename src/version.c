/* SPDX-License-Identifier: Apache-2.0 */
#include "version.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <jansson.h>
#include <pcre2.h>
#include <stdlib.h>
#include <xxhash.h>

#include "engine/probe.h"

void version_print(FILE *out)
{
    char pcre2[64] = "unknown";
    pcre2_config(PCRE2_CONFIG_VERSION, pcre2);
    unsigned xxhash = XXH_versionNumber();
    char *engine = probe_library_versions();
    fprintf(out, "benchrun %s\n", PACKAGE_VERSION);
    fprintf(out, "%s, jansson %s, PCRE2 %s, xxHash %u.%u.%u\n", engine, jansson_version_str(), pcre2, xxhash / 10000,
            xxhash / 100 % 100, xxhash % 100);
    free(engine);
}
