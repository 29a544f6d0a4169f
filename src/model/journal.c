/* SPDX-License-Identifier: Apache-2.0 */
#include "model/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "model/journal_line.h"

#define JOURNAL_SIZE_LIMIT ((size_t)1 << 30)

struct journal {
    char *path;
    int fd; /* holds the lock */
};

static bool fail(struct error *err, const char *path, const char *what)
{
    error_set(err, "%s: %s: %s", path, what, strerror(errno));
    return false;
}

static bool lies_beside(const char *out)
{
    struct stat st;
    return out && (stat(out, &st) != 0 || S_ISREG(st.st_mode));
}

static char *place_for(const char *out, const char *run_id, struct error *err)
{
    if (lies_beside(out))
        return memory_printf("%s.journal", out);
    char *state = file_user_folder("XDG_STATE_HOME", ".local/state");
    if (!state) {
        error_set(err, "no place for the run's journal: neither XDG_STATE_HOME nor HOME is set; give --out FILE");
        return NULL;
    }
    char *folder = file_join(state, "benchrun"), *path = NULL;
    if (file_make_folders(folder, err))
        path = memory_printf("%s/%s.journal", folder, run_id);
    free(folder);
    free(state);
    return path;
}

bool journal_check_place(const char *out, struct error *err)
{
    char *path = place_for(out, "", err);
    free(path);
    return path != NULL;
}

/* The first free "<path>.<number>". */
static bool keep_old(const char *path, char **kept, struct error *err)
{
    char *name = NULL;
    for (unsigned i = 1; !name; i++) {
        name = memory_printf("%s.%u", path, i);
        if (access(name, F_OK) == 0) {
            free(name);
            name = NULL;
        }
    }
    if (rename(path, name) != 0) {
        free(name);
        return fail(err, path, "cannot keep the journal of an earlier run under another name");
    }
    free(*kept);
    *kept = name;
    return true;
}

/* A journal that its run has removed or renamed between our open() and flock() is not the one that others will see. */
static bool is_still_at(int fd, const char *path)
{
    struct stat ours, there;
    return fstat(fd, &ours) == 0 && stat(path, &there) == 0 && ours.st_dev == there.st_dev &&
           ours.st_ino == there.st_ino;
}

static int open_locked(const char *path, struct error *err)
{
    int fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0) {
        fail(err, path, "cannot open");
        return -1;
    }
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    if (errno == EWOULDBLOCK)
        error_set(err, "%s: another benchrun is writing there; give this one another --out", path);
    else
        fail(err, path, "cannot lock");
    close(fd);
    return -1;
}

/* An empty, locked journal at `path`. The lock on an old one is held until it has its new name. */
static int open_empty(const char *path, char **kept, struct error *err)
{
    for (;;) {
        int fd = open_locked(path, err);
        if (fd < 0)
            return -1;
        struct stat st;
        bool is_ours = is_still_at(fd, path);
        if (is_ours && fstat(fd, &st) == 0 && st.st_size == 0)
            return fd;
        bool ok = !is_ours || keep_old(path, kept, err);
        close(fd);
        if (!ok)
            return -1;
    }
}

struct journal *journal_open(const char *out, const char *run_id, char **kept, struct error *err)
{
    *kept = NULL;
    char *path = place_for(out, run_id, err);
    if (!path)
        return NULL;
    int fd = open_empty(path, kept, err);
    if (fd < 0) {
        free(path);
        return NULL;
    }
    struct journal *journal = memory_zeroed(1, sizeof *journal);
    journal->path = path;
    journal->fd = fd;
    return journal;
}

const char *journal_path(const struct journal *journal)
{
    return journal->path;
}

/* A line that could be written in part only is taken back, so that the journal stays readable and can go on. */
static bool append(struct journal *journal, const char *line, struct error *err)
{
    off_t before = lseek(journal->fd, 0, SEEK_END);
    bool ok = file_write_all(journal->fd, journal->path, line, strlen(line), err);
    if (ok && fdatasync(journal->fd) != 0)
        ok = fail(err, journal->path, "cannot sync");
    if (!ok && before >= 0 && ftruncate(journal->fd, before) != 0)
        error_prefix(err, "the journal's last line is cut short");
    return ok;
}

/* Takes over `line`. What goes into `result` has been through the text on disk, as when the journal is read. */
static bool append_and_apply(struct journal *journal, struct result *result, json_t *line, struct error *err)
{
    char *text = line ? json_dumps(line, JSON_COMPACT) : NULL;
    json_decref(line);
    if (!text) {
        error_set(err, "%s: the line cannot be written as JSON", journal->path);
        return false;
    }
    char *whole = memory_printf("%s\n", text);
    json_t *again = json_loads(text, 0, NULL);
    free(text);
    bool written = append(journal, whole, err);
    bool applied = journal_line_apply(again, result, err);
    json_decref(again);
    free(whole);
    return written && applied;
}

bool journal_begin(struct journal *journal, struct result *result, const struct result *plan, struct error *err)
{
    return append_and_apply(journal, result, journal_line_begin(plan), err);
}

bool journal_trial(struct journal *journal, struct result *result, const struct trial_result *trial, struct error *err)
{
    return append_and_apply(journal, result, journal_line_trial(trial), err);
}

bool journal_end(struct journal *journal, struct result *result, bool complete, bool interrupted, struct error *err)
{
    return append_and_apply(journal, result, journal_line_end(complete, interrupted, clock_wall_ms()), err);
}

void journal_close(struct journal *journal, bool remove)
{
    if (!journal)
        return;
    if (remove)
        unlink(journal->path);
    close(journal->fd);
    free(journal->path);
    free(journal);
}

static bool read_line(const char *line, size_t length, struct result *result, struct error *err)
{
    json_error_t json_error;
    json_t *json = json_loadb(line, length, 0, &json_error);
    if (!json)
        error_set(err, "%s", json_error.text);
    bool ok = json && journal_line_apply(json, result, err);
    json_decref(json);
    return ok;
}

bool journal_read_bytes(const char *name, const char *bytes, size_t size, struct result *result, struct error *err)
{
    size_t number = 0;
    const char *end = bytes + size, *newline;
    bool ok = true;
    for (const char *at = bytes; ok && at < end && (newline = memchr(at, '\n', (size_t)(end - at))); at = newline + 1) {
        number++;
        ok = read_line(at, (size_t)(newline - at), result, err);
    }
    if (!ok)
        error_prefix(err, "%s:%zu", name, number);
    if (ok && !result->header) {
        error_set(err, "%s: expected the journal of a run, found no whole line", name);
        ok = false;
    }
    if (!ok)
        result_release(result);
    return ok;
}

bool journal_read(const char *path, struct result *result, struct error *err)
{
    struct buffer bytes = {0};
    bool ok = file_read(path, JOURNAL_SIZE_LIMIT, &bytes, err) &&
              journal_read_bytes(path, (const char *)bytes.data, bytes.size, result, err);
    buffer_release(&bytes);
    return ok;
}
