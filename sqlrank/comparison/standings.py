"""The systems of a comparison of all pairs: their means, and letters that say which ones differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf, isclose
from string import ascii_letters
from typing import Any

from sqlrank.comparison.paired import TOLERANCE
from sqlrank.comparison.rows import Row
from sqlrank.metrics.measure import SIGNS, Measure


def compact_letters(systems: Sequence[str], different: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The letters of each system, the first ones first; systems that share one do not differ significantly.

    By inserting and absorbing (H.-P. Piepho, An algorithm for a letter-based representation of all-pairwise
    comparisons, Journal of Computational and Graphical Statistics 13, 2004).

    Args:
        systems: their names, the best first.
        different: the pairs that differ significantly.
    """
    groups = [frozenset(systems)]
    for pair in different:
        apart = [group - {one} if group >= set(pair) else group for group in groups for one in pair]
        groups = [group for group in dict.fromkeys(apart) if not any(group < other for other in apart)]
    places = {system: place for place, system in enumerate(systems)}
    groups.sort(key=lambda group: sorted(places[system] for system in group))
    return {
        system: "".join(letter(number) for number, group in enumerate(groups) if system in group) for system in systems
    }


def letter(number: int) -> str:
    """The letter of a group; beyond those of both cases, its number in brackets."""
    return ascii_letters[number] if number < len(ascii_letters) else f"({number + 1})"


def standings(rows: Sequence[Row], systems: Sequence[str], measures: Sequence[Measure]) -> list[dict[str, Any]]:
    """A row for each system and metric over all queries, the best of the first metric first.

    Returns:
        Rows of system, metric, value and letters; the value is None where the pairs of a system have means over
        different queries.
    """
    found = []
    for measure in measures:
        totals = [row for row in rows if row["is_total"] and row["metric"] == measure.text]
        values = {system: value_of(totals, system) for system in systems}
        order = places_of(systems, values, measure)
        apart = [(row["baseline"], row["system"]) for row in totals if row["significant"]]
        letters = compact_letters(order, apart)
        found += [
            {"system": system, "metric": measure.text, "value": values[system], "letters": letters[system]}
            for system in order
        ]
    best = [row["system"] for row in found[: len(systems)]]
    return sorted(found, key=lambda row: best.index(row["system"]))


def places_of(systems: Sequence[str], values: Mapping[str, float | None], measure: Measure) -> list[str]:
    """The systems in order: the best first, or where neither is better the largest, and those without a value last."""
    sign = SIGNS[measure.metric.better] or 1

    def place(system: str) -> float:
        value = values[system]
        return inf if value is None else -sign * value

    return sorted(systems, key=place)


def value_of(totals: Sequence[Row], system: str) -> float | None:
    """The mean of a system in all of its pairs; None where these are over different queries, or over none."""
    values = [row["value"] for row in totals if row["system"] == system]
    values += [row["baseline_value"] for row in totals if row["baseline"] == system]
    first = values[0]
    same = first is not None and all(
        value is not None and isclose(value, first, rel_tol=TOLERANCE, abs_tol=1e-300) for value in values
    )
    return first if same else None


def matrix(rows: Iterable[Row]) -> dict[tuple[str, str], Row]:
    """The rows of one metric and segment by both systems, in either order: the difference is first less second."""
    found = {}
    for row in rows:
        found[row["system"], row["baseline"]] = row
        turned = None if row["difference"] is None else 0.0 - row["difference"]
        found[row["baseline"], row["system"]] = row | {"difference": turned}
    return found
