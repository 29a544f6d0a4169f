/* SPDX-License-Identifier: Apache-2.0 */
#include "base/message.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"

static void print_text(const char *label, const char *text)
{
    char *before = memory_printf("%s: %s", program_invocation_short_name, label);
    text_print_lines(stderr, before, text);
    free(before);
}

void message_print(const char *label, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = memory_vprintf(format, args);
    va_end(args);
    print_text(label, text);
    free(text);
}

void message_list_print(const char *label, struct message_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        print_text(label, list->items[i]);
    message_list_release(list);
}
