/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_SELECT_H
#define MODEL_SELECT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "model/run_options.h"
#include "model/testcase.h"

/*
 * Which tests run (mongo-perf's filter rules). A word that is a name or a tag of any loaded test is meant literally;
 * any other is a pattern (PCRE2, anchored at both ends, against the name; matching is bounded).
 *   include: each group an OR of its words, the groups ANDed; none, or one group that is the single word "%": all.
 *   exclude: each group an AND of its words, the groups ORed; exclusion wins. "%" there is an ordinary word.
 * On success *indices (the caller frees) holds the chosen positions in `set`, in order. A bad pattern is an error with
 * the offset in it; so is a selection of nothing, and a word that can only be meant as a name or a tag and is none
 * (with the nearest ones), unless options->allow_missing. Other words that match nothing go to `notes`.
 */
bool select_tests(const struct testcase_set *set, const struct run_options *options, size_t **indices, size_t *count,
                  struct message_list *notes, struct error *err);

/* Version tags ">=4.2.0": whether a server of `version` ("4.0.3-pre", NULL unknown) is new enough for every such tag of
 * the test. Compares as many components as the tag has; "0.0.0" and unknown are always new enough. */
bool select_version_allows(const struct testcase *test, const char *version, const char **failed_tag);

#endif
