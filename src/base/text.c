/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"

/* The first row that fits counts. */
static const struct {
    uint32_t first, last;
    char shown;
} unsafe[] = {
    {'\t', '\r', ' '},     {0x85, 0x85, ' '},     {0x2028, 0x2029, ' '}, {0x00, 0x1F, '?'},     {0x7F, 0x9F, '?'},
    {0x061C, 0x061C, '?'}, {0x200E, 0x200F, '?'}, {0x202A, 0x202E, '?'}, {0x2066, 0x2069, '?'},
};

/* What is shown in the place of the character, 0: itself. */
static char shown_instead(uint32_t character)
{
    for (size_t i = 0; i < COUNT_OF(unsafe); i++)
        if (character >= unsafe[i].first && character <= unsafe[i].last)
            return unsafe[i].shown;
    return '\0';
}

static bool is_continuation(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* The bytes of the character that begins with `lead`; 0: none does. */
static size_t size_by_lead(unsigned char lead)
{
    if (lead < 0x80)
        return 1;
    return lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
}

size_t text_read_character(const char *text, size_t length, uint32_t *character)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    static const unsigned char lead_bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    size_t size = size_by_lead((unsigned char)text[0]);
    if (size == 0 || size > length)
        return 0;
    *character = (unsigned char)text[0] & lead_bits[size];
    for (size_t i = 1; i < size; i++) {
        if (!is_continuation(text[i]))
            return 0;
        *character = *character << 6 | ((unsigned char)text[i] & 0x3F);
    }
    bool is_surrogate = *character >= 0xD800 && *character <= 0xDFFF;
    return *character < least[size] || is_surrogate || *character > 0x10FFFF ? 0 : size;
}

void text_copy_safe(char *out, size_t size, const char *text, size_t length)
{
    size_t used = 0;
    for (size_t at = 0, step; at < length; at += step) {
        uint32_t character;
        size_t bytes = text_read_character(text + at, length - at, &character);
        char instead = bytes == 0 ? '?' : shown_instead(character);
        step = bytes ? bytes : 1;
        size_t wanted = instead ? 1 : bytes;
        if (used + wanted >= size)
            break;
        if (instead)
            out[used] = instead;
        else
            memmove(out + used, text + at, bytes);
        used += wanted;
    }
    out[used] = '\0';
}

char *text_safe(const char *text)
{
    char *copy = memory_strdup(text);
    size_t length = strlen(copy);
    text_copy_safe(copy, length + 1, copy, length);
    return copy;
}

void text_print_line(FILE *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = memory_vprintf(format, args);
    va_end(args);
    char *safe = text_safe(text);
    fprintf(out, "%s\n", safe);
    free(safe);
    free(text);
}

void text_print_lines(FILE *out, const char *before, const char *text)
{
    size_t length = strcspn(text, "\n");
    text_print_line(out, "%s%.*s", before, (int)length, text);
    while (text[length] == '\n') {
        text += length + 1;
        length = strcspn(text, "\n");
        text_print_line(out, "%s%.*s", strncmp(text, "  ", 2) == 0 ? "" : "  ", (int)length, text);
    }
}

const char *text_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

size_t text_columns(const char *text)
{
    size_t columns = 0;
    for (; *text; text++)
        columns += !is_continuation(*text);
    return columns;
}

size_t text_bytes(const char *text, size_t columns)
{
    size_t bytes = 0;
    for (; text[bytes]; bytes++)
        if (!is_continuation(text[bytes]) && columns-- == 0)
            break;
    return bytes;
}

size_t text_fold(const char *text, size_t columns)
{
    size_t fits = text_bytes(text, columns), line = fits;
    if (!text[fits])
        return fits;
    if (fits == 0)
        return text_bytes(text, 1) > 0 ? text_bytes(text, 1) : 1;
    while (line > 0 && text[line] != ' ')
        line--;
    while (line > 0 && text[line - 1] == ' ')
        line--;
    return line > 0 ? line : fits;
}
