"""Slow, readable definitions of the metrics of users who read documents of known lengths.

They see the relevances of the documents returned and their lengths, both in rank order.
"""

import math

from tests.reference.shared import Gain, Ranking, gain_of, is_relevant


def tbg(
    ranking: Ranking, lengths: list[float], k: int | None = None, *, rel: float = 1.0, half_life: float = 224
) -> float:
    """Relevant documents saved before the user has gone, as calibrated by Smucker & Clarke 2012."""
    seconds, saved = 0.0, []
    for value, words in zip(ranking[:k], lengths, strict=False):
        relevant = is_relevant(value, rel)
        if relevant:
            saved.append(0.64 * 0.77 * 0.5 ** (seconds / half_life))
        seconds += 4.4 + (0.64 if relevant else 0.39) * (0.018 * words + 7.8)
    return math.fsum(saved)


def u_measure(
    ranking: Ranking,
    lengths: list[float],
    k: int | None = None,
    *,
    gain: Gain = "linear",
    text: float = 132000,
    unit: float = 1.0,
) -> float:
    """Gains discounted by the text read at the end of each document (Sakai & Dou 2013).

    Of each a snippet is read, and a fifth of those with a gain.
    """
    position, worths = 0.0, []
    for value, length in zip(ranking[:k], lengths, strict=False):
        worth = gain_of(value, gain)
        position += 200 + (0.2 * length * unit if worth > 0 else 0)
        worths.append(worth * (1 - position / text if position < text else 0.0))
    return math.fsum(worths)
