/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_VERIFY_WORDS_H
#define PARSE_VERIFY_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* The words of headers and cells: runs of letters and digits, and "%"; all else separates, "_" too. Their case does not
 * matter. `words` ends with NULL. */
bool verify_has_word(const char *text, const char *const *words);
/* How many words a text has, and how many of them are listed. */
void verify_count_words(const char *text, const char *const *words, size_t *all, size_t *listed);
/* The seconds of a unit of time that is named in the text; NAN: none is. */
double verify_time_unit(const char *text);
bool verify_is_latency(const char *text);
bool verify_is_throughput(const char *text);

#endif
