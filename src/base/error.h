/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * One error, in the caller's storage. A fallible function takes `struct error *err` last and returns false (or NULL)
 * after it has set it. The first error wins: a later error_set() on the same struct changes nothing. On the way up a
 * caller adds where it happened with error_prefix(). `err` may be NULL wherever the reason does not matter.
 *
 * A message says what, where, what was expected and how to mend it, in one line without a final full stop or newline.
 * It never holds a password.
 */
struct error {
    bool is_set;
    char message[2048];
};

void error_init(struct error *err);
void error_set(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Puts "<text>: " before the message; without a message does nothing. */
void error_prefix(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Puts one step of a JSON path before the message: "x" -> "/doc: x" -> "/0/doc: x". */
void error_prefix_path(struct error *err, const char *step);

/* Any number of messages: for checks that report everything at once. Owned by the list, in the order added. */
struct message_list {
    char **items;
    size_t count;
    size_t capacity;
};

void message_list_init(struct message_list *list);
void message_list_add(struct message_list *list, const char *format, ...) __attribute__((format(printf, 2, 3)));
void message_list_release(struct message_list *list);

#endif
