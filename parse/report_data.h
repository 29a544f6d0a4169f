/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_REPORT_DATA_H
#define PARSE_REPORT_DATA_H

#include "parse/dataset.h"
#include "parse/pairing.h"
#include "parse/verdicts.h"

/* What a report is made of. */
struct report_data {
    struct dataset dataset;
    struct pairing pairing;
    struct verdicts verdicts;
    char **files; /* a safe file name, without extension, for each row of the pairing */
};

/* Takes over the dataset. */
void report_data_make(struct report_data *data, struct dataset *dataset);
void report_data_release(struct report_data *data);

#endif
