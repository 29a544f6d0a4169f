/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/csv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void number_text(double value, char text[NUMBER_TEXT_SIZE])
{
    text[0] = '\0';
    if (!isnan(value))
        real_shortest(value, text);
}

static void append_quoted(struct buffer *out, const char *text)
{
    buffer_append(out, "\"", 1);
    for (const char *c = text; *c; c++) {
        if (*c == '"')
            buffer_append(out, "\"", 1);
        buffer_append(out, c, 1);
    }
    buffer_append(out, "\"", 1);
}

void csv_raw_text(struct buffer *out, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    if (length > 0 && (strpbrk(text, ",\"\r\n") || text[0] == ' ' || text[length - 1] == ' '))
        append_quoted(out, text);
    else
        buffer_append(out, text, length);
    buffer_append(out, ",", 1);
}

void csv_text(struct buffer *out, const char *text)
{
    if (!text || !*text || !strchr("=+-@\t\r", text[0])) {
        csv_raw_text(out, text);
        return;
    }
    struct buffer defused = {0};
    buffer_append(&defused, "'", 1);
    buffer_append(&defused, text, strlen(text));
    csv_raw_text(out, buffer_text(&defused));
    buffer_release(&defused);
}

void csv_number(struct buffer *out, double value)
{
    char text[NUMBER_TEXT_SIZE];
    number_text(value, text);
    buffer_append(out, text, strlen(text));
    buffer_append(out, ",", 1);
}

void csv_end_line(struct buffer *out)
{
    out->data[out->size - 1] = '\n';
}
