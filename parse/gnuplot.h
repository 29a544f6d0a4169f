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
    struct buffer output; /* set: what it wrote to standard output; the caller releases */
    bool failed;          /* set */
};

/* Runs the jobs, each in a process of its own, as many at a time as there are CPUs. A failure is added to `errors` with
 * the job's name and gnuplot's message; the other jobs are run all the same. */
void gnuplot_run(struct gnuplot_job *jobs, size_t count, struct message_list *errors);

#endif
