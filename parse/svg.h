/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_SVG_H
#define PARSE_SVG_H

#include "base/buffer.h"

/* An <svg> element as gnuplot writes it, on its way into an HTML document. */

/* Appends it as the document's `number`-th picture: all its ids, and what refers to them, begin with "p<number>-"; its
 * title is `text`, and a screen reader says that instead of what is inside. */
void svg_append(struct buffer *out, const char *svg, size_t size, unsigned number, const char *text);

/* "&lt;" for '<' and so on; NULL for a character that is itself in HTML and XML. */
const char *svg_entity(char c);

#endif
