"""The rankers whose picks make up the lists of a log, and what has to hold of them before anything is counted."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlrank.behaviour.opened_log import Log
from sqlrank.errors import DataError, UsageError, counted, percent, shortened
from sqlrank.interleaving.designs import Design
from sqlrank.spelling import spelt

WITHOUT_TEAM = 0.2
"""Which share of the documents shown may be no one's pick."""
MOST = 20
"""So many rankers at most."""
LETTERS = ("A", "B")
"""The rankers whose lists rank_a and rank_b are of."""
LONGEST = 126
"""So many picks at most."""


@dataclass(frozen=True, slots=True)
class Teams:
    """The rankers of a log."""

    names: tuple[str, ...]
    deepest: int
    """The last position that was shown."""
    without: int = 0
    """How many documents are no one's pick."""
    shown: int = 0

    def pairs(self, baseline: str | None) -> list[tuple[int, int]]:
        """The pairs that are compared, by number from 1: each with the baseline, or all."""
        numbers = range(1, len(self.names) + 1)
        if baseline is None:
            return [(a, b) for a in numbers for b in numbers if a < b]
        last = self.names.index(baseline) + 1
        return [(a, last) for a in numbers if a != last]

    def lines(self) -> Iterator[str]:
        """What is said of them."""
        if self.without:
            share = percent(self.without / self.shown)
            documents = counted(self.without, "document", "is", "are", f" ({share})")
            yield f"{documents} the pick of no ranker: clicks on them do not count"


def check_columns(log: Log, design: Design, actions: Collection[str]) -> None:
    """Raise DataError if a column that a design reads is missing, or that of an action that is worth something."""
    if lacking := [action for action in actions if action not in log.columns]:
        raise DataError(
            f"{log.label} has no column {lacking[0]} for {spelt('credit')}; name it with"
            f" {spelt('columns', {lacking[0]: 'NAME'})}"
        )
    missing = [role for role in design.needs if role not in log.columns]
    if not missing:
        return
    ranks = " (of a log of lists: ranking_a and ranking_b, the lists that both rankers gave)"
    of_team = "; it says of each document shown which ranker picked it"
    said = of_team if missing[0] == "team" else ranks
    raise DataError(
        f"{log.label} has no column {missing[0]}, which {design.title} lists are credited by{said}; name it with"
        f" {spelt('columns', {missing[0]: 'NAME'})}"
    )


def check_ranks(label: str, found: Mapping[str, Any]) -> None:
    """Raise DataError for ranks that no list has."""
    if found["findings"]:
        raise DataError(
            f"{label}: {counted(found['findings'], 'document', 'has', 'have')} a rank in a list that is below 1, or"
            f" beyond its length, such as {shortened(str(found['document_example']))} in"
            f" {shortened(str(found['impression_example']))}; ranks begin at 1, and are empty where a list lacks the"
            " document"
        )


def teams_of(log: Log, design: Design, rows: Sequence[dict[str, Any]], baseline: str | None) -> Teams:
    """The rankers of a log, of its `rows` of teams.

    Raises:
        DataError: there is one ranker alone, or many; some were changed half-way; or much is no one's pick.
        UsageError: the baseline is none of them.
    """
    label, deepest = log.label, max((row["deepest"] for row in rows), default=0)
    if deepest > LONGEST:
        raise DataError(
            f"{label}: a list has {deepest:,} documents; count the first ones with {spelt('shown_depth', LONGEST)}"
        )
    if not design.drafted:
        found = Teams(LETTERS, deepest)
    else:
        named = [row for row in rows if row["team"] is not None]
        shown = sum(row["picks"] for row in rows)
        check_systems(label, named)
        found = Teams(tuple(row["team"] for row in named), deepest, shown - sum(row["picks"] for row in named), shown)
        check_number(label, log.roles["team"], found)
    if baseline is not None and baseline not in found.names:
        raise UsageError(f"{spelt('baseline', baseline)}: the rankers are {', '.join(map(shortened, found.names))}")
    return found


def check_number(label: str, column: str, found: Teams) -> None:
    """Raise DataError for one ranker, for many, and for documents that are no one's pick."""
    if not 2 <= len(found.names) <= MOST:
        names = ", ".join(map(shortened, found.names[:3])) or "nothing"
        raise DataError(
            f"{label}: {column} names {counted(len(found.names), 'ranker')} ({names}); interleaved lists have picks of"
            f" two to {MOST}: is it the right column?"
        )
    if found.without > WITHOUT_TEAM * found.shown:
        raise DataError(
            f"{label}: no ranker picked {counted(found.without, 'document')} ({percent(found.without / found.shown)}):"
            f" {column} is empty, and the rest is not an interleaved list"
        )


def check_systems(label: str, rows: Sequence[dict[str, Any]]) -> None:
    """Raise DataError if a ranker was another one in a part of the log."""
    for row in rows:
        systems = [name for name in row.get("systems") or [] if name is not None]
        if len(systems) > 1:
            names = ", ".join(map(shortened, systems[:3]))
            raise DataError(
                f"{label}: the picks of {shortened(row['team'])} are of {counted(len(systems), 'system')} ({names}): a"
                f" ranker that changes half-way is two experiments; look at one of them with {spelt('where')}"
            )
