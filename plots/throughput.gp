# SPDX-License-Identifier: Apache-2.0
# Operations per second over threads. $throughput: threads, mean, slowest and fastest trial; a block per deployment.
legend_entries = deployments
legend_width = label_width
load plots.'/page.gp'
load plots.'/linear_axis.gp'
set ylabel 'operations per second'
if (is_dumb) {
    plot for [i = 1:deployments] $throughput index i-1 using 1:2 with linespoints linestyle i title labels[i]
} else {
    plot for [i = 1:deployments] $throughput index i-1 using ($1*dodge(i)):2:3:4 with yerrorbars linestyle 100+i pointtype 0 notitle, \
        for [i = 1:deployments] $throughput index i-1 using ($1*dodge(i)):2 with linespoints linestyle i title labels[i]
}
set output
reset
