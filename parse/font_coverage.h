/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_FONT_COVERAGE_H
#define PARSE_FONT_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Which characters the fonts of this machine have. gnuplot's Cairo terminals draw one that no font has some twenty
 * times too large, over the whole picture.
 */
struct font_range {
    uint32_t first, last;
};

struct font_coverage {
    struct font_range *ranges;
    size_t count;
};

/* Asks fc-list, which is where Pango is. Without it only what every font for text has counts: Latin, Greek, Cyrillic
 * and punctuation. */
void font_coverage_init(struct font_coverage *coverage);
void font_coverage_release(struct font_coverage *coverage);
bool font_coverage_has(const struct font_coverage *coverage, uint32_t character);

/* From what `fc-list : fontformat charset` prints, lines of ":charset=20-7e a0 ...:fontformat=TrueType". Fonts that
 * Pango cannot draw (bitmaps, Type 1) are left out. */
void font_coverage_read(struct font_coverage *coverage, FILE *list);

#endif
