/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_URI_OPTION_H
#define MODEL_URI_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/uri.h"

/* One option of a connection string: all that benchrun knows of it. */
struct uri_option {
    const char *name;
    const char *today;        /* the name that it has today; NULL: this one */
    const char *command_line; /* the option of benchrun that says the same; NULL: none does */
    /* What values it takes. libmongoc must read each of them as it is written. */
    bool (*accepts)(const struct uri_option *option, const char *value);
    const char *expected;
    int64_t min, max;  /* of a number; `max` in bytes of a text, 0: any */
    const char *words; /* of a choice or a list: "one, two, three" */
    bool is_exact;     /* capital letters count */
    bool is_composed;  /* given more than once it adds up, and an empty value means something */
    bool is_secret;
    const char *unused;   /* why it has no effect; NULL: it has one */
    const char *harmless; /* the value that asks for what is done anyway */
};

extern const struct uri_option uri_option_table[];
extern const size_t uri_option_count;

/* By any of its names; NULL: not known. The option that is returned has today's name. */
const struct uri_option *uri_option_find(struct uri_span name);
/* What somebody may have meant who wrote a name that is not known: a name of ours that is near, or that means the same
 * as one of another driver. NULL: no idea. */
const char *uri_option_guess(struct uri_span name);

/* The kinds of values. */
bool uri_value_is_truth(const struct uri_option *option, const char *value);
bool uri_value_is_number(const struct uri_option *option, const char *value);
bool uri_value_is_staleness(const struct uri_option *option, const char *value);
bool uri_value_is_word(const struct uri_option *option, const char *value);
bool uri_value_is_list(const struct uri_option *option, const char *value);
bool uri_value_is_text(const struct uri_option *option, const char *value);
bool uri_value_is_w(const struct uri_option *option, const char *value);
bool uri_value_is_tags(const struct uri_option *option, const char *value);
bool uri_value_is_properties(const struct uri_option *option, const char *value);
bool uri_value_is_service(const struct uri_option *option, const char *value);

#endif
