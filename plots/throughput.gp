# SPDX-License-Identifier: Apache-2.0
# Operations a second over threads. $throughput: threads, mean, slowest and fastest trial; a block a deployment.
page_width = 900
page_height = 560
load plots.'/common.gp'
load plots.'/linear_axis.gp'
set title heading noenhanced
set ylabel 'operations per second'
if (is_dumb) {
    plot for [i = 1:deployments] $throughput index i-1 using 1:2 with linespoints linestyle i title labels[i]
} else {
    plot for [i = 1:deployments] $throughput index i-1 using ($1*dodge(i)):2:3:4 with yerrorbars linestyle i linewidth 1 notitle, \
        for [i = 1:deployments] $throughput index i-1 using ($1*dodge(i)):2 with linespoints linestyle i title labels[i]
}
set output
reset
