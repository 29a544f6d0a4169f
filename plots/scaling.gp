# SPDX-License-Identifier: Apache-2.0
# Operations per second and thread for one of a single thread: 1 where twice the threads do twice the work.
# $scaling: threads, scaling, and those of the slowest and fastest trial; a block per deployment.
perfect = 'perfect scaling'
legend_entries = deployments + 1
perfect_width = strlen(perfect) * (terminal eq 'dumb' ? 1 : 8)
legend_width = label_width > perfect_width ? label_width : perfect_width
load plots.'/page.gp'
load plots.'/linear_axis.gp'
set ylabel 'ops/s for each thread, relative to 1 thread'
if (is_dumb) {
    plot 1 with lines linestyle 1001 title perfect, \
        for [i = 1:deployments] $scaling index i-1 using 1:2 with linespoints linestyle i title labels[i]
} else {
    plot 1 with lines linestyle 1001 title perfect, \
        for [i = 1:deployments] $scaling index i-1 using ($1*dodge(i)):2:3:4 with yerrorbars linestyle 100+i pointtype 0 notitle, \
        for [i = 1:deployments] $scaling index i-1 using ($1*dodge(i)):2 with linespoints linestyle i title labels[i]
}
set output
reset
