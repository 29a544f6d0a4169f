/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/limits.h"

#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/cpus.h"
#include "base/descriptors.h"
#include "base/memory.h"
#include "base/text.h"
#include "engine/condition.h"
#include "engine/crew.h"

enum { OTHER_FILES = 64 };
/* For definitions, plans, the result, and one document of the largest size twice. */
enum { OTHER_BYTES = 64 << 20 };
#define REHEARSAL_LIMIT_NS (10 * CLOCK_NS_PER_SEC)
/* Measured: a connection and its session take 110 KB, under TLS 170 KB; libmongoc keeps a second buffer for each. */
enum { PLAIN_BYTES = 256 << 10, TLS_BYTES = 512 << 10 };

void limits_spare_addresses(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        mallopt(M_ARENA_MAX, 1);
}

unsigned limits_connections(const struct run_options *options)
{
    unsigned most = 0;
    for (size_t i = 0; i < options->thread_count; i++)
        most = options->threads[i] > most ? options->threads[i] : most;
    return most;
}

/* A handshake waits for the server more than it computes, and some servers look for new connections only every few
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

struct rehearsal {
    struct condition over;
    bool is_over;
};

static void wait_for_the_end(void *context)
{
    struct rehearsal *rehearsal = context;
    pthread_mutex_lock(&rehearsal->over.lock);
    while (!rehearsal->is_over)
        condition_wait(&rehearsal->over, clock_mono_ns() + CLOCK_NS_PER_SEC);
    pthread_mutex_unlock(&rehearsal->over.lock);
}

static void end_rehearsal(struct rehearsal *rehearsal)
{
    pthread_mutex_lock(&rehearsal->over.lock);
    rehearsal->is_over = true;
    pthread_cond_broadcast(&rehearsal->over.changed);
    pthread_mutex_unlock(&rehearsal->over.lock);
}

/* How many of them can be there at the same time; where not all can, *cause says why. Nobody tells what a user's limit
 * leaves him. */
static int64_t try_threads(int64_t needed, int *cause)
{
    struct rehearsal *rehearsal = memory_zeroed(1, sizeof *rehearsal);
    struct crew *crew = crew_new();
    int64_t count = 0;
    condition_init(&rehearsal->over);
    while (count < needed && crew_start(crew, wait_for_the_end, rehearsal))
        count++;
    *cause = errno;
    end_rehearsal(rehearsal);
    if (crew_wait(crew, clock_mono_ns() + REHEARSAL_LIMIT_NS)) {
        condition_release(&rehearsal->over);
        free(rehearsal);
    }
    crew_free(crew);
    return count;
}

static int64_t threads_of(const struct run_options *options)
{
    return workers_of(options) + limits_connectors(options);
}

bool limits_check_threads(const struct run_options *options, const char *root, struct error *err)
{
    int64_t left = limits_threads_left(root), needed = threads_of(options);
    if (needed > left) {
        error_set(err,
                  "%" PRId64 " threads are needed, and this container may start %" PRId64
                  " more; raise its limit (pids.max; docker run --pids-limit)",
                  needed, left);
        return false;
    }
    int cause;
    int64_t possible = try_threads(needed, &cause);
    if (possible < needed)
        error_set(err,
                  "%" PRId64 " threads are needed, and the system starts %" PRId64
                  " more (%s); raise the user's limit (ulimit -u), or lower -t",
                  needed, possible, strerror(cause));
    return possible == needed;
}

/* What is left of a limit of this process, of which `field` of /proc/self/statm tells the use; INT64_MAX: no limit. */
static int64_t process_left_bytes(const char *root, int resource, unsigned field)
{
    struct rlimit limit;
    char *name = memory_printf("%s/proc/self/statm", root);
    FILE *file = fopen(name, "re");
    int64_t pages[6] = {0};
    bool is_read = file && fscanf(file, "%" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64,
                                  &pages[0], &pages[1], &pages[2], &pages[3], &pages[4], &pages[5]) == 6;
    if (file)
        fclose(file);
    free(name);
    if (!is_read || getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return INT64_MAX;
    int64_t left = (int64_t)limit.rlim_cur - pages[field] * sysconf(_SC_PAGESIZE);
    return left > 0 ? left : 0;
}

static int64_t stack_bytes(void)
{
    pthread_attr_t attributes;
    size_t size = 0;
    if (pthread_getattr_default_np(&attributes) != 0)
        return 0;
    pthread_attr_getstacksize(&attributes, &size);
    pthread_attr_destroy(&attributes);
    return (int64_t)size;
}

static bool check_process(const struct run_options *options, int64_t needed, const char *root, struct error *err)
{
    enum { SIZE_FIELD = 0, DATA_FIELD = 5 };
    int64_t size = process_left_bytes(root, RLIMIT_AS, SIZE_FIELD),
            data = process_left_bytes(root, RLIMIT_DATA, DATA_FIELD);
    int64_t left = size < data ? size : data, all = needed + threads_of(options) * stack_bytes() + OTHER_BYTES;
    if (left == INT64_MAX)
        return true;
    if (all > left)
        error_set(err,
                  "%u connections and their threads need about %" PRId64
                  " MB of addresses, and this process may use %" PRId64 " MB more; raise its limit (ulimit %s), or "
                  "lower -t",
                  limits_connections(options), all >> 20, left >> 20, size < data ? "-v" : "-d");
    return all <= left;
}

bool limits_check_memory(const struct run_options *options, bool with_tls, const char *root, struct error *err)
{
    unsigned most = limits_connections(options);
    int64_t left = limits_memory_left_bytes(root), needed = (int64_t)most * (with_tls ? TLS_BYTES : PLAIN_BYTES);
    if (needed > left) {
        error_set(err,
                  "%u connection%s need about %" PRId64 " MB of memory, and %" PRId64
                  " MB are left; lower -t or give more memory",
                  most, text_plural(most), needed >> 20, left >> 20);
        return false;
    }
    return check_process(options, needed, root, err);
}
