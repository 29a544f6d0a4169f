/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_JOURNAL_H
#define MODEL_JOURNAL_H

#include "model/result.h"

/*
 * The run's memory on disk: line-delimited JSON, appended and synced line by line, so that neither a signal nor kill -9
 * nor a full disk loses what was measured. First line: what result.header, .tests, .threads and .start_wall_ms hold;
 * then one line a trial, one for the end. The result file is always built from what the journal holds.
 */
struct journal;

/* Beside the result file `path` as "<path>.journal"; with NULL in $XDG_STATE_HOME/benchrun (default
 * ~/.local/state/benchrun), named by the run's id. Locked while open: another run with the same file, by whatever path,
 * is refused. A journal with trials that a killed run has left is kept as "<path>.journal.<number>". `notes` gets that,
 * and that a file system has no locks. */
struct journal *journal_open(const char *path, const char *run_id, struct message_list *notes, struct error *err);
/* Whether there is a place for it at all: for before a server is connected to. */
bool journal_check_place(const char *path, struct error *err);
const char *journal_path(const struct journal *journal);

/* Each appends one line, syncs it, and applies it to `result` through the same code that reads a journal. When the line
 * cannot be written it is applied all the same, so that nothing is lost, and the function returns false.
 * `plan` holds header, tests, threads and start_wall_ms; `result` is initialised and empty before journal_begin().
 * Of an interrupted trial only when and where it was is kept. */
bool journal_begin(struct journal *journal, struct result *result, const struct result *plan, struct error *err);
bool journal_trial(struct journal *journal, struct result *result, const struct trial_result *trial, struct error *err);
bool journal_end(struct journal *journal, struct result *result, bool complete, bool interrupted, struct error *err);
/* `remove` after a good end. Safe with NULL. */
void journal_close(struct journal *journal, bool remove);

/* Builds a result from a journal file into the initialised `result`; a last line cut short by a crash is left out. On
 * failure (not readable, no whole first line, a line that is no journal line) `result` is empty. */
bool journal_read(const char *path, struct result *result, struct error *err);
/* The same from memory; `name` is for the message. */
bool journal_read_bytes(const char *name, const char *bytes, size_t size, struct result *result, struct error *err);

#endif
