/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/limits.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpus.h"
#include "base/descriptors.h"
#include "base/memory.h"
#include "base/text.h"

enum { OTHER_FILES = 64 };
/* Measured: a connection and its session take 110 KB, under TLS 170 KB; libmongoc keeps a second buffer for each. */
enum { PLAIN_BYTES = 256 << 10, TLS_BYTES = 512 << 10 };

unsigned limits_connections(const struct run_options *options)
{
    unsigned most = 0;
    for (size_t i = 0; i < options->thread_count; i++)
        most = options->threads[i] > most ? options->threads[i] : most;
    return most;
}

/* A hand-shake waits for the server more than it computes, and some servers look for new connections only every few
 * milliseconds: 64 of them on such a one take 190 ms by two threads and 40 ms by sixteen. */
unsigned limits_connectors(const struct run_options *options)
{
    enum { AT_LEAST = 16 };
    unsigned threads = cpus_usable() > AT_LEAST ? cpus_usable() : AT_LEAST, most = limits_connections(options);
    return threads < most ? threads : most;
}

static unsigned workers_of(const struct run_options *options)
{
    unsigned most = limits_connections(options);
    unsigned workers = options->workers ? options->workers : cpus_usable();
    return options->client == RUN_CLIENT_DRIVER || workers > most ? most : workers;
}

/* Each connection is a descriptor, each worker two; and some are for everything else. */
bool limits_allow_files(const struct run_options *options, struct error *err)
{
    unsigned most = limits_connections(options);
    bool ok = descriptors_allow(most + 2 * workers_of(options) + OTHER_FILES, err);
    error_prefix(err, "%u connection%s", most, text_plural(most));
    return ok;
}

/* The number in a file, or behind `key` in it; INT64_MAX: there is none ("max" is none, too). */
static int64_t read_number(const char *root, const char *path, const char *key)
{
    char *name = memory_printf("%s%s", root, path);
    FILE *file = fopen(name, "re");
    char line[256];
    int64_t number = INT64_MAX;
    free(name);
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, key, strlen(key)) != 0)
            continue;
        if (sscanf(line + strlen(key), "%" SCNd64, &number) != 1)
            number = INT64_MAX;
        break;
    }
    if (file)
        fclose(file);
    return number;
}

/* What is left of a control group's limit. */
static int64_t group_left(const char *root, const char *limit, const char *current)
{
    int64_t most = read_number(root, limit, ""), used = read_number(root, current, "");
    if (most == INT64_MAX || used == INT64_MAX)
        return INT64_MAX;
    return most > used ? most - used : 0;
}

int64_t limits_threads_left(const char *root)
{
    return group_left(root, "/sys/fs/cgroup/pids.max", "/sys/fs/cgroup/pids.current");
}

int64_t limits_memory_left_bytes(const char *root)
{
    int64_t group = group_left(root, "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current");
    int64_t system_kb = read_number(root, "/proc/meminfo", "MemAvailable:");
    int64_t system = system_kb == INT64_MAX ? INT64_MAX : system_kb * 1024;
    return group < system ? group : system;
}

bool limits_check_threads(const struct run_options *options, const char *root, struct error *err)
{
    int64_t left = limits_threads_left(root), needed = workers_of(options) + limits_connectors(options);
    if (needed <= left)
        return true;
    error_set(err,
              "%" PRId64 " threads are needed, and this container may start %" PRId64
              " more; raise its limit (pids.max; docker run --pids-limit)",
              needed, left);
    return false;
}

bool limits_check_memory(const struct run_options *options, bool with_tls, const char *root, struct error *err)
{
    unsigned most = limits_connections(options);
    int64_t left = limits_memory_left_bytes(root), needed = (int64_t)most * (with_tls ? TLS_BYTES : PLAIN_BYTES);
    if (needed <= left)
        return true;
    error_set(err,
              "%u connection%s need about %" PRId64 " MB of memory, and %" PRId64
              " MB are left; lower -t or give more memory",
              most, text_plural(most), needed >> 20, left >> 20);
    return false;
}
