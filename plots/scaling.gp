# SPDX-License-Identifier: Apache-2.0
# Operations a second and thread for one of a single thread: 1 where twice the threads do twice the work.
# $scaling: threads, scaling; a block a deployment.
page_width = 900
page_height = 560
load plots.'/common.gp'
load plots.'/linear_axis.gp'
set title heading noenhanced
set ylabel 'ops/s for each thread, relative to 1 thread'
plot 1 with lines linestyle 1001 title 'perfect scaling', \
    for [i = 1:deployments] $scaling index i-1 using 1:2 with linespoints linestyle i title labels[i]
set output
reset
