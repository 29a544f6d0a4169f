# SPDX-License-Identifier: Apache-2.0
# What small plots have otherwise than others: after common.gp.
# There is no room for long numbers; y_top is the largest of an axis.
tick(x) = x == 0 || y_top < 1e4 ? number(x) : x >= 1e12 ? sprintf('%g', x) : \
    x >= 1e9 ? sprintf('%gG', x / 1e9) : \
    x >= 1e6 ? sprintf('%gM', x / 1e6) : sprintf('%gk', x / 1e3)
unset key
unset xlabel
set tics font small scale 0.5
set bars 0.4
do for [i = 1:deployments] { set style line i linewidth 1.5 pointsize 0.5 }
