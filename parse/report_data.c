/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/report_data.h"

#include "parse/safe_names.h"

void report_data_make(struct report_data *data, struct dataset *dataset)
{
    data->dataset = *dataset;
    *dataset = (struct dataset){0};
    pairing_make(&data->dataset, &data->pairing);
    verdicts_make(&data->verdicts, &data->pairing);
    data->files = safe_names_make(&data->pairing);
}

void report_data_release(struct report_data *data)
{
    safe_names_free(data->files, data->pairing.count);
    verdicts_release(&data->verdicts);
    pairing_release(&data->pairing);
    dataset_release(&data->dataset);
}
