/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_SELECT_WORD_H
#define MODEL_SELECT_WORD_H

#include <stdbool.h>

#include "base/error.h"
#include "model/testcase.h"

/* One word of a filter, made ready: a literal when it is a name or tag of any test in the set, else a pattern. */
struct select_word;

/* `text` must outlive the word. NULL for a bad pattern; the message has its offset in bytes. */
struct select_word *select_word_new(const char *text, const struct testcase_set *set, struct error *err);
void select_word_free(struct select_word *word);
/* Fails when the pattern needs more steps than are allowed, which bounds the time. */
bool select_word_matches(struct select_word *word, const struct testcase *test, bool *matches, struct error *err);
/* Whether it has matched any test so far. */
bool select_word_has_matched(const struct select_word *word);
/* Whether it can only be meant as a name or a tag: nothing in it but "." is special in a pattern. */
bool select_word_looks_exact(const struct select_word *word);
const char *select_word_text(const struct select_word *word);

#endif
