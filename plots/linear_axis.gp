# SPDX-License-Identifier: Apache-2.0
# From 0 to y_top in steps of y_step.
set yrange [0 : y_top]
set ytics ()
do for [i = 0:int(y_top / y_step + 0.5)] {
    set ytics add (number(i * y_step) i * y_step)
}
