# SPDX-License-Identifier: Apache-2.0
# Operations per second of each later deployment for one of the first. $ratio: threads, ratio and the two ends of its
# interval; a block per deployment, the first one empty.
equal = 'as fast as '
legend_entries = deployments
legend_width = label_width + strlen(equal) * (terminal eq 'dumb' ? 1 : 8)
load plots.'/page.gp'
y_low = (lowest < 1 ? lowest : 1) / 1.1
y_high = (highest > 1 ? highest : 1) * 1.1
load plots.'/log_axis.gp'
set ylabel 'ratio of operations per second'
if (is_dumb) {
    plot 1 with lines linestyle 1001 title equal.labels[1], \
        for [i = 2:deployments] $ratio index i-1 using 1:2 with linespoints linestyle i title labels[i]
} else {
    plot 1 with lines linestyle 1001 title equal.labels[1], \
        for [i = 2:deployments] $ratio index i-1 using ($1*dodge(i)):2:3:4 with yerrorbars linestyle 100+i pointtype 0 notitle, \
        for [i = 2:deployments] $ratio index i-1 using ($1*dodge(i)):2 with linespoints linestyle i title labels[i]
}
set output
reset
