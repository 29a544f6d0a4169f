# SPDX-License-Identifier: Apache-2.0
# A legend of page_width at the top of a page, as a grid: a sample of each line with its form, and its label.
# legend_columns and legend_rows are set by legend_size.gp.
do for [i = 1:deployments] {
    at_x = (20.0 + (page_width - 40.0) / legend_columns * ((i - 1) % legend_columns)) / page_width
    at_y = 1 - (18.0 + 22 * ((i - 1) / legend_columns)) / page_height
    set arrow i from screen at_x, at_y to screen at_x + 32.0 / page_width, at_y nohead linestyle i
    set label i '' at screen at_x + 16.0 / page_width, at_y point linestyle i
    set label 1000 + i labels[i] at screen at_x + 40.0 / page_width, at_y left noenhanced
}
