/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_DEFSTEP_H
#define MODEL_DEFSTEP_H

#include "model/defexpand.h"

/* One step of "pre" or "post", an element of defexpand_array(). */
json_t *defstep_expand(struct defexpand *expand, const struct defref *ref, void *unused);
/* One entry of "pre" in a mongoebench file, {"op": "command", "ns": db, "command": {..}}, as a command step. */
json_t *defstep_expand_command(struct defexpand *expand, const struct defref *ref, void *unused);

#endif
