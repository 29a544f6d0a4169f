/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_DEFTEXT_H
#define MODEL_DEFTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/defexpand.h"

/* What {}, {+2} and {letters} stand for in a text; NULL number: nothing, they stay. */
struct deftext_numbers {
    const uint64_t *number;
    bool knows_doc; /* {doc} stays for the document generator and is reported in has_doc; else it is plain text */
    bool has_doc;
};

/* `text` with parameters and placeholders filled in; NULL after a complaint at `at`. The caller frees. */
char *deftext_expand(struct defexpand *expand, const char *text, const struct defref *at,
                     struct deftext_numbers *numbers);
/* The same for a value or key in the file: numbers are those of the @list around, and a leading # or @ is checked (or
 * doubled, in a literal file). */
char *deftext_string(struct defexpand *expand, const char *text, const struct defref *at);
/* Checks or doubles the leading character; takes `text`, returns it or another, NULL after a complaint. */
char *deftext_escape(struct defexpand *expand, char *text, const struct defref *at);

/* The whole text is "${p}": then *value is what p stands for (a complaint when there is no p), else its value NULL. */
bool deftext_parameter(struct defexpand *expand, const char *text, const struct defref *at, struct defref *value);

#endif
