/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "parse/verify_parts.h"
#include "parse/verify_rule.h"
#include "parse/verify_words.h"

/* One row in so many of a metric may be wrong without hiding that the others follow another rule than the table. */
#define EXCEPTIONS 10
/* How far away a row is looked for in which the same percentage is right. */
#define TWIN_REACH 100

static bool has_numbers(const struct verify *verify, size_t row)
{
    return !isnan(verify_value(verify, row, (size_t)verify->a)) &&
           !isnan(verify_value(verify, row, (size_t)verify->b)) &&
           !isnan(verify_value(verify, row, (size_t)verify->percent));
}

static enum printed_mark header_mark(const char *header)
{
    static const char *const percents[] = {"pct", "percent", "percentage", "%", NULL};
    static const char *const ratios[] = {"speedup", "ratio", "factor", NULL};
    if (verify_has_word(header, percents))
        return MARK_PERCENT;
    return verify_has_word(header, ratios) ? MARK_TIMES : MARK_NONE;
}

/* Whether a change with this mark can be meant by the rule. A speedup without a mark may be 62 (%) or 1.62, a
 * percentage without one may be 0.62; between two percentages a % may be a point. */
static bool is_meant(const struct verify *verify, size_t row, const struct percent_rule *rule)
{
    enum printed_mark of_header = verify->header_mark, mark = verify->columns[verify->percent].cells[row].mark;
    if (rule->is_difference && verify->columns[verify->a].cells[row].mark == MARK_PERCENT &&
        verify->columns[verify->b].cells[row].mark == MARK_PERCENT)
        return mark != MARK_TIMES;
    if (mark != MARK_NONE)
        return rule->mark == mark;
    if (of_header == MARK_PERCENT)
        return rule->mark != MARK_TIMES && !rule->is_difference;
    return of_header == MARK_NONE || rule->mark != MARK_NONE;
}

/* Why the row says nothing about the rule; NULL: it does. */
static const char *refuse(const struct verify *verify, size_t row, const struct percent_rule *rule)
{
    if (!is_meant(verify, row, rule))
        return "is of another kind than most of its column";
    return percent_rule_refuse(rule, verify_value(verify, row, (size_t)verify->a),
                               verify_value(verify, row, (size_t)verify->b));
}

/* Whether a printed change can be the rounding of something in the range; a sliver more, for the binary fractions. */
static bool fits(const struct printed_number *printed, double value, struct range range)
{
    double slack = printed->half * (1 + 1e-9) + fabs(value) * 1e-14;
    return value >= range.low - slack && value <= range.high + slack;
}

static struct range allowed(const struct verify *verify, size_t row, const struct percent_rule *rule)
{
    return percent_rule_range(rule, printed_range(&verify->columns[verify->a], row),
                              printed_range(&verify->columns[verify->b], row));
}

static bool follows(const struct verify *verify, size_t row, const struct percent_rule *rule)
{
    const struct printed_number *printed = &verify->columns[verify->percent].cells[row];
    return has_numbers(verify, row) && !refuse(verify, row, rule) &&
           fits(printed, printed->value, allowed(verify, row, rule));
}

/* How many rows of one metric, or of all, follow each rule. */
struct votes {
    size_t *counts; /* percent_rule_count */
    size_t all;     /* rows with three numbers */
};

static size_t find_most(const struct votes *votes)
{
    size_t most = 0;
    for (size_t rule = 1; rule < percent_rule_count; rule++)
        most = votes->counts[rule] > votes->counts[most] ? rule : most;
    return most;
}

/* A row of latency alone in its metric: better is positive there, too. */
static bool is_mirrored(const struct verify *verify, size_t metric, const struct percent_rule *rule)
{
    size_t row = 0;
    while (verify->row_metrics[row] != metric)
        row++;
    return verify_is_time(verify, row) && rule->mark == verify->rule->mark && rule->offset == verify->rule->offset &&
           (rule->is_of_b != verify->rule->is_of_b) != (rule->factor * verify->rule->factor < 0);
}

/* The rule of most rows of the table, but for a metric of which nearly all rows follow another. */
static const struct percent_rule *choose(const struct verify *verify, size_t metric, const struct votes *votes)
{
    size_t table = (size_t)(verify->rule - percent_rules), most = find_most(votes);
    size_t needed = votes->all - votes->all / EXCEPTIONS;
    bool is_convention = votes->counts[most] > votes->counts[table] && votes->counts[most] >= needed;
    if (is_convention && votes->all == 1)
        is_convention = is_mirrored(verify, metric, &percent_rules[most]);
    return is_convention ? &percent_rules[most] : verify->rule;
}

static void vote(const struct verify *verify, size_t rows, struct votes *of_metric, struct votes *of_all)
{
    for (size_t i = 0; i < rows && i < verify->table->row_count; i++) {
        struct votes *votes = &of_metric[verify->row_metrics[i]];
        votes->all += has_numbers(verify, i);
        of_all->all += has_numbers(verify, i);
        for (size_t rule = 0; rule < percent_rule_count; rule++) {
            bool is_one = follows(verify, i, &percent_rules[rule]);
            votes->counts[rule] += is_one;
            of_all->counts[rule] += is_one;
        }
    }
}

