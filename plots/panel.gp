# SPDX-License-Identifier: Apache-2.0
# One small plot of an overview as a picture of its own; a document puts several beside each other. heading, y_top, y_step.
# $panel: threads, mean, slowest and fastest trial; a block per deployment.
page_width = 320
page_height = 220
load plots.'/common.gp'
load plots.'/small.gp'
set lmargin at screen 52.0 / page_width
set rmargin at screen 1 - 14.0 / page_width
set tmargin at screen 1 - 26.0 / page_height
set bmargin at screen 26.0 / page_height
load plots.'/linear_axis.gp'
set title heading noenhanced font small offset 0, -0.6
plot for [i = 1:deployments] $panel index i-1 using 1:2:3:4 with yerrorbars linestyle 100+i pointtype 0, \
    for [i = 1:deployments] $panel index i-1 using 1:2 with linespoints linestyle i
set output
reset
