"""Tools that are no packages of Python, as their sources define them: three labels in the order of the ranking."""

from __future__ import annotations

import math
from collections.abc import Sequence

Label = float | str | None
Labels = Sequence[Label]


def whole(labels: Labels) -> list[int]:
    """Labels cut to whole numbers; a text or none stops the tool."""
    return [int(float(label)) for label in labels]  # type: ignore[arg-type]


def discounted(gains: Sequence[float]) -> float:
    """The sum of some gains over the logarithms of their places."""
    return math.fsum(gain / math.log2(place + 1) for place, gain in enumerate(gains, 1))


def dcg(grades: Sequence[float]) -> float:
    """Gain 2^grade - 1, the negative ones too."""
    return discounted([2**grade - 1 for grade in grades])


def over(part: float, of: float) -> float:
    """A ratio, 0 of nothing."""
    return part / of if of > 0 else 0.0


def trec_eval(name: str, labels: Labels) -> float:
    """trec_eval: atol() of each label, which is 0 for a text; a line without one stops it; no gain below 1."""
    if None in labels:
        raise ValueError
    read = [0 if isinstance(label, str) else int(label or 0) for label in labels]
    if name == "P_2":
        return sum(label >= 1 for label in read[:2]) / 2
    gains = [float(max(label, 0)) for label in read]
    return over(discounted(gains), discounted(sorted(gains, reverse=True)))


def of_gains(name: str, grades: Sequence[float], most: float) -> float:
    """dcg, ndcg, p or err of the first two, by gains 2^grade - 1."""
    if name == "p":
        return sum(grade > 0 for grade in grades[:2]) / 2
    if name == "err":
        value, going = 0.0, 1.0
        for place, grade in enumerate(grades[:2], 1):
            chance = (2**grade - 1) / 2**most
            value, going = value + going * chance / place, going * (1 - chance)
        return value
    found = dcg(grades[:2])
    return found if name == "dcg" else over(found, dcg(sorted(grades, reverse=True)[:2]))


def elasticsearch(name: str, labels: Labels) -> float:
    """_rank_eval, whose ratings are whole numbers."""
    return of_gains(name, whole(labels), 4)


def opensearch(name: str, labels: Labels) -> float:
    """The Search Relevance Workbench, whose ratings are parsed as double."""
    return round(of_gains(name, [float(label) for label in labels], 4), 2)  # type: ignore[arg-type]


def quepid(name: str, labels: Labels) -> float:
    """Quepid's scorers, whose ideal is of all ratings."""
    grades = [float(label) for label in labels]  # type: ignore[arg-type]
    if name == "ndcg":
        return over(dcg(grades[:2]), dcg(sorted(grades, reverse=True)))
    return of_gains(name, grades, 3)


def ranklib(name: str, labels: Labels) -> float:
    """RankLib, which exits at a negative label and has gains of 32 bits."""
    if min(float(label) for label in labels) < 0:  # type: ignore[arg-type]
        raise ValueError
    shifted = [math.log2(1 << label % 32) for label in whole(labels)]
    return of_gains(name, shifted, 4)


def tensorflow_ranking(name: str, labels: Labels) -> float:
    """TensorFlow Ranking, which masks documents whose label is not 0 or more."""
    kept = [float(label) for label in labels if label is None or float(label) >= 0]  # type: ignore[arg-type]
    if name == "rr":
        return next((1 / place for place, grade in enumerate(kept, 1) if grade >= 1), 0.0)
    return sum(grade >= 1 for grade in kept[:2]) / 2 if name == "p" else of_gains(name, kept, 4)
