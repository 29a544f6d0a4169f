/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_TALLY_JSON_H
#define MODEL_TALLY_JSON_H

#include <jansson.h>

#include "base/error.h"
#include "model/tally.h"

/* The whole tally, in nanoseconds, so that tally_from_json() gives it back exactly, but for
 * last_counted_ns, which means nothing outside its process. New reference. */
json_t *tally_to_json(const struct tally *tally);
/* Members that are missing are 0; `err` names one of the wrong type. */
bool tally_from_json(const json_t *json, struct tally *tally, struct error *err);

/* For the result file. New references. */
json_t *tally_operations_to_json(const struct tally *tally); /* {"started": .., "succeeded": .., ...} */
json_t *tally_documents_to_json(const struct tally *tally);  /* {"inserted": .., ...} */
/* [{"code": .., "count": .., "message": ..}, ...], in the order first met. */
json_t *tally_reasons_to_json(const struct tally_reasons *reasons);
/* Adds what such a list holds; NULL: nothing. */
bool tally_reasons_from_json(const json_t *list, struct tally_reasons *reasons, struct error *err);
/* latency_mean_us, latency_min_us, latency_max_us into `object`; null without one latency. */
void tally_latency_to_json(const struct tally *tally, json_t *object);

#endif
