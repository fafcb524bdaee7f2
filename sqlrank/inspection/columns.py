"""The columns of an input that play no role: those that queries may be split by, and those that may be labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlrank.evaluation.shown_rankings import IN_RUNS, TITLES
from sqlrank.inputs.column_names import plain_name

MOST_SEGMENTS = 50
"""How many values a column has at most that is offered as a segment."""
MOST_GRADES = 10
"""How many values a column has at most that may hold the labels of pairs."""


TEXTS = frozenset((*TITLES, *IN_RUNS["queries"], "search_query"))
"""The names of columns that say what a query is called, which is its own in each."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A column that queries could be split by."""

    name: str
    values: int
    """How many values it has among the sampled queries."""
    examples: tuple[str, ...]


def segments(names: Sequence[str], row: Mapping[str, Any], values: Mapping[str, Any]) -> list[Segment]:
    """The columns that have one value in every query, no list, and not too many."""
    once = [one for one, most in columns_of(names, row, values) if most == 1 and 1 < one.values <= MOST_SEGMENTS]
    once = [one for one in once if plain_name(one.name) not in TEXTS]
    return [one for one in once if not any(value.startswith(("[", "{")) for value in one.examples)]


def grades(names: Sequence[str], row: Mapping[str, Any], values: Mapping[str, Any]) -> list[Segment]:
    """The columns of few values that differ within queries, as labels do."""
    return [one for one, most in columns_of(names, row, values) if most > 1 and one.values <= MOST_GRADES]


def columns_of(
    names: Sequence[str], row: Mapping[str, Any], values: Mapping[str, Any]
) -> Iterator[tuple[Segment, int]]:
    """The columns without a role, and how many values each has at most within a query."""
    for number, name in enumerate(names, 1):
        some = tuple(each for each in values[f"some_{number}"] if each is not None)
        yield Segment(name, int(values[f"count_{number}"]), some), int(row[f"most_{number}"])
