/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/verify_words.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

static bool is_listed(const char *word, size_t length, const char *const *words)
{
    for (; *words; words++)
        if (strlen(*words) == length && strncasecmp(*words, word, length) == 0)
            return true;
    return false;
}

static size_t word_length(const char *text)
{
    size_t length = 0;
    if (*text == '%')
        return 1;
    while (isalnum((unsigned char)text[length]))
        length++;
    return length;
}

void verify_count_words(const char *text, const char *const *words, size_t *all, size_t *listed)
{
    *all = *listed = 0;
    while (*text) {
        size_t length = word_length(text);
        if (length) {
            (*all)++;
            *listed += is_listed(text, length, words);
        }
        text += length ? length : 1;
    }
}

bool verify_has_word(const char *text, const char *const *words)
{
    size_t all, listed;
    verify_count_words(text, words, &all, &listed);
    return listed > 0;
}

double verify_time_unit(const char *text)
{
    static const char *const us[] = {"us", "usec", "microseconds", NULL};
    static const char *const ms[] = {"ms", "msec", "milliseconds", NULL};
    static const char *const ns[] = {"ns", "nanoseconds", NULL}, *const s[] = {"s", "sec", "seconds", NULL};
    if (verify_has_word(text, us) || strstr(text, "\xc2\xb5s") || strstr(text, "\xce\xbcs"))
        return 1e-6;
    if (verify_has_word(text, ms))
        return 1e-3;
    if (verify_has_word(text, ns))
        return 1e-9;
    return verify_has_word(text, s) ? 1 : NAN;
}

bool verify_is_latency(const char *text)
{
    static const char *const words[] = {"latency", "latencies", "rt", NULL};
    return verify_has_word(text, words);
}

/* What was asked for is not what was done. */
bool verify_is_throughput(const char *text)
{
    static const char *const words[] = {"throughput", "ops", "tps", "qps", "opss", NULL};
    static const char *const wishes[] = {"target", "targeted",  "offered", "requested", "intended",
                                         "limit",  "scheduled", "goal",    NULL};
    return verify_has_word(text, words) && !verify_has_word(text, wishes);
}
