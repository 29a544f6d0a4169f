#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes statistics-oracle.tsv, what tests/unit/test_ranktest.c and test_runtest.c are checked against. Not run by the
tests.

Needs scipy and statsmodels. Samples are drawn with a fixed seed. Where a package has the statistic its number is
taken; van Elteren's and the crossover test, which none has, are counted out over every way to hand out the labels, with
scipy.stats.rankdata for the ranks; the shift is found by asking scipy.stats.mannwhitneyu at every candidate. Tests of
whole runs are counted out over every labelling; the interval of a shift by asking the permutation test at candidates.

A line: kind, strata (a values / b values, strata apart by ;), expected numbers; apart by TAB.
"""
import itertools
import math
import sys

import numpy
import scipy
import scipy.optimize
import scipy.special
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


def prior_of(variances, degrees):
    """Smyth 2004, 6.2; the inverse of trigamma by scipy.optimize."""
    half = numpy.array(degrees) / 2
    logs = (numpy.log(numpy.maximum(variances, 1e-5 * numpy.median(variances))) - scipy.special.digamma(half) +
            numpy.log(half))
    rest = numpy.var(logs, ddof=1) - numpy.mean(scipy.special.polygamma(1, half))
    if rest <= 0:
        return numpy.exp(numpy.mean(logs)), math.inf
    prior = 2 * scipy.optimize.brentq(lambda x: scipy.special.polygamma(1, x) - rest, 1e-6, 1e9, xtol=1e-14)
    return numpy.exp(numpy.mean(logs) + scipy.special.digamma(prior / 2) - numpy.log(prior / 2)), prior


def fit_p(strata, prior_variance, prior_degrees, all_degrees):
    """base/strata_fit.h, written from its description."""
    count = len(strata)
    difference = numpy.array([numpy.mean(b) - numpy.mean(a) for a, b in strata])
    degrees = numpy.array([len(a) + len(b) - 2 for a, b in strata])
    squares = numpy.array([numpy.var(a) * len(a) + numpy.var(b) * len(b) for a, b in strata])
    own = squares / degrees
    shrunk = own * 0 + prior_variance if math.isinf(prior_degrees) else \
        (prior_degrees * prior_variance + squares) / (prior_degrees + degrees)
    used = numpy.maximum(numpy.maximum(shrunk, own), squares.sum() / degrees.sum())
    variance = used * [1 / len(a) + 1 / len(b) for a, b in strata]
    p = []
    for i in range(count):
        others = numpy.delete(numpy.arange(count), i)
        weights = 1 / variance[others]
        t = (difference[i] - numpy.average(difference[others], weights=weights)) / math.sqrt(variance[i] + 1 / weights.sum())
        p.append(2 * scipy.stats.t.sf(abs(t), min(degrees[i] + prior_degrees, all_degrees)))
    return min(1, count * min(p))


def t_of(values, is_b, floor):
    """values: run by column."""
    a, b = values[~is_b], values[is_b]
    within = (a.var(axis=0) * len(a) + b.var(axis=0) * len(b)) / (len(values) - 2)
    return (b.mean(axis=0) - a.mean(axis=0)) / numpy.sqrt((within + floor) * (1 / len(a) + 1 / len(b)))


def step_down(seen, every):
    """Adjusted p, Westfall and Young's maxT."""
    adjusted = []
    for i, value in enumerate(seen):
        rest = [k for k, other in enumerate(seen) if other <= value]
        adjusted.append((numpy.max(every[:, rest], axis=1) >= value - 1e-9).mean())
    order = numpy.argsort(-numpy.array(seen))
    result = numpy.empty(len(seen))
    result[order] = numpy.maximum.accumulate(numpy.array(adjusted)[order])
    return result


def run_interval(values, is_b, rows, confidence):
    """The shifts that neither one-sided test of the difference of the means rejects, by asking between candidates."""
    allowed = (1 - confidence) / 2 * (1 + 1e-12)
    def p(shift, sign):
        moved = values - shift * is_b
        means = [sign * (moved[row].mean() - moved[~row].mean()) for row in rows]
        return numpy.mean(numpy.array(means) >= means[0] - 1e-9)
    ends = sorted(set((values[is_b & ~row].sum() - values[~is_b & row].sum()) / (is_b & ~row).sum()
                      for row in rows if (is_b & ~row).any()))
    probes = [ends[0] - 1] + [(x + y) / 2 for x, y in zip(ends, ends[1:])] + [ends[-1] + 1]
    low = next((e for e, probe in zip(ends, probes[1:]) if p(probe, 1) > allowed), ends[0])
    high = next((e for e, probe in zip(ends[::-1], probes[-2::-1]) if p(probe, -1) > allowed), ends[-1])
    return low, high


