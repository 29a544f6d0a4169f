# SPDX-License-Identifier: Apache-2.0
# What all plots have in common. A script sets before: terminal, output, plots, rungs, first_rung, last_rung,
# deployments, labels, label_width, captions, caption_lines, plot_width, plot_height, colour. A body sets page_width and
# page_height. Widths and heights are pixels, of a dumb terminal characters.

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
        set terminal dumb noenhanced size page_width, page_height ansi
    } else {
        set terminal dumb noenhanced size page_width, page_height mono
    }
}
if (output eq '') { set output } else { set output output }
small = terminal eq 'svg' ? ',11' : ',8'

# Whole numbers with their thousands separated, whatever the locale; others as short as they can be.
group(x) = x < 1000 ? sprintf('%d', x) : group(x / 1000) . sprintf(',%03d', x % 1000)
number(x) = x == floor(x) && x < 1e15 ? group(int(x)) : sprintf('%g', x)
# What an axis writes at x; a body that wants another text defines it anew.
tick(x) = number(x)

# Colours that people with colour blindness can tell apart (Okabe and Ito), each with a form of its own. After eight the
# colours come again with another dash and form: 24 lines differ.
array line_colours[8] = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000', '#8c6d31']
array line_forms[24] = [7, 5, 9, 13, 11, 6, 4, 8, 12, 10, 6, 4, 8, 7, 5, 9, 1, 2, 3, 14, 15, 1, 2, 3]
array line_dashes[3] = [1, 2, 3]
set dashtype 2 (9, 5)
set dashtype 3 (2, 4)
do for [i = 1:deployments] {
    k = (i - 1) % 24
    set style line i linecolor rgb line_colours[k % 8 + 1] linewidth 2 dashtype line_dashes[k / 8 + 1] \
        pointtype (is_dumb ? i : line_forms[k + 1]) pointsize 0.9
    # Bars are solid, whatever the line.
    set style line 100 + i linecolor rgb line_colours[k % 8 + 1] linewidth 1
}
set style line 1000 linecolor rgb '#d8d8d8' linewidth 1
set style line 1001 linecolor rgb '#505050' linewidth 1.5 dashtype 2
# Of several deployments each is a little beside the rung, so that their bars do not hide each other.
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

# Below all: what the page shows, so that it can stand alone.
caption_height = is_dumb ? 1.0 : terminal eq 'svg' ? 0.85 : 0.8
do for [i = 1:caption_lines] {
    set label 3000 + i captions[i] at character 1, character 0.6 + caption_height * (caption_lines - i) left noenhanced \
        font small textcolor rgb '#505050'
}
