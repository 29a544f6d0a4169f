/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PLOT_CAPTION_H
#define PARSE_PLOT_CAPTION_H

#include "parse/plot_point.h"

/*
 * What a plot must say to be understood without the report that it is of: what its points and bars are, of how many
 * trials and runs, when they were made, and with which versions.
 */

/* Adds its sentences, each as one item, for a plot of `kind` of these rows. */
void plot_caption_make(const struct report_data *data, const struct pairing_row *const *rows, size_t row_count,
                       enum plot_kind kind, struct message_list *sentences);

/* Folds texts into lines of at most `columns` characters, each beginning on a line of its own; a word that is longer is
 * cut. */
void plot_caption_fold(const struct message_list *sentences, size_t columns, struct message_list *lines);

#endif
