/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/localserver_record.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/memory.h"

#define RECORD_PREFIX "server-"
#define FOLDER_PREFIX "benchrun-"
#define SWEEP_PATIENCE_MS 5000

static const char *temporary_folder(void)
{
    const char *named = getenv("TMPDIR");
    return named && *named == '/' ? named : "/tmp";
}

/* Anybody may have made a folder of that name in /tmp first. */
static bool check_own(const char *path, struct error *err)
{
    struct stat st;
    if (lstat(path, &st) != 0)
        error_set(err, "%s: %s", path, strerror(errno));
    else if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 077) != 0)
        error_set(err,
                  "%s: expected a folder that belongs to this user, with mode 0700; remove it, or set "
                  "XDG_RUNTIME_DIR to a folder of your own",
                  path);
    else
        return true;
    return false;
}

char *localserver_record_runtime_folder(struct error *err)
{
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    char *path = runtime && *runtime == '/' ? file_join(runtime, "benchrun") : NULL;
    if (path && (mkdir(path, 0700) == 0 || errno == EEXIST) && check_own(path, NULL))
        return path;
    free(path);
    path = memory_printf("%s/" FOLDER_PREFIX "%lu", temporary_folder(), (unsigned long)geteuid());
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        error_set(err, "%s: cannot make the folder: %s; name another place in TMPDIR or XDG_RUNTIME_DIR", path,
                  strerror(errno));
    else if (check_own(path, err))
        return path;
    free(path);
    return NULL;
}

static bool write_record(const struct localserver_record *record, struct error *err)
{
    char *text =
        memory_printf("owner %ld %" PRIu64 "\nserver %ld %" PRIu64 "\nfolder %s\n", (long)record->owner.pid,
                      record->owner.start_ticks, (long)record->server.pid, record->server.start_ticks, record->folder);
    bool ok = file_replace(record->path, text, strlen(text), NULL, err);
    free(text);
    return ok;
}

static bool choose_names(struct localserver_record *record, struct error *err)
{
    char *runtime = localserver_record_runtime_folder(err);
    if (!runtime)
        return false;
    uint64_t tag;
    if (getrandom(&tag, sizeof tag, 0) != sizeof tag)
        tag = (uint64_t)getpid();
    record->path = memory_printf("%s/" RECORD_PREFIX "%016" PRIx64, runtime, tag);
    record->folder = memory_printf("%s/" FOLDER_PREFIX "%016" PRIx64, temporary_folder(), tag);
    free(runtime);
    return true;
}

/* Another run that ends may take the empty run-time folder away in between: then once more. */
static bool write_first(struct localserver_record *record, struct error *err)
{
    for (int attempt = 0; attempt < 3; attempt++) {
        struct localserver_process owner = record->owner;
        if (!choose_names(record, err))
            return false;
        if (write_record(record, attempt < 2 ? NULL : err))
            return true;
        localserver_record_release(record);
        record->owner = owner;
    }
    return false;
}

bool localserver_record_create(struct localserver_record *record, struct error *err)
{
    *record = (struct localserver_record){0};
    if (!localserver_process_look(getpid(), &record->owner)) {
        error_set(err, "/proc/self/stat: cannot read it; --local needs /proc");
        return false;
    }
    if (!write_first(record, err))
        return false;
    if (mkdir(record->folder, 0700) == 0)
        return true;
    error_set(err, "%s: cannot make the folder: %s", record->folder, strerror(errno));
    unlink(record->path);
    localserver_record_release(record);
    return false;
}

bool localserver_record_set_server(struct localserver_record *record, const struct localserver_process *server,
                                   struct error *err)
{
    record->server = *server;
    return write_record(record, err);
}

/* The run-time folder, when no other server is written down in it. */
static void remove_if_empty(const char *record_path)
{
    char *folder = memory_strdup(record_path);
    *strrchr(folder, '/') = '\0';
    rmdir(folder);
    free(folder);
}

bool localserver_record_remove(const struct localserver_record *record, struct error *err)
{
    if (!file_remove_tree(record->folder, err))
        return false;
    unlink(record->path);
    remove_if_empty(record->path);
    return true;
}

void localserver_record_release(struct localserver_record *record)
{
    free(record->path);
    free(record->folder);
    *record = (struct localserver_record){0};
}

/* A record that somebody has edited must not make us remove any folder. */
static bool is_server_folder(const char *folder)
{
    const char *name = strrchr(folder, '/');
    return *folder == '/' && strncmp(name + 1, FOLDER_PREFIX, strlen(FOLDER_PREFIX)) == 0 &&
           strlen(name + 1) == strlen(FOLDER_PREFIX) + 16;
}

static bool parse_record(struct localserver_record *record, const char *text)
{
    long owner, server;
    char folder[PATH_MAX];
    int end = 0;
    int fields = sscanf(text, "owner %ld %" SCNu64 "\nserver %ld %" SCNu64 "\nfolder %4095[^\n]%n", &owner,
                        &record->owner.start_ticks, &server, &record->server.start_ticks, folder, &end);
    if (fields != 5 || text[end] != '\n' || !is_server_folder(folder))
        return false;
    record->owner.pid = (pid_t)owner;
    record->server.pid = (pid_t)server;
    record->folder = memory_strdup(folder);
    return true;
}

/* False: not a record, or not a whole one. */
static bool read_record(struct localserver_record *record, const char *path)
{
    *record = (struct localserver_record){0};
    struct buffer text = {0};
    bool ok = file_read(path, 65536, &text, NULL) && parse_record(record, buffer_text(&text));
    buffer_release(&text);
    if (ok)
        record->path = memory_strdup(path);
    return ok;
}

static bool sweep_record(const char *path)
{
    struct localserver_record record;
    if (!read_record(&record, path)) {
        unlink(path);
        return false;
    }
    bool removed = !localserver_process_is_alive(&record.owner) &&
                   localserver_process_end_stranger(&record.server, SWEEP_PATIENCE_MS) &&
                   localserver_process_end_group(record.server.pid, record.folder, SWEEP_PATIENCE_MS) &&
                   localserver_record_remove(&record, NULL);
    localserver_record_release(&record);
    return removed;
}

unsigned localserver_record_sweep(void)
{
    char *runtime = localserver_record_runtime_folder(NULL);
    DIR *folder = runtime ? opendir(runtime) : NULL;
    unsigned swept = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (strncmp(entry->d_name, RECORD_PREFIX, strlen(RECORD_PREFIX)) != 0 || strchr(entry->d_name, '.'))
            continue;
        char *path = file_join(runtime, entry->d_name);
        swept += sweep_record(path);
        free(path);
    }
    if (folder) {
        closedir(folder);
        rmdir(runtime); /* only an empty one goes */
    }
    free(runtime);
    return swept;
}
