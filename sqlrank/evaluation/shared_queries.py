"""Which queries two systems both have results for: without any, their numbers are of different things."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlrank.engines.protocol import Engine
from sqlrank.errors import DataError
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render, sql_text

RETRIEVED = "sqlrank_retrieved"
"""The column of per-query rows that says how many documents a ranking has."""
NOTED = 0.05
"""The share of queries that only one of two systems has, from which it is worth a note."""
PARTS = 0.9
"""The share above which files that nobody named look like parts of one run."""
HALF = 0.5
"""The share above which systems are not compared unless the queries that count were chosen."""
COUNTED = "and a query without results counts as 0"
ONE_RUN = "if the files are parts of one run, quote the pattern ('part-*.parquet') to read them as one"


@dataclass(frozen=True, slots=True)
class SharedQueries:
    """The queries that two systems have results for."""

    one: str
    other: str
    shared: int
    """How many both have."""
    either: int
    """How many at least one of them has."""

    @property
    def alone(self) -> float:
        """The share of the queries that only one of them has."""
        return 1 - self.shared / self.either if self.either else 0.0

    def __str__(self) -> str:
        return f"{self.one} and {self.other} both have results for {self.shared} of {self.either} queries"


def fewest_shared(
    engine: Engine, parts: Sequence[Mapping[str, Any]], systems: Sequence[str], baseline: str | None = None
) -> list[SharedQueries]:
    """The two systems, one of them the baseline if there is one, that share the smallest part of their queries.

    None where no two can be worth a note: that is told by how many queries each has, and saves a look at every two.
    `parts` are as in sources/shared_queries.sql.
    """

    def asked(pairs: bool) -> list[Any]:
        context = {"parts": parts, "pairs": pairs, "baseline": baseline}
        return engine.execute(render("sources/shared_queries.sql", engine.dialect, **context))

    rows = asked(pairs=False)
    sizes = {system: int(queries) for system, queries, _ in rows}
    every = max((int(number) for *_, number in rows), default=0)
    others = [name for name in systems if name != baseline]
    most = sorted((every - sizes.get(name, 0) for name in others), reverse=True)[: 2 if baseline is None else 1]
    lacking = sum(most) + (0 if baseline is None else every - sizes.get(baseline, 0))
    if every and lacking < NOTED * every:
        return []
    empty = next((name for name in systems if not sizes.get(name)), None)
    if empty is None:
        one, other, shared, queries = asked(pairs=True)[0]
    else:
        beside = systems if baseline in (None, empty) else [str(baseline)]
        one, shared = empty, 0
        other = max((name for name in beside if name != empty), key=lambda name: sizes.get(name, 0))
        queries = sizes.get(other, 0)
    one, other = sorted((one, other), key=list(systems).index)
    return [SharedQueries(one, other, int(shared), int(queries))]


def spelled_otherwise(engine: Engine, parts: Sequence[Mapping[str, Any]], found: Iterable[SharedQueries]) -> list[str]:
    """Notes on queries that two systems have in different forms; `parts` are as in sources/shared_queries.sql.

    Raises:
        DataError: these are more than the queries that match as they are.
    """
    from sqlrank.inputs.near_ids import near_ids

    notes = []
    for pair in found:
        one, other = (
            sql_text(render("sources/queries_of_system.sql", engine.dialect, parts=parts, system=system))
            for system in (pair.one, pair.other)
        )
        if near := near_ids(engine, "query_id", one, other):
            text = f"{pair.other}: {near.told('query', pair.one)}"
            if near.found > near.exact:
                raise DataError(text)
            notes.append(text)
    return notes


def check_evaluated(found: Iterable[SharedQueries], query_set: str, chosen: bool, unnamed: bool) -> list[str]:
    """Notes on the queries that only some of the systems have, whose means stand side by side.

    `chosen` says that the query set was given, `unnamed` that the systems are files that nobody named.

    Raises:
        DataError: a query counts as 0 for a system of other queries.
    """
    worst = max(found, key=lambda pair: pair.alone, default=None)
    if worst is None:
        return []
    parts = unnamed and not chosen and worst.alone > PARTS
    if query_set == "judged" and (worst.shared == 0 or parts):
        none = f"{worst.one} and {worst.other} have results for no query in common" if worst.shared == 0 else str(worst)
        advice = (
            f"{spelt('query_set', 'shared')} gives each system its mean over its own queries, and compare"
            f" {spelt('paired', False)} compares such means"
        ) + (f"; {ONE_RUN}" if unnamed else "")
        raise DataError(f"{none}, and a query without results counts as 0: {advice}")
    return noted([worst], COUNTED if query_set == "judged" else "so that their means are of different queries")


def check_compared(found: Iterable[SharedQueries], query_set: str, chosen: bool, unnamed: bool) -> list[str]:
    """Notes on the queries that only one side of a comparison has; arguments as in `check_evaluated`.

    Raises:
        DataError: the sides share no query, or fewer than half of theirs where no query set was chosen.
    """
    worst = max(found, key=lambda pair: pair.alone, default=None)
    if worst is None:
        return []
    if worst.shared == 0 and worst.either:
        advice = f"they cannot be compared query by query; {unpaired()}" + (f"; {ONE_RUN}" if unnamed else "")
        raise DataError(f"{worst.one} and {worst.other} have results for no query in common: {advice}")
    if worst.alone > HALF and not chosen:
        advice = (
            f"{spelt('query_set', 'shared')} compares them over the {worst.shared} that both have,"
            f" {spelt('query_set', 'judged')} counts a query without results as 0; {unpaired()}"
        )
        raise DataError(f"{worst}: {advice}" + (f"; {ONE_RUN}" if unnamed and worst.alone > PARTS else ""))
    return noted([worst], COUNTED if query_set == "judged" else "and the others do not count")


def unpaired() -> str:
    """What compares systems that have different queries."""
    return f"{spelt('paired', False)} compares the means of different queries, as of the arms of a test or of two weeks"


def check_parts(found: Iterable[SharedQueries]) -> None:
    """Raise DataError if files that nobody named look like parts of one run, compared without judgments."""
    worst = max(found, key=lambda pair: pair.alone)
    if worst.alone > PARTS:
        raise DataError(f"{worst}: {ONE_RUN}, else name the systems with name=path")


def noted(found: Iterable[SharedQueries], what: str) -> list[str]:
    """A note on the two systems that share the fewest of their queries, if these are few enough."""
    worst = max(found, key=lambda pair: pair.alone)
    return [f"{worst}, {what}"] if worst.alone >= NOTED else []