def run_test(strata, groups):
    """strata: the cells, an a and a b value per run; groups: how many cells each group has."""
    a_count, runs = len(strata[0][0]), len(strata[0][0]) + len(strata[0][1])
    values = numpy.array([list(a) + list(b) for a, b in strata]).T
    values = values - values.mean(axis=0)
    is_b = numpy.arange(runs) >= a_count
    rows = [is_b] + [row for chosen in itertools.combinations(range(runs), runs - a_count)
                     if not ((row := numpy.isin(numpy.arange(runs), chosen)) == is_b).all()]
    parts = numpy.split(numpy.arange(len(strata)), numpy.cumsum(groups)[:-1])
    levels = numpy.array([values[:, part].mean(axis=1) for part in parts]).T
    contrasts = numpy.concatenate([values[:, part] - levels[:, [g]] for g, part in enumerate(parts)], axis=1)
    several = numpy.concatenate([part for part in parts if len(part) > 1]) # a single cell has no contrast
    floors = [numpy.median(sheet.var(axis=0, ddof=1)) for sheet in (levels, values, contrasts[:, several])]
    level = numpy.array([t_of(levels, row, floors[0]) for row in rows])
    cell = numpy.array([t_of(values, row, floors[1]) for row in rows])
    off = numpy.array([t_of(contrasts, row, floors[2]) for row in rows])
    up = numpy.array([cell[:, part].max(axis=1) for part in parts]).T
    down = numpy.array([(-cell[:, part]).max(axis=1) for part in parts]).T
    fits = numpy.array([abs(off[:, part]).max(axis=1) for part in parts]).T
    family = numpy.concatenate([abs(level), numpy.minimum(up, down)], axis=1)
    def alone(statistics):
        return (statistics >= statistics[0] - 1e-9).mean(axis=0)
    count, adjusted = len(groups), step_down(family[0], family)
    fit_adjusted, cell_adjusted = step_down(fits[0], fits), step_down(abs(cell)[0], abs(cell))
    numbers = []
    for g in range(count):
        numbers += [alone(abs(level))[g], adjusted[g], max(alone(up)[g], alone(down)[g]), adjusted[count + g],
                    alone(fits)[g], fit_adjusted[g], *run_interval(levels[:, g], is_b, rows, 0.95)]
    for c in range(len(strata)):
        numbers += [alone(abs(cell))[c], cell_adjusted[c], *run_interval(values[:, c], is_b, rows, 0.95)]
    return numbers


for t, degrees in ((0, 3), (0.5, 4), (2, 5.5), (15, 4), (4.5, 32), (5.7, 1e6), (40, 2.5), (1, 0.3), (1e-9, 3),
                   (30, 44.7), (1.5, 2000)):
    write("student", [([t], [degrees])], 2 * scipy.stats.t.sf(t, degrees))
for count, spread in ((1, 0), (2, 0), (8, 0), (8, 1), (8, 3), (600, 0), (600, 0.3), (600, 2)):
    degrees = random.choice([2, 4, 7], count)
    variances = numpy.exp(spread * random.normal(0, 1, count)) * random.chisquare(degrees) / degrees * 1e-3
    if count > 1:
        write("variance-prior", [(variances, degrees)], *prior_of(variances, degrees))
write("variance-prior", [([0.0, 1e-3, 2e-3, 1e-3], [4.0] * 4)], *prior_of([0.0, 1e-3, 2e-3, 1e-3], [4] * 4))
for sizes, odd in (([(3, 3)] * 8, 0.2), ([(3, 3)] * 8, 0), ([(3, 3)] * 2, 0.1), ([(2, 4), (5, 3), (2, 2)], 0.1),
                   ([(10, 10)] * 4, 0.02)):
    strata = [(list(random.normal(i, 0.03 * (1 + i % 3), n)), list(random.normal(i + (odd if i == 1 else 0), 0.03, m)))
              for i, (n, m) in enumerate(sizes)]
    for prior in ((1e-3, math.inf), (1e-3, 2.5), (1e-8, 50)):
        write("strata-fit", [*strata, ([prior[0], 1000], [prior[1]])], fit_p(strata, *prior, 1000))
for a_count, b_count, groups, move in ((4, 4, [2, 3], 0.2), (5, 5, [1, 2, 2], 0), (5, 5, [4], 0.1), (3, 4, [2, 2], 0.3),
                                       (2, 5, [3], 0.5), (3, 3, [2], 1), (5, 4, [3, 1], -0.1)):
    lucky = random.normal(0, 0.05, a_count + b_count)
    strata = [(list(random.normal(c, 0.03, a_count) + lucky[:a_count]),
               list(random.normal(c + (move if c % 2 == 0 else -move / 2), 0.03, b_count) + lucky[a_count:]))
              for c in range(sum(groups))]
    write("runtest", [*strata, (groups, [0.0])], *run_test(strata, groups))
