/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_DATASET_H
#define PARSE_DATASET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Result files of any age as plain data. NAN means that there is no number, NULL that the file does not tell. All
 * strings are owned by the struct that they stand in.
 */

enum latency_kind {
    LATENCY_MEAN,
    LATENCY_MIN,
    LATENCY_P50,
    LATENCY_P95,
    LATENCY_P99,
    LATENCY_P999,
    LATENCY_MAX,
    LATENCY_KINDS,
};
/* The members of a result file: "latency_mean_us". */
extern const char *const latency_members[LATENCY_KINDS];

struct latency {
    double us[LATENCY_KINDS];
};

/* How started operations ended: benchrun(1), COUNTING. */
struct op_counts {
    uint64_t started, succeeded, failed, broken, abandoned, unconfirmed, local;
};

struct trial_data {
    double ops_per_sec;
    int64_t errors;          /* -1: not told */
    struct latency *latency; /* NULL: not told */
    char *reason;            /* why there is no number; NULL: not told */
    unsigned run;            /* from 0: of the deployment's */
    bool is_mean;            /* stands for all trials of a run whose file holds only their mean */
};

struct cell_data {
    unsigned threads;
    double ops_per_sec;        /* mean of the trials that have a number */
    double median;             /* of the same */
    double stdev;              /* population standard deviation of the same */
    struct trial_data *trials; /* in the order they were made; none when the file holds only the mean */
    size_t trial_count;
    unsigned trials_summarised; /* trials behind a mean that stands alone; 0: not told */
    struct latency *latency;    /* NULL: not told */
    struct op_counts *counts;   /* NULL: not told */
    char *reason;               /* why there is no number; NULL: not told */
    char *failure;              /* the first failure of an operation; NULL: none, or not told */
    char *setup_failure;        /* the first step of the set-up that was refused: measured without it; NULL: none */
};

struct test_data {
    char *name;        /* with " (variant N)" behind it when the file has a variant */
    size_t occurrence; /* from 1: the k-th test of this name in its file */
    char *fingerprint; /* of the definition */
    char *start, *end; /* as the file has them */
    char **tags;
    size_t tag_count;
    struct cell_data *cells; /* by threads, ascending; each number once */
    size_t cell_count;
};

/* Something that the numbers depend on: "server version" is "3.4.1". */
struct fact {
    char *name, *value;
};

struct fact_list {
    struct fact *items;
    size_t count, capacity;
};

/* What a run was to measure (parse/run_plan.h). */
struct run_plan {
    unsigned *threads; /* the ladder, ascending */
    size_t thread_count;
    unsigned trials;   /* of each cell; 0: not told */
    char **unmeasured; /* names of test cases of which no trial has ended, sorted */
    size_t unmeasured_count;
};

struct deployment {
    char *label;                  /* for people; unique in a dataset */
    char *path;                   /* of its file */
    char *start, *end;            /* as the file has them */
    char *run_id;                 /* of a run of benchrun; NULL: not told */
    char *command_line;           /* that made it, without passwords */
    bool interrupted;             /* the run was cut short */
    bool tells_end;               /* the file says whether it was */
    struct message_list warnings; /* about what the file holds, for people; each names the file */
    struct run_plan plan;
    struct fact_list facts;
    struct fact_list skipped; /* tests that were not run: name, version tag */
    struct test_data *tests;  /* in the order of the file */
    size_t test_count, test_capacity;
    struct deployment *runs; /* that were pooled (parse/pool.h); none: it is one run itself */
    size_t run_count;
};

struct dataset {
    struct deployment *items;
    size_t count;
};

void fact_list_add(struct fact_list *list, const char *name, const char *value);
/* NULL when there is none of that name. */
const char *fact_list_find(const struct fact_list *list, const char *name);

/* The values of one fact among several runs, each once, with " | " between them; *values says how many. NULL: no run
 * tells. The caller frees. */
char *fact_join(const struct deployment *const *runs, size_t run_count, const char *name, size_t *values);

/* The cell of a number of threads, or NULL. */
struct cell_data *test_find_cell(const struct test_data *test, unsigned threads);
/* Trials of the cell that have a number; their values go to `values` (room for trial_count) when that is not NULL. */
size_t cell_values(const struct cell_data *cell, double *values);
/* Whether this trial, which is there, is its run's first. */
bool cell_is_first_of_run(const struct cell_data *cell, size_t trial);
/* The sum over the trials; -1 when no trial tells. */
int64_t cell_errors(const struct cell_data *cell);
/* Why it, or some of its trials, have no number: what the file says of the cell, else of its trials, each text once and
 * at most three of them. NULL when it says nothing; the caller frees. */
char *cell_why(const struct cell_data *cell);
void cell_release(struct cell_data *cell);
void test_release(struct test_data *test);
void test_sort_cells(struct test_data *test);
/* What a test is called where its name alone must tell it from the others: the name, "(no name)" for an empty one; from
 * the second of a name on with " [2]" behind it. A name that could be taken for such a title always has its number:
 * "Dup [2]" is the second "Dup", "Dup [2] [1]" the only test that is called "Dup [2]". The caller frees. */
char *test_title(const char *name, size_t occurrence);
/* Gives each test its occurrence. */
void deployment_number_tests(struct deployment *deployment);
/* How many runs it is of, at least 1, and the k-th of them from 0. */
size_t deployment_runs(const struct deployment *deployment);
const struct deployment *deployment_run(const struct deployment *deployment, size_t k);
/* All of them; the caller frees the list. */
const struct deployment **deployment_list_runs(const struct deployment *deployment);
void deployment_release(struct deployment *deployment);
void dataset_release(struct dataset *dataset);

#endif
