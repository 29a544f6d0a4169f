/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_LOCALSERVER_RECORD_H
#define ENGINE_LOCALSERVER_RECORD_H

#include <stdbool.h>

#include "base/error.h"
#include "engine/localserver_process.h"

/*
 * What a run writes down about its local server so that a later run can clear up behind it. A file a server in the
 * run-time folder: $XDG_RUNTIME_DIR/benchrun, or, where that is missing, benchrun-UID under TMPDIR or /tmp; always 0700
 * and the user's own. Written before the server's folder is made, so that nothing exists that is not written down.
 */
struct localserver_record {
    char *path;                        /* of the record itself; owned */
    char *folder;                      /* the server's private folder, absolute; owned */
    struct localserver_process owner;  /* the benchrun that uses the server; while it lives nobody else touches it */
    struct localserver_process server; /* pid 0 until it has been started */
};

/* Chooses a name for the server's folder under TMPDIR or /tmp, writes the record and makes the folder, mode 0700. */
bool localserver_record_create(struct localserver_record *record, struct error *err);
bool localserver_record_set_server(struct localserver_record *record, const struct localserver_process *server,
                                   struct error *err);
/* Removes folder and record from the disk, and the run-time folder with the last record; the server must have
 * ended. */
bool localserver_record_remove(const struct localserver_record *record, struct error *err);
void localserver_record_release(struct localserver_record *record);

/* Makes sure that the run-time folder is there, and ours; the caller's to free. */
char *localserver_record_runtime_folder(struct error *err);

/* Ends and removes what records of ended owners name; returns how many. A record that cannot be read is removed
 * alone. */
unsigned localserver_record_sweep(void);

#endif
