/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/plot_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define DOTS "..."
#define HEAD_SHARE 0.7 /* of a text that is cut: its begin */

/* Reads the next character of safe text. */
static uint32_t next_character(const char **at)
{
    uint32_t character = 0;
    size_t size = text_read_character(*at, strnlen(*at, 4), &character);
    *at += size ? size : 1;
    return character;
}

/* A quote is joined in from a string of its own: doubled at the begin of a string gnuplot takes it for two strings. */
static void append_character(struct buffer *out, const char *bytes, size_t size)
{
    static const char quote[] = "'.\"\\047\".'";
    if (*bytes == '\'')
        buffer_append(out, quote, sizeof quote - 1);
    else
        buffer_append(out, bytes, size);
}

/* Of DejaVu Sans, which is wider than most, at 11 points. */
static double pixels_of(uint32_t character)
{
    if (character >= 0x1100)
        return 16;
    if (character >= 0x80)
        return 11;
    if (strchr("ijl.,:;'|!", (int)character))
        return 5;
    if (strchr("mwMW@%", (int)character))
        return 14.5;
    return character >= 'A' && character <= 'Z' ? 11.5 : 9.3;
}

static double width_of(uint32_t character, const struct plot_letters *letters)
{
    return !letters->is_dumb ? pixels_of(character) : character >= 0x1100 ? 2 : 1;
}

static double width_of_text(const char *safe, const struct plot_letters *letters)
{
    double width = 0;
    for (const char *at = safe; *at;)
        width += width_of(next_character(&at), letters);
    return width;
}

unsigned plot_text_width(const char *text, const struct plot_letters *letters)
{
    char *safe = text_safe(text);
    double width = width_of_text(safe, letters);
    free(safe);
    return (unsigned)ceil(width);
}

static void append_part(struct buffer *out, const char *at, const char *end, const struct plot_letters *letters)
{
    const struct font_coverage *fonts = letters->fonts;
    while (at < end) {
        const char *begin = at;
        uint32_t character = next_character(&at);
        bool is_drawable = !fonts || character < 0x80 || font_coverage_has(fonts, character);
        append_character(out, is_drawable ? begin : "?", is_drawable ? (size_t)(at - begin) : 1);
    }
}

/* The end of as many characters as fit. */
static const char *skip_width(const char *at, double width, const struct plot_letters *letters)
{
    for (const char *next = at; *next; at = next) {
        width -= width_of(next_character(&next), letters);
        if (width < 0)
            break;
    }
    return at;
}

void plot_text_append(struct buffer *out, const char *text, unsigned width, const struct plot_letters *letters)
{
    char *safe = text_safe(text);
    const char *end = safe + strlen(safe);
    double whole = width_of_text(safe, letters), room = width - width_of_text(DOTS, letters);
    buffer_append(out, "'", 1);
    if (whole <= width) {
        append_part(out, safe, end, letters);
    } else {
        append_part(out, safe, skip_width(safe, room * HEAD_SHARE, letters), letters);
        buffer_append_printf(out, DOTS);
        const char *tail = skip_width(safe, whole - room * (1 - HEAD_SHARE), letters);
        if (*tail)
            next_character(&tail); /* the one that the cut is in */
        append_part(out, tail, end, letters);
    }
    buffer_append(out, "'", 1);
    free(safe);
}

bool plot_text_is_foreign(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text >= 0x80)
            return true;
    return false;
}

void plot_text_list_missing(const char *text, const struct font_coverage *fonts, struct message_list *missing)
{
    char *safe = text_safe(text);
    for (const char *at = safe; *at;) {
        uint32_t character = next_character(&at);
        if (character < 0x80 || font_coverage_has(fonts, character))
            continue;
        char name[16];
        snprintf(name, sizeof name, "U+%04X", character);
        bool is_new = true;
        for (size_t i = 0; i < missing->count && is_new; i++)
            is_new = strcmp(missing->items[i], name) != 0;
        if (is_new)
            message_list_add(missing, "%s", name);
    }
    free(safe);
}
