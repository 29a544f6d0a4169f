/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/verify_rule.h"

#include <math.h>

#include "base/array.h"

const struct percent_rule percent_rules[] = {
    {"(B - A) / A", 100, 1, MARK_PERCENT, false, false},
    {"(A - B) / B", 100, 1, MARK_PERCENT, true, false},
    {"(A - B) / A", -100, 1, MARK_PERCENT, false, false},
    {"(B - A) / B", -100, 1, MARK_PERCENT, true, false},
    {"100 * B / A", 100, 0, MARK_PERCENT, false, false},
    {"100 * A / B", 100, 0, MARK_PERCENT, true, false},
    {"B / A as a ratio", 1, 0, MARK_TIMES, false, false},
    {"A / B as a ratio", 1, 0, MARK_TIMES, true, false},
    {"(B - A) / A as a fraction", 1, 1, MARK_NONE, false, false},
    {"(A - B) / B as a fraction", 1, 1, MARK_NONE, true, false},
    {"(A - B) / A as a fraction", -1, 1, MARK_NONE, false, false},
    {"B - A", 1, 0, MARK_NONE, false, true},
    {"A - B", -1, 0, MARK_NONE, false, true},
};
const size_t percent_rule_count = COUNT_OF(percent_rules);

const char *percent_rule_refuse(const struct percent_rule *rule, double a, double b)
{
    double base = rule->is_of_b ? b : a;
    if (rule->is_difference || base > 0)
        return NULL;
    return base == 0 ? "is relative to 0" : "is relative to a negative value";
}

double percent_rule_value(const struct percent_rule *rule, double a, double b)
{
    if (rule->is_difference)
        return rule->factor * (b - a);
    return rule->factor * ((rule->is_of_b ? a / b : b / a) - rule->offset);
}

/* The divisor is above 0, and a quotient monotonous in both, so that the extremes are at the corners. */
struct range percent_rule_range(const struct percent_rule *rule, struct range a, struct range b)
{
    const double corners[] = {percent_rule_value(rule, a.low, b.low), percent_rule_value(rule, a.low, b.high),
                              percent_rule_value(rule, a.high, b.low), percent_rule_value(rule, a.high, b.high)};
    struct range range = {corners[0], corners[0]};
    for (size_t i = 1; i < 4; i++) {
        range.low = fmin(range.low, corners[i]);
        range.high = fmax(range.high, corners[i]);
    }
    return range;
}
