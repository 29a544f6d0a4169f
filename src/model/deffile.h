/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_DEFFILE_H
#define MODEL_DEFFILE_H

#include <stddef.h>

#include "model/defsource.h"

/* Parses `source->text` into `source->root` and checks what holds for a file as a whole: valid JSON, not nested too
 * deep. False after a complaint. */
bool deffile_parse(struct defsource *source);
/* Takes every "@comment" out of the value, which is of `source->root` and not nested too deep, so that nothing else
 * meets one. Complains about those that are neither a text nor a list of texts. */
void deffile_drop_comments(struct defsource *source, const struct defref *ref);
/* That no def uses itself, directly or through others. */
bool deffile_check_defs(struct defsource *source, const struct defref *defs);
/* Complains when the name says that this is a mongo-perf JavaScript file, and names ours. */
bool deffile_check_name(const char *path, struct message_list *errors);

#endif
