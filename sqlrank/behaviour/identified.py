"""Whether a log can tell how likely positions are looked at: by documents that they share, and from any start."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from sqlrank.behaviour.folder import Folder
from sqlrank.behaviour.learning import Learned, Positions
from sqlrank.behaviour.methods import Prior
from sqlrank.behaviour.opened_log import Log
from sqlrank.behaviour.options import LINKING
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, counted
from sqlrank.spelling import spelt
from sqlrank.statistics.chi_square import deviate

LEAST_DEVIATE = 4.0
"""From which standard normal deviate on the mix of rankers is no chance."""
STARTS_APART = 0.02
"""How far apart two starts may end: further, the log does not say where it stands."""
FINER, MOST_ROUNDS = 1e-5, 2000
"""The change of a round that ends learning propensities, and how many rounds there are at most."""


def ways_on() -> str:
    """What else tells how likely positions are looked at."""
    return (
        f"ways on: a log of several rankers or of shuffled results, {spelt('shown_depth', 'N')} for the positions that"
        f" are linked, or propensities from elsewhere for the judgments ({spelt('propensities', 'FILE')})"
    )


@dataclass(frozen=True, slots=True)
class Link:
    """Two positions, and how many documents stood at both."""

    position: int
    other: int
    pairs: int

    def beside(self, position: int) -> int:
        """The other one of the two."""
        return self.other if position == self.position else self.position


def apart(positions: Sequence[int], links: Iterable[Link], linking: int = LINKING) -> list[int]:
    """The positions that are not linked to the first one."""
    reached, links = {positions[0]}, [link for link in links if link.pairs >= linking]
    grows = True
    while grows:
        more = {end for link in links for end in (link.position, link.other) if {link.position, link.other} & reached}
        grows = not more <= reached
        reached |= more
    return [position for position in positions if position not in reached]


def check_linked(engine: DuckDBEngine, label: str, cells: Markup, enough: int, linking: int) -> list[Link]:
    """The positions that share documents with enough impressions at both.

    Raises:
        DataError: some position shares none with the others, so that nothing can be said of it.
    """
    sql = Folder(engine, "examined", cells=cells)
    links = [Link(**row) for row in sql.rows("links", fewest=enough)]
    places = {row["position"]: row["impressions"] for row in sql.rows("places")}
    lost = apart(sorted(places), links, linking) if linking else []
    if not lost:
        return links
    share = 100 * sum(places[position] for position in lost) / sum(places.values())
    own = [link for link in links if lost[0] in (link.position, link.other)]
    most = max(own, key=lambda link: link.pairs, default=None)
    shared = (
        "there are none" if most is None else f"there are at most {most.pairs} with position {most.beside(lost[0])}"
    )
    raise DataError(
        f"{label}: position {lost[0]} shares no documents with those above it, or too few, which leaves"
        f" {counted(len(lost), 'position')} of {len(places)} apart ({share:.0f} % of the rows): {linking} documents"
        f" with {enough} impressions at both are needed, and {shared}; {ways_on()}"
    )


def check_mix(engine: DuckDBEngine, log: Log) -> str | None:
    """What is said of which ranker answered which queries; DataError where that was no chance."""
    if "system" not in log.columns:
        return "the log does not say which ranker answered: it is assumed to be random"
    if mixed := dependence(engine, log, "query"):
        raise DataError(
            f"{log.label}: {mixed}, so that a document is not shown at two positions to the same kind of users; use"
            f" days on which rankers were randomized ({spelt('where')}), or {spelt('method', 'pbm')}"
        )
    return None


def dependence(engine: DuckDBEngine, log: Log, by: str, least_effect: float = 0) -> str | None:
    """That which ranker answered depends on the query, or the day, more than chance has it; None where it may not.

    With a least effect (Cramer's V), large logs may show less.
    """
    found = Folder(engine, "facts").row("mix", log=log.relation, unit=log.unit, by=by)
    if not found["degrees"] or deviate(found["chi_square"], found["degrees"]) <= LEAST_DEVIATE:
        return None
    if math.sqrt(found["chi_square"] / found["units"]) <= least_effect:
        return None
    return (
        f"which ranker answered depends on the {by} (chi square {found['chi_square']:.0f}, about {found['degrees']:,}"
        " expected by chance)"
    )


@dataclass(frozen=True, slots=True)
class Start:
    """What learning from a start ends in, without a prior."""

    model: Positions
    learned: Learned


def check_starts(engine: DuckDBEngine, label: str, counted_cells: Markup) -> tuple[float, Start]:
    """How far apart learning from two starts ends, and what the first ends in; DataError if that is in two places."""
    starts = []
    for number, (start, falling) in enumerate(((0.5, False), (0.3, True)), 1):
        model = Positions(engine, counted_cells, Prior(0, 0), f"start_{number}_")
        model.begin(start, falling)
        starts.append(Start(model, model.learn(MOST_ROUNDS, FINER)))
    ends = [scaled(each.model.propensities()) for each in starts]
    far, position = max((abs(ends[0][place] - ends[1][place]), place) for place in ends[0])
    if far > STARTS_APART:
        raise DataError(
            f"{label}: learning from two starts ends in two places: position {position} is looked at"
            f" {ends[0][position]:.3f} or {ends[1][position]:.3f} times as often as the first, and the clicks are as"
            f" likely under both; no method can tell them apart in this log; {ways_on()}"
        )
    return far, starts[0]


def scaled(propensities: Mapping[int, float]) -> dict[int, float]:
    """Propensities relative to that of the first position."""
    first = propensities[min(propensities)]
    return {position: value / first for position, value in sorted(propensities.items())}
