/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_FACTS_H
#define PARSE_FACTS_H

#include <jansson.h>

#include "parse/dataset.h"

/*
 * The top level of a result file as a flat list. What several ages tell under different names gets one name ("server
 * version"), the rest its path with dots ("harness.name"); objects are opened, arrays stay JSON. null, passwords, and
 * what a list has already are left out.
 */
void facts_add_member(struct fact_list *facts, const char *name, json_t *value);

/* Puts "*" in the place of what differs between two runs on one testbed: the run's id, which is in the application
 * name, and the ports of a server that benchrun started. To be called when all members are there; `run_id` NULL: the
 * file has none. */
void facts_hide_run(struct fact_list *facts, const char *run_id);

#endif
