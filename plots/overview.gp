# SPDX-License-Identifier: Apache-2.0
# A small plot of every test on one page. $overview: threads, mean, slowest and fastest trial; a block per deployment and
# test. tests, headings, tops and steps hold what a single plot has as heading, y_top and y_step.
across = tests < 5 ? tests : 5
down = (tests + across - 1) / across
page_width = 320 * across + 40
if (page_width < 680) { page_width = 680 }
load plots.'/legend_size.gp'
header = 20 + 22 * legend_rows
footer = 20 + 15 * caption_lines
page_height = 220 * down + header + footer
load plots.'/common.gp'
load plots.'/small.gp'
load plots.'/legend_grid.gp'
set multiplot
do for [t = 1:tests] {
    column = (t - 1) % across
    row = (t - 1) / across
    panel_width = 320.0 / page_width
    panel_left = 20.0 / page_width + column * panel_width
    panel_top = 1 - (header + 220.0 * row) / page_height
    set lmargin at screen panel_left + 52.0 / page_width
    set rmargin at screen panel_left + panel_width - 14.0 / page_width
    set tmargin at screen panel_top - 26.0 / page_height
    set bmargin at screen panel_top - 194.0 / page_height
    y_top = tops[t]
    y_step = steps[t]
    load plots.'/linear_axis.gp'
    set title headings[t] noenhanced font small offset 0, -0.6
    plot for [i = 1:deployments] $overview index (t-1)*deployments+i-1 using 1:2:3:4 with yerrorbars linestyle 100+i pointtype 0, \
        for [i = 1:deployments] $overview index (t-1)*deployments+i-1 using 1:2 with linespoints linestyle i
    if (t == 1) { unset arrow; unset label }
}
unset multiplot
set output
reset
