# SPDX-License-Identifier: Apache-2.0
# The legend alone, narrow enough for a small screen.
page_width = 400
load plots.'/legend_size.gp'
page_height = 14 + 22 * legend_rows
load plots.'/common.gp'
load plots.'/small.gp'
load plots.'/legend_grid.gp'
unset border
unset tics
unset grid
unset logscale
set margins 0, 0, 0, 0
plot [0:1] [0:1] NaN notitle
set output
reset
