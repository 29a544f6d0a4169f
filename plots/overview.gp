# SPDX-License-Identifier: Apache-2.0
# A small plot of every test on one page. $overview: threads, mean, slowest and fastest trial; a block a deployment and
# test. tests, headings, tops and steps hold what a single plot has as heading, y_top and y_step.
across = tests < 5 ? tests : 5
down = (tests + across - 1) / across
page_width = 320 * across + 40
if (page_width < 680) { page_width = 680 }
header = 30 + 22 * ((deployments + 2) / 3)
page_height = 220 * down + header + 20
load plots.'/common.gp'
unset key
unset xlabel
small = terminal eq 'svg' ? ',11' : ',8'
set tics font small scale 0.5
set bars 0.4

do for [i = 1:deployments] {
    set style line i linewidth 1.5 pointsize 0.5
    at_x = 0.02 + 0.33 * ((i - 1) % 3)
    at_y = 1 - (18.0 + 22 * ((i - 1) / 3)) / page_height
    set object i rectangle center screen at_x, at_y size screen 12.0 / page_width, 12.0 / page_height \
        fillcolor rgb line_colours[(i - 1) % 8 + 1] fillstyle solid noborder
    set label i labels[i] at screen at_x + 14.0 / page_width, at_y left noenhanced
}
set multiplot
do for [t = 1:tests] {
    column = (t - 1) % across
    row = (t - 1) / across
    panel_width = 1.0 * (page_width - 40) / across / page_width
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
    plot for [i = 1:deployments] $overview index (t-1)*deployments+i-1 using 1:2:3:4 with yerrorlines linestyle i
    if (t == 1) { do for [i = 1:deployments] { unset object i; unset label i } }
}
unset multiplot
set output
reset
