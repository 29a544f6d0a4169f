# SPDX-License-Identifier: Apache-2.0
# Operations a second of the second deployment for one of the first. $ratio: threads, ratio.
page_width = 900
page_height = 560
load plots.'/common.gp'
y_low = (lowest < 1 ? lowest : 1) / 1.1
y_high = (highest > 1 ? highest : 1) * 1.1
load plots.'/log_axis.gp'
set title heading noenhanced
set ylabel 'ratio of operations per second'
plot 1 with lines linestyle 1001 title 'equal', \
    $ratio index 0 using 1:2 with linespoints linestyle 2 title labels[2].' / '.labels[1]
set output
reset
