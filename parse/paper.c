/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/paper.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/terminal.h"
#include "base/text.h"
#include "parse/paper_parts.h"

/* A line is not folded narrower than this. */
#define LINE_WIDTH_MIN 10

static const char *const tones[] = {[TONE_PLAIN] = "",           [TONE_GOOD] = "\033[32m", [TONE_BAD] = "\033[31m",
                                    [TONE_WARNING] = "\033[33m", [TONE_FAINT] = "\033[2m", [TONE_STRONG] = "\033[1m"};

void paper_init(struct paper *paper, FILE *file, bool is_markdown)
{
    const char *no_colour = getenv("NO_COLOR");
    *paper = (struct paper){.file = file, .is_markdown = is_markdown};
    if (!is_markdown)
        paper->columns = terminal_columns(fileno(file));
    paper->has_colour = !is_markdown && !(no_colour && no_colour[0]) && terminal_is_capable(fileno(file));
}

static bool is_markup(char c)
{
    return strchr("\\`*_{}[]<>#|&~", c) != NULL;
}

void paper_put_text(const struct paper *paper, const char *text)
{
    char *safe = text_safe(text);
    for (const char *c = safe; *c; c++) {
        if (paper->is_markdown && is_markup(*c))
            fputc('\\', paper->file);
        fputc(*c, paper->file);
    }
    free(safe);
}

void paper_put_in_tone(const struct paper *paper, enum paper_tone tone, const char *text)
{
    bool is_coloured = paper->has_colour && tone != TONE_PLAIN && text[0];
    if (is_coloured)
        fputs(tones[tone], paper->file);
    paper_put_text(paper, text);
    if (is_coloured)
        fputs("\033[0m", paper->file);
}

/* A piece of a text. */
static void put_piece(const struct paper *paper, enum paper_tone tone, const char *text, size_t length)
{
    char *piece = memory_printf("%.*s", (int)length, text);
    paper_put_in_tone(paper, tone, piece);
    free(piece);
}

void paper_put_spaces(const struct paper *paper, size_t count)
{
    fprintf(paper->file, "%*s", (int)count, "");
}

/* The first line of a text, in bytes; all of it where lines are not folded. */
size_t paper_first_line(const struct paper *paper, const char *text, size_t columns)
{
    return paper->columns ? text_fold(text, columns) : strlen(text);
}

const char *paper_skip_blanks(const char *text)
{
    return text + strspn(text, " ");
}

/* The first line begins behind `taken` columns, those after it behind `indent`. */
void paper_put_lines(const struct paper *paper, size_t taken, size_t indent, enum paper_tone tone, const char *text)
{
    const char *rest = text;
    for (;;) {
        size_t width = paper->columns > taken + LINE_WIDTH_MIN ? paper->columns - taken : LINE_WIDTH_MIN;
        size_t line = paper_first_line(paper, rest, width);
        put_piece(paper, tone, rest, line);
        fputc('\n', paper->file);
        rest = paper_skip_blanks(rest + line);
        if (!*rest)
            return;
        paper_put_spaces(paper, indent);
        taken = indent;
    }
}

void paper_heading(const struct paper *paper, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = memory_vprintf(format, args);
    fputs(paper->is_markdown ? "\n## " : "\n", paper->file);
    paper_put_lines(paper, 0, 0, TONE_STRONG, text);
    fputs(paper->is_markdown ? "\n" : "", paper->file);
    free(text);
    va_end(args);
}

void paper_paragraph(const struct paper *paper, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = memory_vprintf(format, args);
    paper_put_lines(paper, 0, 0, TONE_PLAIN, text);
    fputs(paper->is_markdown ? "\n" : "", paper->file);
    free(text);
    va_end(args);
}

void paper_item(const struct paper *paper, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = memory_vprintf(format, args);
    fputs(paper->is_markdown ? "- " : "  ", paper->file);
    paper_put_lines(paper, 2, 4, TONE_PLAIN, text);
    free(text);
    va_end(args);
}
