/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_GNUPLOT_H
#define PARSE_GNUPLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"

/* gnuplot as a child process, in a locale of its own, without the person's start-up file. */

/* Whether there is one on PATH. */
bool gnuplot_is_there(void);

struct gnuplot_job {
    const char *name;     /* for messages */
    const char *folder;   /* to run in; NULL: the current one */
    const char *file;     /* the script; NULL: the text that follows */
    struct buffer script; /* lent */
    char **outputs;       /* what it has to write in `folder`, which holds none of them; lent */
    size_t output_count;  /* 0: to standard output */
    struct buffer output; /* set: what it wrote to standard output; the caller releases */
    bool failed;          /* set */
};

/*
 * Runs the jobs, each in a process of its own, as many at a time as there are CPUs. A job has failed when gnuplot says
 * so, is ended by a signal, takes longer than `limit_s` seconds (then it is killed), or has not written all that it had
 * to, whatever its exit status. A failure is added to `errors` with the job's name; the other jobs are run all the
 * same, but after one that took too long no more are started.
 */
void gnuplot_run(struct gnuplot_job *jobs, size_t count, unsigned limit_s, struct message_list *errors);

#endif
