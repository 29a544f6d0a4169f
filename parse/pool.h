/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_POOL_H
#define PARSE_POOL_H

#include "parse/dataset.h"

/*
 * Makes one deployment of several runs of it, at least two, which it takes over: tests by name and occurrence, in each
 * cell the trials of all runs, one run after the other. A run whose file holds only the mean of its trials counts as
 * one trial. Mean, median and deviation are those of all trials, the latency's minimum and maximum those of all runs,
 * its mean and percentiles the means of theirs. Facts that differ between the runs have all values, with " | " between
 * them, and are named in a warning.
 */
void pool_runs(struct deployment *runs, size_t count, const char *label, struct deployment *pooled);

#endif
