/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_MESSAGE_H
#define BASE_MESSAGE_H

#include "base/error.h"

/*
 * What a program says to people: "<program>: <label><text>" and a newline on stderr. The only way for errors, warnings
 * and notes of all programs; text_print_lines() makes the text safe.
 */

/* `label` is "", "note: " or "warning: ". */
void message_print(const char *label, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints each one and empties the list. */
void message_list_print(const char *label, struct message_list *list);

#endif
