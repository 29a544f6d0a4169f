# SPDX-License-Identifier: Apache-2.0
# What all plots have in common. A script sets before: terminal, output, plots, rungs, first_rung, last_rung,
# deployments, labels, and for a dumb terminal term_columns, term_lines, colour. A body sets page_width, page_height.

# Nothing on a page is interpreted as markup.
is_dumb = terminal eq 'dumb'
if (terminal eq 'png') {
    if (strstrt(GPVAL_TERMINALS, ' pngcairo ')) {
        set terminal pngcairo noenhanced size page_width, page_height font 'sans,11' background '#ffffff'
    } else {
        set terminal png noenhanced size page_width, page_height background '#ffffff'
    }
}
if (terminal eq 'svg') {
    set terminal svg noenhanced size page_width, page_height font 'sans-serif,14' background '#ffffff'
}
if (terminal eq 'pdf') {
    set terminal pdfcairo noenhanced size page_width / 100.0, page_height / 100.0 font 'sans,12' background '#ffffff'
}
if (is_dumb) {
    if (colour) {
        set terminal dumb noenhanced size term_columns, term_lines ansi
    } else {
        set terminal dumb noenhanced size term_columns, term_lines mono
    }
}
if (output eq '') { set output } else { set output output }

# Whole numbers with their thousands separated, whatever the locale; others as short as they can be.
group(x) = x < 1000 ? sprintf('%d', x) : group(x / 1000) . sprintf(',%03d', x % 1000)
number(x) = x == floor(x) && x < 1e15 ? group(int(x)) : sprintf('%g', x)

# Colours that people with colour blindness can tell apart (Okabe and Ito), each with a form of its own.
array line_colours[8] = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000', '#8c6d31']
array line_forms[8] = [7, 5, 9, 13, 11, 6, 4, 8]
do for [i = 1:deployments] {
    k = (i - 1) % 8 + 1
    set style line i linecolor rgb line_colours[k] linewidth 2 pointtype (is_dumb ? i : line_forms[k]) pointsize 0.9
}
set style line 1000 linecolor rgb '#d8d8d8' linewidth 1
set style line 1001 linecolor rgb '#505050' linewidth 1.5 dashtype 2
# Of several deployments each stands a little beside the rung, so that their bars do not hide each other.
dodge_step = deployments > 7 ? 0.36 / deployments : 0.05
dodge(i) = 2 ** (dodge_step * (i - (deployments + 1) / 2.0))
set bars 0.5
set border 3
set tics nomirror
if (!is_dumb) { set grid linestyle 1000 }

# Threads: a doubling is a step, and the ends of the data are the ends of the axis.
set logscale x 2
set xrange [first_rung / 1.19 : last_rung * 1.19]
set xtics ()
do for [i = 1:words(rungs)] {
    set xtics add (group(int(word(rungs, i))) int(word(rungs, i)))
}
set xlabel 'threads (concurrent connections)'

# Above the plot, where it never covers a line.
set key outside top center horizontal noenhanced reverse Left samplen 2
