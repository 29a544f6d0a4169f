# SPDX-License-Identifier: Apache-2.0
# Time of an operation over threads. $latency: threads, centre and the two ends of its bar, in microseconds; a block per
# deployment.
legend_entries = deployments
legend_width = label_width
load plots.'/page.gp'
tick(us) = us < 1000 ? sprintf('%g µs', us) : us < 1e6 ? sprintf('%g ms', us / 1e3) : number(us / 1e6).' s'
y_low = lowest / 1.3
y_high = highest * 1.3
load plots.'/log_axis.gp'
set ylabel 'latency of an operation'
if (is_dumb) {
    plot for [i = 1:deployments] $latency index i-1 using 1:2 with linespoints linestyle i title labels[i]
} else {
    plot for [i = 1:deployments] $latency index i-1 using ($1*dodge(i)):2:3:4 with yerrorbars linestyle 100+i pointtype 0 notitle, \
        for [i = 1:deployments] $latency index i-1 using ($1*dodge(i)):2 with linespoints linestyle i title labels[i]
}
set output
reset
