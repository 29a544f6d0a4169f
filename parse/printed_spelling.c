/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/printed_spelling.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "base/array.h"

#define UNKNOWN '\x02'
#define BLANKS_AND_MARKS " \t\r\n*_`"

/* What typographers write, and what it is spelled here. */
static const struct {
    const char *lead; /* all bytes of the UTF-8 character but the last, which lies between first and last */
    unsigned char first, last;
    char to;
} spellings[] = {
    {"\xc2", 0xa0, 0xa0, ' '},      /* no-break space */
    {"\xe2\x80", 0x80, 0x8b, ' '},  /* spaces of all widths, also none */
    {"\xe2\x80", 0xaf, 0xaf, ' '},  /* narrow no-break space */
    {"\xe2\x81", 0x9f, 0xa0, ' '},  /* mathematical space, word joiner */
    {"\xe3\x80", 0x80, 0x80, ' '},  /* ideographic space */
    {"\xef\xbb", 0xbf, 0xbf, ' '},  /* byte order mark */
    {"\xc2", 0xad, 0xad, '-'},      /* soft hyphen */
    {"\xe2\x80", 0x90, 0x95, '-'},  /* hyphens and dashes */
    {"\xe2\x88", 0x92, 0x92, '-'},  /* minus */
    {"\xef\xb9", 0xa3, 0xa3, '-'},  /* small minus */
    {"\xef\xbc", 0x8d, 0x8d, '-'},  /* full-width minus */
    {"\xc3", 0x97, 0x97, 'x'},      /* times */
    {"\xc2", 0xb5, 0xb5, 'u'},      /* micro */
    {"\xce", 0xbc, 0xbc, 'u'},      /* Greek mu */
    {"\xe2\x80", 0x99, 0x99, '\''}, /* apostrophe */
    {"\xc2", 0xa7, 0xa7, '*'},      /* section */
    {"\xc2", 0xb6, 0xb6, '*'},      /* paragraph */
    {"\xe2\x80", 0xa0, 0xa1, '*'},  /* daggers */
    {"\xc2", 0xaa, 0xaa, '^'},      /* superscripts */
    {"\xc2", 0xb2, 0xb3, '^'},      {"\xc2", 0xb9, 0xba, '^'},
    {"\xe2\x81", 0xb0, 0xb9, '^'},  {"\xc2", 0xb1, 0xb1, PRINTED_PLUS_MINUS},
};

/* The character at `text` in `*to`; returns its length. */
static size_t spell(const char *text, char *to)
{
    for (size_t i = 0; i < COUNT_OF(spellings); i++) {
        size_t length = strlen(spellings[i].lead);
        unsigned char last = 0;
        if (strncmp(text, spellings[i].lead, length) == 0)
            last = (unsigned char)text[length];
        if (last >= spellings[i].first && last <= spellings[i].last) {
            *to = spellings[i].to;
            return length + 1;
        }
    }
    *to = (*text & 0x80) || (*text > 0 && *text < ' ' && !isspace((unsigned char)*text)) ? UNKNOWN : *text;
    return 1;
}

bool printed_spell_out(const char *text, char plain[PRINTED_TEXT_SIZE])
{
    size_t length = 0;
    while (*text && length + 1 < PRINTED_TEXT_SIZE)
        text += spell(text, &plain[length++]);
    plain[length] = '\0';
    return *text == '\0';
}

/* 10 with a superscript is a power. */
static bool ends_in_ten(const char *text, const char *end)
{
    return end - text >= 2 && end[-1] == '0' && end[-2] == '1' && (end - text == 2 || !isdigit((unsigned char)end[-3]));
}

/* "[1]" at the end; returns where it begins, or `end`. */
static char *before_reference(char *text, char *end)
{
    if (end == text || end[-1] != ']')
        return end;
    char *open = end - 1;
    while (open > text && *open != '[')
        open--;
    return *open == '[' && end - open <= 5 ? open : end;
}

/* "(noise)" at the end, a word about the number without digits; returns where it begins, or `end`. */
static char *before_comment(char *text, char *end)
{
    if (end == text || end[-1] != ')')
        return end;
    char *open = end - 1;
    while (open > text && *open != '(' && !isdigit((unsigned char)*open))
        open--;
    return *open == '(' && open > text ? open : end;
}

/* Where the last of these things in front of `end` begins; `end` when there is none. */
static char *before_ending(char *text, char *end)
{
    while (end > text && strchr(BLANKS_AND_MARKS, end[-1]))
        end--;
    char *mark = end;
    while (mark > text && mark[-1] == '^')
        mark--;
    return before_comment(text, before_reference(text, ends_in_ten(text, mark) ? end : mark));
}

char *printed_strip(char *text)
{
    char *end = text + strlen(text), *next;
    while ((next = before_ending(text, end)) < end)
        end = next;
    *end = '\0';
    return text + strspn(text, BLANKS_AND_MARKS);
}
