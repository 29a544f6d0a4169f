# SPDX-License-Identifier: Apache-2.0
# The page of one plot. A body sets before: legend_entries, legend_width (of the longest entry).
legend_columns = terminal eq 'dumb' ? (plot_width - 4) / (legend_width + 8) : (plot_width - 40) / (legend_width + 52)
if (legend_columns > legend_entries) { legend_columns = legend_entries }
if (legend_columns < 1) { legend_columns = 1 }
legend_rows = (legend_entries + legend_columns - 1) / legend_columns
page_width = plot_width
# Without a wish the plot itself has the same height whatever is around it.
page_height = plot_height ? plot_height : 500 + 18 * legend_rows + 13 * caption_lines
load plots.'/common.gp'
set bmargin 3.6 + caption_height * caption_lines
# Above the plot, where it never covers a line.
set key outside top center horizontal noenhanced reverse Left samplen 3 maxcols legend_columns
set title heading noenhanced
