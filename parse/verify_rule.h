/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_VERIFY_RULE_H
#define PARSE_VERIFY_RULE_H

#include <stdbool.h>
#include <stddef.h>

#include "parse/printed.h"

/* One way in which a printed change follows from two values: factor * (B / A - offset), or with A / B. */
struct percent_rule {
    const char *name;
    double factor, offset;
    enum printed_mark mark; /* as which such a change is printed */
    bool is_of_b;           /* A / B */
    bool is_difference;     /* instead: factor * (B - A) */
};

/* The usual ones first: of two that fit equally well the first is taken. */
extern const struct percent_rule percent_rules[];
extern const size_t percent_rule_count;

/* NULL; or why no change follows from these values by the rule. Constant. */
const char *percent_rule_refuse(const struct percent_rule *rule, double a, double b);
/* What the values give; only where percent_rule_refuse() is NULL. */
double percent_rule_value(const struct percent_rule *rule, double a, double b);
/* All that the unrounded values may give. */
struct range percent_rule_range(const struct percent_rule *rule, struct range a, struct range b);

#endif
