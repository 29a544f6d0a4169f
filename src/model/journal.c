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
#define JOURNAL_SUFFIX ".journal"

/* Where the journal's name finds room, that of the file beside the result does. */
_Static_assert(sizeof FILE_PART <= sizeof JOURNAL_SUFFIX, "names beside the result file");

struct journal {
    char *path;
    int fd; /* holds the lock */
};

static bool fail(struct error *err, const char *path, const char *what)
{
    error_set(err, "%s: %s: %s", path, what, strerror(errno));
    return false;
}

/* In the folder for the state of programs; `run_id` "" asks only whether there is one. */
static char *place_in_state_folder(const char *run_id, struct error *err)
{
    char *state = file_user_folder("XDG_STATE_HOME", ".local/state");
    if (!state) {
        error_set(err, "no place for the run's journal: neither XDG_STATE_HOME nor HOME is set; give --out FILE");
        return NULL;
    }
    char *folder = file_join(state, "benchrun"), *path = NULL;
    struct error cause;
    error_init(&cause);
    if (file_make_folders(folder, &cause) && access(folder, W_OK | X_OK) != 0)
        fail(&cause, folder, "cannot write in this folder");
    if (cause.is_set)
        error_set(err, "no place for the run's journal: %s; give --out FILE, or another folder in XDG_STATE_HOME",
                  cause.message);
    else
        path = memory_printf("%s/%s" JOURNAL_SUFFIX, folder, run_id);
    free(folder);
    free(state);
    return path;
}

static char *place_for(const char *path, const char *run_id, struct error *err)
{
    return path ? memory_printf("%s" JOURNAL_SUFFIX, path) : place_in_state_folder(run_id, err);
}

bool journal_check_place(const char *path, struct error *err)
{
    char *place = place_for(path, "", err);
    free(place);
    return place != NULL;
}

/* What is no journal is somebody's, too. */
static bool is_worth_keeping(const char *path)
{
    struct result result;
    result_init(&result);
    bool is_empty = journal_read(path, &result, NULL) && result.trial_count == 0;
    result_release(&result);
    return !is_empty;
}

static bool keep_old(const char *path, struct message_list *notes, struct error *err)
{
    char *kept;
    if (!file_keep(path, &kept, err)) {
        error_prefix(err, "the journal of an earlier run");
        return false;
    }
    message_list_add(notes, "a run that did not come to its end left its journal; it is kept as %s", kept);
    free(kept);
    return unlink(path) == 0 || fail(err, path, "cannot remove the journal of an earlier run");
}

/* A journal that its run has removed or renamed between our open() and flock() is not the one that others will see. */
static bool is_still_at(int fd, const char *path)
{
    struct stat ours, there;
    return fstat(fd, &ours) == 0 && stat(path, &there) == 0 && ours.st_dev == there.st_dev &&
           ours.st_ino == there.st_ino;
}

/* A file system without locks is no reason not to measure. */
static bool lock(int fd, const char *path, struct message_list *notes, struct error *err)
{
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        return true;
    if (errno == EWOULDBLOCK)
        error_set(err, "%s: another benchrun is writing there; give this one another --out", path);
    else if (file_system_cannot(errno))
        message_list_add(notes, "%s: cannot lock: %s; see to it that no other benchrun has the same --out", path,
                         strerror(errno));
    else
        fail(err, path, "cannot lock");
    return !err->is_set;
}

/* A pipe has room for so much, and then everything waits for its reader. */
static bool check_kind(int fd, const char *path, struct error *err)
{
    struct stat st;
    bool ok = fstat(fd, &st) != 0 || S_ISREG(st.st_mode);
    if (!ok)
        error_set(err, "%s: is no file, and the journal of the run is to be written there; give another --out", path);
    return ok;
}

static int open_locked(const char *path, struct message_list *notes, struct error *err)
{
    int fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0) {
        fail(err, path, "cannot open");
        return -1;
    }
    if (check_kind(fd, path, err) && lock(fd, path, notes, err))
        return fd;
    close(fd);
    return -1;
}

/* Empties the locked file, or moves it out of the way. */
static bool clear(int fd, const char *path, bool *is_empty, struct message_list *notes, struct error *err)
{
    struct stat st;
    *is_empty = fstat(fd, &st) == 0 && (st.st_size == 0 || !is_worth_keeping(path));
    if (!*is_empty)
        return keep_old(path, notes, err);
    return st.st_size == 0 || ftruncate(fd, 0) == 0 || fail(err, path, "cannot empty");
}

/* An empty, locked journal at `path`. The lock on an old one is held until it has its new name. */
static int open_empty(const char *path, struct message_list *notes, struct error *err)
{
    for (;;) {
        int fd = open_locked(path, notes, err);
        if (fd < 0)
            return -1;
        bool is_empty = false, ok = !is_still_at(fd, path) || clear(fd, path, &is_empty, notes, err);
        if (ok && is_empty)
            return fd;
        close(fd);
        if (!ok)
            return -1;
    }
}

struct journal *journal_open(const char *path, const char *run_id, struct message_list *notes, struct error *err)
{
    char *place = place_for(path, run_id, err);
    if (!place)
        return NULL;
    int fd = open_empty(place, notes, err);
    if (fd < 0) {
        free(place);
        return NULL;
    }
    struct journal *journal = memory_zeroed(1, sizeof *journal);
    journal->path = place;
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
    /* A file system that cannot do it keeps the line all the same. */
    if (ok && fdatasync(journal->fd) != 0 && !file_system_cannot(errno))
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
