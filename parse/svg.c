/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/svg.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

const char *svg_entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

/* What comes before an id in a tag. */
static const char *const before_id[] = {" id=\"", " id='", "url(#", "href=\"#", "href='#"};

static size_t length_before_id(const char *at, const char *end)
{
    for (size_t i = 0; i < COUNT_OF(before_id); i++) {
        size_t length = strlen(before_id[i]);
        if ((size_t)(end - at) >= length && memcmp(at, before_id[i], length) == 0)
            return length;
    }
    return 0;
}

/* Text between tags is left as it is, whatever it looks like. */
static void append_renamed(struct buffer *out, const char *at, const char *end, unsigned number)
{
    bool in_tag = false;
    while (at < end) {
        size_t length = in_tag ? length_before_id(at, end) : 0;
        in_tag = *at == '<' || (in_tag && *at != '>');
        buffer_append(out, at, length ? length : 1);
        if (length)
            buffer_append_printf(out, "p%u-", number);
        at += length ? length : 1;
    }
}

static void append_text(struct buffer *out, const char *text)
{
    char *safe = text_safe(text);
    for (const char *c = safe; *c; c++) {
        const char *entity = svg_entity(*c);
        buffer_append(out, entity ? entity : c, entity ? strlen(entity) : 1);
    }
    free(safe);
}

/* Behind gnuplot's own title and description. */
static const char *skip_titles(const char *at, const char *end)
{
    static const char last[] = "</desc>";
    const char *desc = memmem(at, (size_t)(end - at), last, sizeof last - 1);
    return desc ? desc + sizeof last - 1 : at;
}

void svg_append(struct buffer *out, const char *svg, size_t size, unsigned number, const char *text)
{
    const char *end = svg + size, *open_end = memchr(svg, '>', size);
    if (!open_end)
        return;
    append_renamed(out, svg, open_end, number);
    buffer_append_printf(out, " role=\"img\" aria-labelledby=\"p%u-title\"><title id=\"p%u-title\">", number, number);
    append_text(out, text);
    buffer_append_printf(out, "</title>");
    append_renamed(out, skip_titles(open_end + 1, end), end, number);
}
