/* SPDX-License-Identifier: Apache-2.0 */
#include "base/cpus.h"
#include "engine/probe.h"

#include <mongoc/mongoc.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/memory.h"

/* "model name" on x86, where ARM has none; NULL when the system does not say. */
static char *read_cpu_name(void)
{
    FILE *file = fopen("/proc/cpuinfo", "re");
    if (!file)
        return NULL;
    char *line = NULL, *name = NULL;
    size_t capacity = 0;
    while (!name && getline(&line, &capacity, file) > 0) {
        char *value = strncmp(line, "model name", strlen("model name")) == 0 ? strchr(line, ':') : NULL;
        if (value)
            name = memory_printf("%.*s", (int)strcspn(value + 1 + strspn(value + 1, " "), "\n"),
                                 value + 1 + strspn(value + 1, " "));
    }
    free(line);
    fclose(file);
    return name;
}

void probe_read_client(struct testbed *testbed)
{
    struct utsname system;
    if (uname(&system) == 0) {
        testbed->client_host = memory_strdup(system.nodename);
        testbed->client_os = memory_printf("%s %s %s", system.sysname, system.release, system.machine);
    }
    testbed->client_cpu = read_cpu_name();
    testbed->client_cpus = cpus_usable();
    testbed->libmongoc_version = memory_strdup(mongoc_get_version());
    testbed->libbson_version = memory_strdup(bson_get_version());
}

char *probe_library_versions(void)
{
    return memory_printf("libmongoc %s, libbson %s, OpenSSL %s", mongoc_get_version(), bson_get_version(),
                         OpenSSL_version(OPENSSL_VERSION_STRING));
}
