"""Exact tests of paired differences: all choices of signs, the sign test, Wilcoxon's signed rank test."""

from __future__ import annotations

import bisect
import math
import sys
from collections.abc import Sequence
from itertools import groupby, repeat
from typing import Any

from sqlrank.errors import UsageError
from sqlrank.spelling import spelt


def share_as_far(differences: Sequence[int], slack: int | None = None, side: int = 0) -> float:
    """The share of all choices of signs whose sum is as far from 0 as that of the differences as they are.

    The sums of either half are listed, and those of one looked up among those of the other. Sums that differ by at most
    `slack`, for what was rounded, are as far: by default one for each difference. With `side` 1 or -1 only those above,
    or below, count.
    """
    slack = len(differences) if slack is None else slack
    if side:
        return share_from([side * value for value in differences], side * sum(differences) - slack)
    least = abs(sum(differences)) - slack
    # All signs changed, a sum is as far on the other side.
    return 2 * share_from(differences, least) if least > 0 else 1.0


def share_from(differences: Sequence[int], least: int) -> float:
    """The share of all choices of signs whose sum is at least this one."""
    half, choices = len(differences) // 2, 1 << len(differences)
    left, right = sums_of(differences[:half]), sums_of(differences[half:])
    below = sum(map(bisect.bisect_left, repeat(right), [least - sum_of_left for sum_of_left in left]))
    return (choices - below) / choices


def ends_of_signs(units: Sequence[tuple[int, int]], alpha: float) -> tuple[float, float] | tuple[None, None]:
    """The least and the largest mean that taken off all units leaves a sum that is not significant at alpha.

    Each unit is the sum of its weighted differences and its weight, which is above 0. With a mean m taken off, a choice
    of signs is as far from 0 as the sums are where m is not below the smaller of two means: of the units that keep, and
    of those that change their sign (J. A. Hartigan, Using subsample values as typical values, Journal of the American
    Statistical Association 64, 1969). None twice where no choice of signs is as rare as alpha.
    """
    whole, weight = sum(total for total, _ in units), sum(each for _, each in units)
    sums = [(0, 0)]
    for total, each in units[1:]:  # the first keeps its sign: the other choices are the same two sets, exchanged
        sums += [(flipped + total, heavy + each) for flipped, heavy in sums]
    changed = [flipped / heavy for flipped, heavy in sums[1:]]
    kept = [(whole - flipped) / (weight - heavy) for flipped, heavy in sums[1:]]
    smaller, larger = [-math.inf, *map(min, changed, kept)], [math.inf, *map(max, changed, kept)]
    place = math.floor(alpha * len(sums))
    low, high = sorted(smaller)[place], sorted(larger)[-1 - place]
    return (None, None) if math.isinf(low) or math.isinf(high) else (low, high)


def sums_of(values: Sequence[int]) -> list[int]:
    """The sums under all choices of signs, in order."""
    sums = [0]
    for value in map(abs, values):
        sums = sorted([total - value for total in sums] + [total + value for total in sums])
    return sums


WHOLE = 1000
"""Up to how many trials the largest term of a binomial tail is divided from whole numbers."""
FEW = 15
"""Below this many successes the expansion of the factorial is not exact."""


def sign_test(wins: int, losses: int) -> float:
    """The two-sided probability of a split at least as uneven as this one, ties left out; 1 if nothing was compared."""
    trials, fewer = wins + losses, min(wins, losses)
    if 2 * fewer == trials:
        return 1.0
    return min(1.0, 2 * tail(fewer, trials))


def one_sided_split(wins: int, losses: int) -> float:
    """The probability of as many wins as these, or more, ties left out."""
    trials = wins + losses
    if losses < wins:
        return tail(losses, trials)
    return 1 - tail(wins - 1, trials) if wins else 1.0


def tail(most: int, trials: int) -> float:
    """The probability of at most so many successes, fewer than half of the trials.

    Every term is the one before times a ratio, and about the square root of the number of trials of them count.
    """
    largest = term = probability(most, trials)
    terms = [largest]
    for successes in range(most, 0, -1):
        term *= successes / (trials - successes + 1)
        if term <= largest * 1e-20:
            break
        terms.append(term)
    return math.fsum(terms)


