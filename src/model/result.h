/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_RESULT_H
#define MODEL_RESULT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/run_options.h"
#include "model/tally.h"
#include "model/testbed.h"
#include "model/testcase.h"

/* How a trial ended. */
enum trial_state {
    TRIAL_MEASURED,    /* the clock ran: see the tally; a trial without one confirmed operation is void */
    TRIAL_UNPREPARED,  /* set-up failed or the transports could not be had; `reason` says why */
    TRIAL_UNSUPPORTED, /* the server does not know what the test needs; `reason` is its own message */
    TRIAL_INTERRUPTED, /* a signal came; what was counted until then is not a measurement and is not stored as one */
};

struct trial_result {
    size_t test;    /* position in result.tests */
    size_t rung;    /* position in result.threads */
    unsigned trial; /* from 0 */
    enum trial_state state;
    int32_t code; /* the server's error code for UNPREPARED and UNSUPPORTED, 0: none */
    char reason[512];
    int64_t start_wall_ms, end_wall_ms; /* of the whole trial, set-up included */
    int64_t elapsed_ns;     /* the divisor: gate to the later of the trial time and the last counted completion */
    int64_t client_cpu_ns;  /* user + system of the workers, gate to end */
    int64_t setup_ns;       /* set-up and loading */
    int64_t server_wait_ns; /* for a server that takes writes, before set-up and before clean-up */
    uint64_t session_ops_min, session_ops_max; /* succeeded operations of the slowest and of the fastest session */
    int64_t reconnects;                        /* transports reopened during the trial */
    int64_t abandoned_killed;                  /* of the abandoned operations: ended by killOp */
    int64_t abandoned_left;                    /* still under way in the server when waiting for them was given up */
    int64_t settle_ns;                   /* how long it took until the abandoned ones had ended, or were given up */
    struct tally_reasons setup_failures; /* steps of the set-up that were refused, as their "mayFail" allows */
    struct tally tally;
};

/* ops_per_sec of one trial: succeeded / elapsed; NAN for one without a number (never printed: null). */
double trial_ops_per_sec(const struct trial_result *trial);
/* The same without the operations that needed no server: (succeeded - local) / elapsed. */
double trial_server_ops_per_sec(const struct trial_result *trial);
/* Measured, but no server has confirmed one operation: local ones alone make no rate. */
bool trial_is_void(const struct trial_result *trial);

struct result_test {
    char *name;
    char *file;
    char fingerprint[17];
    char **tags;
    size_t tag_count;
    char *skipped;                      /* the version tag that kept it from running, else NULL */
    int64_t start_wall_ms, end_wall_ms; /* 0: not begun */
};

/*
 * A run as far as it has come. Built from the journal alone (journal.h): a run that was killed gives the same result as
 * one that was not, as far as it came.
 */
struct result {
    json_t *header; /* the members of the result file that are known at the beginning: result_header_new() */
    struct result_test *tests;
    size_t test_count;
    unsigned *threads;
    size_t thread_count;
    struct trial_result *trials; /* sorted by test and rung; of one cell in the order they came (cell.h) */
    size_t trial_count, trial_capacity;
    int64_t start_wall_ms, end_wall_ms;
    bool complete;    /* everything that was planned has been done */
    bool interrupted; /* a signal ended it; the file says so of every run that is not complete */
};

/* What the exit status depends on. Of the cells that have begun, interrupted trials left out, each is in one of
 * measured (has a number), void, unprepared and unsupported; cells_with_losses are measured ones in which an operation
 * failed, broke or was abandoned, or a trial has no number. */
struct result_summary {
    size_t cells, measured_cells, void_cells, unprepared_cells, unsupported_cells, cells_with_losses;
};

void result_init(struct result *result);
void result_release(struct result *result);
/* Copies it. Its test and rung must be positions in `result`. */
void result_add_trial(struct result *result, const struct trial_result *trial);
void result_summarise(const struct result *result, struct result_summary *summary);

/* mongo-perf's shape and ours beside it: benchrun-result(5), schema/result.schema.json. New reference. */
json_t *result_to_json(const struct result *result);
/* result_to_json() as the text of a file; the caller frees. */
char *result_to_text(const struct result *result, struct error *err);

#endif
