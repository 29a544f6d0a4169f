# SPDX-License-Identifier: Apache-2.0
# Time of an operation over threads. $latency: threads, centre and the two ends of its bar; a block a deployment.
page_width = 900
page_height = 560
load plots.'/common.gp'
y_low = lowest / 1.3
y_high = highest * 1.3
load plots.'/log_axis.gp'
set title heading noenhanced
set ylabel latency_label
if (is_dumb) {
    plot for [i = 1:deployments] $latency index i-1 using 1:2 with linespoints linestyle i title labels[i]
} else {
    plot for [i = 1:deployments] $latency index i-1 using ($1*dodge(i)):2:3:4 with yerrorbars linestyle i linewidth 1 notitle, \
        for [i = 1:deployments] $latency index i-1 using ($1*dodge(i)):2 with linespoints linestyle i title labels[i]
}
set output
reset
