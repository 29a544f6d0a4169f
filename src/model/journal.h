/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_JOURNAL_H
#define MODEL_JOURNAL_H

#include "model/result.h"

/*
 * The run's memory on disk: line-delimited JSON, appended and synced line by line, so that neither a signal nor kill -9
 * nor a full disk loses what was measured. First line: header (what result.header, result.tests and result.threads
 * hold); then one line a trial, one for the end. The result file is always built from what the journal holds.
 */
struct journal;

/* Beside `out` as "<out>.journal"; with `out` NULL in $XDG_STATE_HOME/benchrun (default ~/.local/state/benchrun), named
 * by the run's id. An existing journal of another run that is still there (that run was killed) is kept under a new
 * name, and the path goes to *kept (the caller frees; NULL: there was none). */
struct journal *journal_open(const char *out, const char *run_id, char **kept, struct error *err);
const char *journal_path(const struct journal *journal);
/* Each appends one line, syncs it, and applies it to `result` through the same code that reads a journal. */
bool journal_begin(struct journal *journal, struct result *result, const struct result *plan, struct error *err);
bool journal_trial(struct journal *journal, struct result *result, const struct trial_result *trial, struct error *err);
bool journal_end(struct journal *journal, struct result *result, bool complete, bool interrupted, struct error *err);
/* `remove` after a good end. */
void journal_close(struct journal *journal, bool remove);

/* Builds a result from a journal file; a last line cut short by a crash is left out. */
bool journal_read(const char *path, struct result *result, struct error *err);

#endif
