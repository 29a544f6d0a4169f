# SPDX-License-Identifier: Apache-2.0
# The legend alone.
page_width = 640
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