size_t verify_choose_rules(struct verify *verify, size_t rows, size_t *all)
{
    size_t metrics = verify->metrics.count, followers = 0;
    size_t *counts = memory_zeroed((metrics + 1) * percent_rule_count, sizeof *counts);
    struct votes *votes = memory_zeroed(metrics + 1, sizeof *votes), *of_all = &votes[metrics];
    verify->header_mark = header_mark(verify->table->headers[verify->percent]);
    for (size_t m = 0; m <= metrics; m++)
        votes[m].counts = counts + m * percent_rule_count;
    vote(verify, rows, votes, of_all);
    verify->rule = &percent_rules[find_most(of_all)];
    for (size_t m = 0; m < metrics; m++) {
        verify->rules[m] = choose(verify, m, &votes[m]);
        followers += votes[m].counts[verify->rules[m] - percent_rules];
    }
    *all = of_all->all;
    free(votes);
    free(counts);
    return followers;
}

/* In a row of averages the mean of the percentages is as good as the percentage of the means. */
static bool is_mean_of_percentages(const struct verify *verify, size_t row)
{
    const struct printed_column *percent = &verify->columns[verify->percent];
    struct range sum = {0, 0};
    double count = 0;
    if (verify_row_kind(verify, row) != ROW_AVERAGE)
        return false;
    for (size_t i = verify_group_start(verify, row); i < row; i++) {
        struct range range = printed_range(percent, i);
        if (verify_row_kind(verify, i) != ROW_PLAIN || isnan(range.low))
            continue;
        sum = (struct range){sum.low + range.low, sum.high + range.high};
        count++;
    }
    return count > 0 &&
           fits(&percent->cells[row], percent->cells[row].value, (struct range){sum.low / count, sum.high / count});
}

static bool is_twin(const struct verify *verify, size_t row, size_t other, const struct percent_rule *rule)
{
    const struct printed_number *cells = verify->columns[verify->percent].cells;
    return other < verify->table->row_count && cells[other].value == cells[row].value && follows(verify, other, rule);
}

/* The nearest row where the same percentage is right; `row` when there is none. */
static size_t find_twin(const struct verify *verify, size_t row, const struct percent_rule *rule)
{
    for (size_t reach = 1; reach <= TWIN_REACH; reach++) {
        if (reach <= row && is_twin(verify, row, row - reach, rule))
            return row - reach;
        if (is_twin(verify, row, row + reach, rule))
            return row + reach;
    }
    return row;
}

static double distance(const struct percent_rule *rule, double printed, double expected)
{
    double off = fabs(printed - expected);
    return rule->mark == MARK_PERCENT ? off : 100 * off / fabs(expected);
}

static void report(struct verify *verify, size_t row, const struct percent_rule *rule)
{
    const struct csv_table *table = verify->table;
    const struct printed_number *percent = &verify->columns[verify->percent].cells[row];
    const char *printed = csv_table_cell(table, row, (size_t)verify->percent);
    const char *a = csv_table_cell(table, row, (size_t)verify->a), *b = csv_table_cell(table, row, (size_t)verify->b);
    bool is_sign = percent->value != 0 && fits(percent, -percent->value, allowed(verify, row, rule));
    double expected = percent_rule_value(rule, verify_value(verify, row, (size_t)verify->a),
                                         verify_value(verify, row, (size_t)verify->b));
    double off = distance(rule, percent->value, expected);
    bool is_points = rule->mark == MARK_PERCENT;
    int digits = percent->decimals > 2 ? percent->decimals : 2;
    const char *unit = is_points ? " %" : "";
    size_t twin = is_sign ? row : find_twin(verify, row, rule);
    char *where =
        twin == row ? memory_strdup("") : memory_printf(" (in line %zu the same is right)", table->lines[twin]);
    verify_add(verify, is_sign ? FINDING_SIGN : FINDING_VALUE, row, off, is_points,
               "%s is printed for %s against %s; %s %.*f%s%s", printed, b, a,
               is_sign ? "it has the sign of" : "they give", digits, expected, unit, where);
    free(where);
}

static void check(struct verify *verify, size_t row)
{
    if (isnan(verify_value(verify, row, (size_t)verify->percent)))
        return;
    const struct percent_rule *rule = verify->rules[verify->row_metrics[row]];
    const char *reason = has_numbers(verify, row) ? refuse(verify, row, rule) : "comes from a value that is missing";
    if (reason) {
        verify_leave_out(verify, row, verify->percent, reason);
        return;
    }
    verify->checked[FINDING_VALUE]++;
    if (!follows(verify, row, rule) && !is_mean_of_percentages(verify, row))
        report(verify, row, rule);
}

static void remark_conventions(struct verify *verify)
{
    for (size_t m = 0; m < verify->metrics.count; m++)
        if (verify->rules[m] != verify->rule)
            message_list_add(&verify->remarks, "in the rows of %s, %s is taken for %s", verify->metrics.items[m],
                             verify->table->headers[verify->percent], verify->rules[m]->name);
}

void verify_percentages(struct verify *verify)
{
    for (size_t c = 0; c < verify->table->column_count && verify->percent < 0; c++)
        if (verify_is_percentage(verify, c))
            verify->cells[FINDING_VALUE] += verify->columns[c].filled;
    if (verify->percent < 0)
        return;
    verify->cells[FINDING_VALUE] = verify->columns[verify->percent].filled;
    for (size_t i = 0; i < verify->table->row_count; i++)
        check(verify, i);
    remark_conventions(verify);
}