def probability(successes: int, trials: int) -> float:
    """The probability of so many successes in so many trials of probability 1/2.

    It comes from whole numbers, or where these are many from the saddle-point expansion (C. Loader, Fast and accurate
    computation of binomial probabilities, 2000), which cancels nothing.
    """
    failures = trials - successes
    if trials <= WHOLE or successes < FEW:
        return math.comb(trials, successes) / 2**trials if trials <= 2 * WHOLE else 0.0
    unevenness = (failures - successes) / trials
    distance = (1 - unevenness) * math.log1p(-unevenness) + (1 + unevenness) * math.log1p(unevenness)
    remainders = remainder(trials) - remainder(successes) - remainder(failures)
    return math.sqrt(trials / (2 * math.pi * successes * failures)) * math.exp(remainders - trials / 2 * distance)


def remainder(number: int) -> float:
    """The remainder of Stirling's formula for the logarithm of a factorial."""
    inverse = 1 / (number * number)
    return (1 / 12 - (1 / 360 - (1 / 1260 - inverse / 1680) * inverse) * inverse) / number


def scipy_stats() -> Any:
    """Import scipy.stats, which Wilcoxon's test needs; UsageError if it is not installed."""
    try:
        from scipy import stats
    except ImportError as error:
        raise UsageError(f"{spelt('test', 'wilcoxon')} needs scipy: pip install 'sqlrank[stats]'") from error
    return stats


MOST = 50
"""Up to how many differences Wilcoxon's test is exact: the number of choices of their signs fits in 64 bits."""
BITS = 64
DIGITS = 12
"""Digits of the largest difference that tell two of them apart."""


def wilcoxon(differences: Sequence[float], side: int = 0) -> float:
    """The p value of differences none of which is 0, zeros having been left out (Wilcoxon 1945).

    Equal sizes share the mean of their ranks. The exact distribution is that of Pratt and Gibbons (Concepts of
    Nonparametric Theory, 1981), given the ranks that there are; many differences need scipy, or raise UsageError. It is
    two-sided, or with `side` 1 or -1 that of differences above 0, or below.
    """
    if not differences:
        return 1.0
    unit = 10.0 ** math.ceil(math.log10(max(map(abs, differences))))
    sizes = [round(difference / unit, DIGITS) for difference in differences]
    if len(sizes) > MOST:
        alternative = {0: "two-sided", 1: "greater", -1: "less"}[side]
        return float(scipy_stats().wilcoxon(sizes, method="approx", alternative=alternative).pvalue)
    return exact(sizes, side)


def exact(differences: Sequence[float], side: int = 0) -> float:
    """The share of all choices of signs whose sum of ranks is as far from the middle, or as far on one side.

    Ranks are doubled, so that midranks are whole. How many choices have each sum is one whole number with 64 bits for
    each of them, which adding a rank shifts and adds; from either end it reads the same.
    """
    ranks = doubled_ranks([abs(difference) for difference in differences])
    counts = 1
    for rank in ranks:
        counts += counts << (BITS * rank)
    most = sum(ranks)
    number = memoryview(counts.to_bytes((most + 1) * BITS // 8, sys.byteorder)).cast("Q")
    observed = sum(rank for rank, difference in zip(ranks, differences, strict=True) if difference > 0)
    if side:
        fewer = most - observed if side > 0 else observed
        return float(sum(number[: fewer + 1]) / 2 ** len(ranks))
    return float(min(1.0, 2 * sum(number[: min(observed, most - observed) + 1]) / 2 ** len(ranks)))


def doubled_ranks(sizes: Sequence[float]) -> list[int]:
    """Twice the rank of each size, equal ones at the mean of their ranks."""
    found: dict[float, int] = {}
    before = 0
    for size, same in groupby(sorted(sizes)):
        number = len(list(same))
        found[size] = 2 * before + number + 1
        before += number
    return [found[size] for size in sizes]
