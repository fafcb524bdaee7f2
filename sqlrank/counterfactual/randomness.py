"""Whether chance decided what a log shows: without that its own variety tells no propensities."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from markupsafe import Markup

from sqlrank.behaviour.folder import Folder
from sqlrank.behaviour.identified import LEAST_DEVIATE, dependence
from sqlrank.behaviour.opened_log import Log
from sqlrank.behaviour.settled import percent
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import counted, shortened
from sqlrank.spelling import spelt
from sqlrank.statistics.chi_square import deviate

WAYS_ON = (
    "ways on: interleave the two rankers, randomise 1 to 5 % of the traffic, or judge the documents (sqlrank pool)"
)
LEAST_EFFECT = 0.05
"""From which Cramér's V on what users are shown depends on who they are, and not only as a large log shows it."""


@dataclass(slots=True)
class Randomness:
    """What is known of how the order of documents came about."""

    refusals: dict[str, str] = field(default_factory=dict)
    """Why the log tells no propensities, by reason: `single`, `mix` or `groups`."""
    lines: list[str] = field(default_factory=list)
    """What is assumed."""


def randomness_of(engine: DuckDBEngine, log: Log, impressions: Markup, reached: Markup) -> Randomness:
    """Look at whether queries have several rankings, and whether the query or the user decided which."""
    sql, found = Folder(engine, room="counterfactual"), Randomness()
    system = "system" in log.columns
    variety = sql.row("facts/variety", impressions=impressions, reached=reached, system=system)
    if variety["single"] == variety["queries"]:
        found.refusals["single"] = (
            "the log shows one ranking per query: nothing can be estimated for orders it never showed"
        )
    elif variety["single"]:
        found.lines.append(
            f"{counted(variety['single'], 'query')} ({percent(variety['single_traffic'] / variety['traffic'])} of the"
            f" traffic), such as {shortened(variety['single_example'])!r}, with one ranking in the log"
        )
    if not system:
        found.lines.append("the log does not say which ranker answered: it is assumed to be random")
    elif variety["within_traffic"] > 0:
        found.lines.append(
            f"one ranker showed several rankings of a query ({percent(variety['within_traffic'] / variety['traffic'])}"
            " of the traffic): they are assumed to be random, neither personal nor from other days"
        )
    if system and (mixed := dependence(engine, log, "query")):
        found.refusals["mix"] = f"{mixed}: take days on which rankers were randomized ({spelt('where')})"
    if {"system", "time"} <= log.columns and (apart := dependence(engine, log, "day", LEAST_EFFECT)):
        found.lines.append(f"{apart}: users are assumed not to change from day to day")
    if "user_id" in log.columns and (grouped := groups(sql, impressions, several_systems(log, system, engine))):
        found.refusals["groups"] = grouped
    return found


def several_systems(log: Log, known: bool, engine: DuckDBEngine) -> bool:
    """Whether a log is of several rankers."""
    return known and len(Folder(engine, room="counterfactual").rows("facts/rankers", log=log.relation)) > 1


def groups(sql: Folder, impressions: Markup, system: bool) -> str | None:
    """Why what users are shown depends on who they are; None where it may not."""
    found = sql.row("facts/groups", impressions=impressions, system=system)
    degrees = found["cells"] - found["fifths"] - found["kinds"] + found["queries"]
    if degrees <= 0 or not found["users"]:
        return None
    effect = math.sqrt(found["chi_square"] / found["users"])
    if deviate(found["chi_square"], degrees) <= LEAST_DEVIATE or effect <= LEAST_EFFECT:
        return None
    what = "which ranker answered" if system else "which document is first"
    return (
        f"{what} depends on how active the user is (chi square {found['chi_square']:.0f}, about {degrees:,} expected by"
        f" chance): personal rankings tell no propensities; take users of one kind ({spelt('where')})"
    )
