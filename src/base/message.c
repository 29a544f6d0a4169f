/* SPDX-License-Identifier: Apache-2.0 */
#include "base/message.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

static void print_text(const char *label, const char *text)
{
    char *begin = memory_printf("%s: %s", program_invocation_short_name, label);
    size_t length = strcspn(text, "\n");
    text_print_line(stderr, "%s%.*s", begin, (int)length, text);
    while (text[length] == '\n') {
        text += length + 1;
        length = strcspn(text, "\n");
        text_print_line(stderr, "%s%.*s", strncmp(text, "  ", 2) == 0 ? "" : "  ", (int)length, text);
    }
    free(begin);
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
