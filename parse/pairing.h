/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PAIRING_H
#define PARSE_PAIRING_H

#include <stddef.h>

#include "parse/dataset.h"

/* One test case of all deployments. */
struct pairing_row {
    char *title;                    /* test_title() */
    const struct test_data **tests; /* one a deployment; NULL: it has none */
    unsigned *threads;              /* the rungs of any of them, ascending */
    size_t thread_count;
};

/* The tests of a dataset side by side: the k-th of a name with the k-th of that name. In the order of the first
 * deployment, then what only later ones have. Lends from the dataset. */
struct pairing {
    const struct dataset *dataset;
    struct pairing_row *rows;
    size_t count;
};

void pairing_make(const struct dataset *dataset, struct pairing *pairing);
void pairing_release(struct pairing *pairing);
/* NULL when the deployment has no such cell. */
const struct cell_data *pairing_cell(const struct pairing_row *row, size_t deployment, unsigned threads);
/* Any of its tests: name, occurrence and tags are the same in all that have them. */
const struct test_data *pairing_any(const struct pairing *pairing, const struct pairing_row *row);

#endif
