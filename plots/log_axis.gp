# SPDX-License-Identifier: Apache-2.0
# From y_low to y_high, both above 0, on a logarithmic axis with numbers that people count in.
set logscale y
set yrange [y_low : y_high]
set ytics ()
set mytics 1
span = y_high / y_low
if (span < 6) {
    log_step = span < 1.4 ? 0.05 : span < 2 ? 0.1 : span < 3.5 ? 0.25 : 0.5
    log_step = log_step * 10 ** floor(log10(y_low * 1.000001) + (y_low < 1 ? 1 : 0))
    do for [i = int(ceil(y_low / log_step)) : int(floor(y_high / log_step))] {
        set ytics add (tick(i * log_step) i * log_step)
    }
} else {
    do for [decade = int(floor(log10(y_low))) : int(ceil(log10(y_high)))] {
        do for [factor in (span > 2000 ? '1' : '1 2 5')] {
            log_at = factor * 10.0 ** decade
            if (log_at >= y_low && log_at <= y_high) { set ytics add (tick(log_at) log_at) }
        }
    }
}
