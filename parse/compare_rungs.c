/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "parse/compare.h"

bool compare_case_range(const struct compare_case *test, const struct compare_cell **smallest,
                        const struct compare_cell **largest)
{
    *smallest = *largest = NULL;
    for (size_t i = 0; i < test->cell_count; i++) {
        const struct compare_cell *cell = &test->cells[i];
        if (isnan(cell->ratio))
            continue;
        *smallest = !*smallest || cell->ratio < (*smallest)->ratio ? cell : *smallest;
        *largest = !*largest || cell->ratio > (*largest)->ratio ? cell : *largest;
    }
    return *smallest != NULL;
}

static int leader_by_interval(const struct compare_cell *cell, const struct metric *metric)
{
    if (cell->interval.low > 1 || cell->interval.high < 1) /* neither holds of NAN */
        return metric_direction(metric, cell->interval.ratio);
    return 0;
}

static bool leads_by_interval(const struct compare_case *test, int side, const struct metric *metric)
{
    for (size_t i = 0; i < test->cell_count; i++)
        if (leader_by_interval(&test->cells[i], metric) == side)
            return true;
    return false;
}

static int side_of(const struct compare_cell *cell, const struct metric *metric)
{
    return isnan(cell->p) ? 0 : metric_direction(metric, exp(cell->sign));
}

/* Of the rungs that lean to a side the one with the smallest p. */
static bool is_strongest(const struct compare_case *test, size_t cell, int side, const struct metric *metric)
{
    for (size_t i = 0; i < test->cell_count; i++) {
        double p = test->cells[i].p, own = test->cells[cell].p;
        if (side_of(&test->cells[i], metric) == side && (p < own || (p == own && i < cell)))
            return false;
    }
    return side_of(&test->cells[cell], metric) == side;
}

int compare_case_leader(const struct compare_case *test, size_t cell, const struct metric *metric)
{
    if (test->verdict != VERDICT_MIXED)
        return 0;
    int leader = leader_by_interval(&test->cells[cell], metric), side = side_of(&test->cells[cell], metric);
    if (leader == 0 && side != 0 && !leads_by_interval(test, side, metric) && is_strongest(test, cell, side, metric))
        leader = side;
    return leader;
}

int compare_case_stretch(const struct compare_case *test, const struct metric *metric, size_t first, size_t *last)
{
    int leader = 0;
    for (size_t i = first; i < test->cell_count; i++) {
        int here = compare_case_leader(test, i, metric);
        if (leader && here && here != leader)
            break;
        leader = leader ? leader : here;
        *last = i;
    }
    return leader;
}

size_t compare_case_changes(const struct compare_case *test, const struct metric *metric)
{
    size_t stretches = 0;
    for (size_t first = 0, last = 0; first < test->cell_count; first = last + 1) {
        compare_case_stretch(test, metric, first, &last);
        stretches++;
    }
    return stretches > 0 ? stretches - 1 : 0;
}
