/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_URI_OPTIONS_H
#define ENGINE_URI_OPTIONS_H

#include "base/error.h"

/* Adds one warning for each option of a connection string that is unknown, given more than once, or without effect
 * here. `uri` has passed target_check_uri(). No value is ever quoted. benchrun(1) has the table. */
void uri_options_review(const char *uri, struct message_list *warnings);

#endif
