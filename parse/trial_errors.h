/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_TRIAL_ERRORS_H
#define PARSE_TRIAL_ERRORS_H

#include <jansson.h>

#include "parse/dataset.h"

/*
 * The member "errors" of a result file, of benchrun and of the newest mongo-perf, which puts the whole definition for
 * the test's name: gives each trial that it names, and that has neither a number nor a reason yet, its reason.
 * mongo-perf's list of values ends with the last trial that had one: the trials behind it, in their order, are added.
 * Entries of another shape (in 2017 the list held numbers), and those of a test or a number of threads that "results"
 * does not have, are passed over. The tests' cells are sorted.
 */
void trial_errors_apply(const json_t *errors, struct deployment *deployment);

#endif
