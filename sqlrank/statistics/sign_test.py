"""The exact sign test of wins against losses.

The largest term of the binomial tail comes from whole numbers, or where these are many from the saddle-point expansion
(C. Loader, Fast and accurate computation of binomial probabilities, 2000), which cancels nothing; every further term
is the one before times a ratio, and about the square root of the number of trials of them count.
"""

from __future__ import annotations

import math

WHOLE = 1000
"""Up to how many trials the largest term is divided from whole numbers."""
FEW = 15
"""Below this many successes the expansion of the factorial is not exact."""


def sign_test(wins: int, losses: int) -> float:
    """The two-sided probability of a split at least as uneven as this one, ties left out; 1 if nothing was compared."""
    trials, fewer = wins + losses, min(wins, losses)
    if 2 * fewer == trials:
        return 1.0
    return min(1.0, 2 * tail(fewer, trials))


def one_sided(wins: int, losses: int) -> float:
    """The probability of as many wins as these, or more, ties left out."""
    trials = wins + losses
    if losses < wins:
        return tail(losses, trials)
    return 1 - tail(wins - 1, trials) if wins else 1.0


def tail(most: int, trials: int) -> float:
    """The probability of at most so many successes, fewer than half of the trials."""
    largest = term = probability(most, trials)
    terms = [largest]
    for successes in range(most, 0, -1):
        term *= successes / (trials - successes + 1)
        if term <= largest * 1e-20:
            break
        terms.append(term)
    return math.fsum(terms)


def probability(successes: int, trials: int) -> float:
    """The probability of so many successes in so many trials of probability 1/2."""
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
