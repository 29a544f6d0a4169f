#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes statistics-oracle.tsv, what tests/unit/test_ranktest.c is checked against. Not run by the tests.

Needs scipy and statsmodels. Samples are drawn with a fixed seed. Where a package has the statistic its number is
taken; van Elteren's and the crossover test, which none has, are counted out over every way to hand out the labels, with
scipy.stats.rankdata for the ranks; the shift is found by asking scipy.stats.mannwhitneyu at every candidate.

A line: kind, strata (a values / b values, strata apart by ;), expected numbers; apart by TAB.
"""
import itertools
import math
import sys

import numpy
import scipy
import scipy.stats
import statsmodels
from statsmodels.stats.multitest import multipletests

random = numpy.random.default_rng(20170802)


def write(kind, strata, *numbers):
    text = ";".join("/".join(",".join(repr(float(v)) for v in side) for side in stratum) for stratum in strata)
    print(kind, text, ",".join(repr(float(n)) for n in numbers), sep="\t")


def labellings(stratum):
    """The deviation of b's rank sum from its expectation, twice, of every labelling; the real one first."""
    a, b = stratum
    ranks = scipy.stats.rankdata(list(a) + list(b))
    expected = len(b) * (len(ranks) + 1) / 2
    seen = round(2 * (sum(ranks[len(a):]) - expected))
    every = [round(2 * (sum(ranks[i] for i in chosen) - expected))
             for chosen in itertools.combinations(range(len(ranks)), len(b))]
    return seen, every


def permuted(strata, part, tails):
    """part(deviation, stratum number) summed over strata; P(sum at least as far out as what was seen)."""
    seen = sum(part(labellings(s)[0], i) for i, s in enumerate(strata))
    sums = {0: 1}
    for i, stratum in enumerate(strata):
        longer = {}
        for total, ways in sums.items():
            for deviation in labellings(stratum)[1]:
                key = total + part(deviation, i)
                longer[key] = longer.get(key, 0) + ways
        sums = longer
    far = sum(w for total, w in sums.items() if (abs(total) >= abs(seen) if tails == 2 else total >= seen))
    return far / sum(sums.values())


def van_elteren(strata):
    sizes = [len(a) + len(b) + 1 for a, b in strata]
    multiple = math.lcm(*sizes)
    return permuted(strata, lambda d, i: d * (multiple // sizes[i]), 2)


def crossover(strata):
    return max(permuted(strata, lambda d, i, sign=sign: d * d if d * sign > 0 else 0, 1) for sign in (1, -1))


def shift(a, b, confidence):
    """Median of all differences; the interval from those around which mannwhitneyu stops to reject."""
    differences = sorted(y - x for x in a for y in b)
    tiny = 1e-9
    def kept(delta):
        return scipy.stats.mannwhitneyu([y - delta for y in b], a, method="exact").pvalue > 1 - confidence
    inside = [d for d in differences if kept(d - tiny) or kept(d + tiny)]
    return numpy.median(differences), inside[0], inside[-1]


def draw(n, step=0.0):
    values = random.normal(100, 10, n)
    return list(numpy.round(values / step) * step) if step else list(values)


print("# Made by statistics-oracle.py with scipy", scipy.__version__, "numpy", numpy.__version__, "statsmodels",
      statsmodels.__version__, "Python", sys.version.split()[0])

for n in range(1, 6):
    for m in range(1, 6):
        a, b = draw(n), draw(m)
        write("mann-whitney", [(a, b)], scipy.stats.mannwhitneyu(b, a, method="exact").pvalue)
for n, m in ((8, 8), (12, 7), (20, 20), (3, 40)):
    a, b = draw(n), draw(m)
    write("mann-whitney", [(a, b)], scipy.stats.mannwhitneyu(b, a, method="exact").pvalue)
for n in range(1, 6):
    a = draw(n)
    write("mann-whitney", [(a, a)], permuted([(a, a)], lambda d, i: d, 2))
    write("mann-whitney", [([7.0] * n, [7.0] * n)], 1)
for n, m in ((2, 2), (3, 3), (3, 5), (5, 3), (4, 4), (5, 5), (6, 8)):
    for step in (5, 10, 20):
        a, b = draw(n, step), draw(m, step)
        write("mann-whitney", [(a, b)], permuted([(a, b)], lambda d, i: d, 2))
for n, m, step in ((60, 60, 0), (60, 80, 5), (100, 45, 20), (200, 200, 0), (200, 150, 10)):
    a, b = draw(n, step), [v + 3 for v in draw(m, step)]
    write("mann-whitney-normal", [(a, b)], scipy.stats.mannwhitneyu(b, a, method="asymptotic").pvalue)

for sizes in ([(3, 3)] * 8, [(3, 3)] * 2, [(2, 2)] * 8, [(1, 1)] * 8, [(3, 3), (2, 3), (3, 1)], [(5, 5)] * 4,
              [(4, 3), (3, 3), (2, 2), (4, 4)]):
    for step, move in ((0, 0), (0, 12), (5, 6), (20, 0)):
        strata = [(draw(n, step), [v + move for v in draw(m, step)]) for n, m in sizes]
        write("van-elteren", strata, van_elteren(strata))
        turned = [(b, a) if i % 2 else (a, b) for i, (a, b) in enumerate(strata)]
        write("crossover", turned, crossover(turned))
same = draw(3)
write("van-elteren", [(same, same)] * 8, 1)
write("van-elteren", [([1.0] * 3, [1.0] * 3)] * 8, 1)
write("van-elteren", [([1.0] * 3, [1.0] * 3), ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])],
      van_elteren([([1.0] * 3, [1.0] * 3), ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])]))
write("crossover", [([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])] * 4 + [([4.0, 5.0, 6.0], [1.0, 2.0, 3.0])] * 4,
      crossover([([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])] * 4 + [([4.0, 5.0, 6.0], [1.0, 2.0, 3.0])] * 4))

for n, m in ((4, 4), (5, 5), (4, 6), (8, 8), (12, 9)):
    for confidence in (0.9, 0.95):
        a, b = draw(n), [v + 5 for v in draw(m)]
        write("shift", [(a, b), ([confidence], [confidence])], *shift(a, b, confidence))

for n in (1, 2, 5, 75):
    p = list(random.uniform(0, 0.2, n) ** 2)
    write("holm", [(p, [0.0])], *multipletests(p, method="holm")[1])
write("holm", [([0.01, 0.01, 0.04, 1.0], [0.0])], *multipletests([0.01, 0.01, 0.04, 1.0], method="holm")[1])
for n in (1, 2, 7):
    values = list(random.lognormal(0, 1, n))
    write("geometric-mean", [(values, [0.0])], scipy.stats.gmean(values))
