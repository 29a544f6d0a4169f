# SPDX-License-Identifier: Apache-2.0
# From 0 to y_top in steps of y_step, with room above for what is at the top.
set yrange [0 : y_top * 1.02]
set ytics ()
do for [i = 0:int(y_top / y_step + 0.5)] {
    set ytics add (tick(i * y_step) i * y_step)
}
