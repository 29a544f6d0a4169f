/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_TEST_FILTER_H
#define PARSE_TEST_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "model/run_options.h"
#include "parse/dataset.h"

/* --includeFilter and --excludeFilter of results: benchrun's words and rules (model/select.h). */
struct test_filter {
    struct filter_groups include, exclude;
    bool allow_missing;        /* a word that can only be a name, and is none, is noted instead of refused */
    struct filter_group *open; /* the words of the command line belong to it; NULL: to none */
};

/* An option begins with its first word; more words may follow. */
void test_filter_begin(struct test_filter *filter, struct filter_groups *groups, const char *word);
void test_filter_add(struct test_filter *filter, const char *word);
void test_filter_release(struct test_filter *filter);

/*
 * Leaves in each run the tests that are selected; names and tags are looked for in all runs together. What a run did
 * not measure at all is selected by its name alone. Fails as select_tests() does.
 */
bool test_filter_apply(const struct test_filter *filter, struct deployment *const *runs, size_t count,
                       struct message_list *notes, struct error *err);

#endif
