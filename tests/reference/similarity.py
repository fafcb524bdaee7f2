"""What each metric of two rankings is, written out from its definition and as slowly as that is."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import combinations

Scores = Mapping[str, float]


def ranking(scores: Scores, depth: int | None = None) -> list[str]:
    """The documents in order: larger scores first, then larger ids by their bytes."""
    return sorted(scores, key=lambda doc: (scores[doc], doc.encode()), reverse=True)[:depth]


def overlap(baseline: Scores, system: Scores, k: int) -> float:
    """Documents in the top k of both, over k."""
    return len({*ranking(baseline, k)} & {*ranking(system, k)}) / k


def jaccard(baseline: Scores, system: Scores, k: int) -> float:
    """Documents in the top k of both, over those in the top k of either."""
    first, second = {*ranking(baseline, k)}, {*ranking(system, k)}
    return len(first & second) / len(first | second)


def rbo(baseline: Scores, system: Scores, k: int | None = None, p: float = 0.9) -> float:
    """Equation 32 of Webber, Moffat and Zobel."""
    short, long = sorted([ranking(baseline, k), ranking(system, k)], key=len)
    s, l = len(short), len(long)  # noqa: E741 as in the paper
    if s == 0:
        return 0.0

    def x(d: int) -> int:
        return len({*short[:d]} & {*long[:d]})

    seen = math.fsum(x(d) / d * p**d for d in range(1, l + 1))
    unseen = math.fsum(x(s) * (d - s) / (s * d) * p**d for d in range(s + 1, l + 1))
    return (1 - p) / p * (seen + unseen) + ((x(l) - x(s)) / l + x(s) / s) * p**l


def in_common(first: list[str], second: list[str], depth: int) -> int:
    """Documents in the top of both."""
    return len({*first[:depth]} & {*second[:depth]})


def average_overlap(baseline: Scores, system: Scores, k: int | None = None) -> float:
    """Mean share in common over the depths that both reach."""
    first, second = ranking(baseline, k), ranking(system, k)
    depths = range(1, min(len(first), len(second)) + 1)
    return math.fsum(in_common(first, second, d) / d for d in depths) / len(depths) if depths else 0.0


def rbo_min(baseline: Scores, system: Scores, k: int | None = None, p: float = 0.9) -> float:
    """Equation 11 of Webber, Moffat and Zobel, down to the end of the longer ranking."""
    first, second = ranking(baseline, k), ranking(system, k)
    end = max(len(first), len(second))
    seen = in_common(first, second, end)
    terms = [(in_common(first, second, d) - seen) / d * p**d for d in range(1, end + 1)]
    return (1 - p) / p * (math.fsum(terms) - seen * math.log(1 - p))


def rbo_res(baseline: Scores, system: Scores, k: int | None = None, p: float = 0.9) -> float:
    """What the most alike continuations of both rankings reach above `rbo_min`, to a depth of no weight."""
    short, long = (list(docs) for docs in sorted([ranking(baseline, k), ranking(system, k)], key=len))
    while len(short) < len(long):
        lacking = [doc for doc in [*long[: len(short) + 1], *long] if doc not in short]
        short.append(lacking[0])
    short, long = (
        [*short, *(doc for doc in long if doc not in short)],
        [*long, *(doc for doc in short if doc not in long)],
    )
    terms = [in_common(short, long, d) / d * p**d for d in range(1, len(short) + 1)]
    terms += [p**d for d in range(len(short) + 1, math.ceil(math.log(1e-18) / math.log(p)) + len(short))]
    return (1 - p) / p * math.fsum(terms) - rbo_min(baseline, system, k, p)


def kendall_tau(baseline: Scores, system: Scores) -> float | None:
    """Tau-b by looking at every pair."""
    score, first, second = 0, 0, 0
    for one, other in combinations(sorted({*baseline} & {*system}), 2):
        before, after = baseline[one] - baseline[other], system[one] - system[other]
        first, second = first + (before != 0), second + (after != 0)
        score += (before * after > 0) - (before * after < 0)
    return score / math.sqrt(first * second) if first * second else None


def rank_change(baseline: Scores, system: Scores) -> float | None:
    """Mean absolute difference of the ranks."""
    first, second = ranking(baseline), ranking(system)
    moves = [abs(first.index(doc) - second.index(doc)) for doc in {*first} & {*second}]
    return sum(moves) / len(moves) if moves else None


METRICS: dict[str, Callable[..., float | None]] = {
    metric.__name__: metric
    for metric in (overlap, average_overlap, jaccard, rbo, rbo_min, rbo_res, kendall_tau, rank_change)
}
