"""Judgments of a log, from the arguments of a call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Unpack

import duckdb

from sqlrank.arguments import TEXT, public
from sqlrank.behaviour.asked import NO_CLICK, Signal, signal_of
from sqlrank.behaviour.estimating import Estimate, Estimating, Labels
from sqlrank.behaviour.events import ACTIONS
from sqlrank.behaviour.folder import Folder
from sqlrank.behaviour.identified import LINKING
from sqlrank.behaviour.judgments import Judgments
from sqlrank.behaviour.known_propensities import open_propensities
from sqlrank.behaviour.log_options import LogOptions, split
from sqlrank.behaviour.methods import Prior, method_of
from sqlrank.behaviour.session import Session, looked_at
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.open_result import closed_on_error
from sqlrank.errors import UsageError, not_known
from sqlrank.evaluation.flow import connection_of
from sqlrank.inputs.opening import allowed
from sqlrank.statistics.student import check_alpha

TRAPS = (
    "labels are OpenSearch's: the smallest position of a document stands for all of its impressions, repeated rows"
    " count each time, what stands at --max-rank is 0 however often it was clicked, and where the ranker is good they"
    " order worse than plain click rates"
)
LIKE = ("opensearch",)
"""The tools whose labels can be had to the last digit."""


@public(method=TEXT)
def judgments(
    log: Any,
    *,
    method: str | None = None,
    signal: str = "click",
    prior: tuple[float, float] | None = None,
    propensities: Any = None,
    rounds: int | None = None,
    no_click: str = "examined",
    min_impressions: int = 10,
    min_documents: int = LINKING,
    clip: float = 10,
    like: str | None = None,
    max_rank: int = 20,
    alpha: float = 0.05,
    connection: duckdb.DuckDBPyConnection | None = None,
    threads: int | None = None,
    memory_limit: str | None = None,
    temp_dir: str | None = None,
    progress: bool = False,
    writes: Sequence[str] = (),
    **options: Unpack[LogOptions],
) -> Judgments:
    """Make judgments of what people clicked.

    Args:
        log: a row for each document shown (impression_id, query_id, doc_id, position from the top, clicked), or a row
            for each impression with lists of what was `shown` and of `clicks`: a path, glob, folder or URL, a pandas,
            polars or Arrow table, or a DuckDB relation.
        method: `ratio`, `sdbn`, `ctr`, `coec`, `cascade`, `dcm`, `dbn`, `pbm`, `ips` or `grades`; None for `ratio` with
            propensities, and `sdbn` without.
        signal: what is taken for a click: `click`, `dwell>=30` (seconds), `cart`, `purchase`, or `best`, by which a
            click is worth 1, what went into the cart 2 and what was bought 3.
        prior: clicks, and how often there was none, that are added to those of each document.
        propensities: how likely each position is looked at: a table of position and propensity, or a dictionary.
        rounds: how many rounds `pbm` and `dbn` learn; None until nothing moves.
        no_click: what an impression without clicks says: `examined`, that all of it was looked at, or `skip`, nothing.
        min_impressions: how many impressions a pair has at least; others have no label.
        min_documents: how many documents link two positions, each with 50 impressions at both, where `pbm` learns how
            likely positions are looked at; 0 asks for no links.
        clip: how much a click is worth at most with `ips`.
        like: `opensearch` for the labels of its search relevance workbench, with `method="coec"`.
        max_rank: how far down those look.
        alpha: what the intervals leave out, 0.05 for those of 95 %.
        connection: a DuckDB connection to work on; None for one of our own.
        threads: threads of a connection of our own.
        memory_limit: memory of a connection of our own, such as `500MB`.
        temp_dir: where a connection of our own spills.
        progress: whether to show progress on stderr.
        writes: files that will be written from the result where `where` locks the connection.
        **options: how the log is read and which rows count; see `LogOptions`.

    Returns:
        The judgments, with what was settled of the log.

    Raises:
        UsageError: the request cannot be carried out as written.
        DataError: the log is missing, unreadable, contradicts itself, or cannot bear a label.
        ResourceError: memory or disk ran out.
    """
    check_alpha(alpha)
    asked = estimate_of(
        method,
        prior,
        propensities is not None,
        like,
        no_click=no_click,
        rounds=rounds,
        clip=clip,
        fewest=min_impressions,
        linking=min_documents,
        alpha=alpha,
    )
    settings = {"threads": threads, "memory_limit": memory_limit, "temp_dir": temp_dir}
    meant = signal_of("best" if asked.method.graded else signal)
    read = allowed([str(propensities)]) if isinstance(propensities, str | Path) else []
    engine, opened = session_on(log, meant, options, connection, progress, [*writes, *read], settings)
    with closed_on_error(engine):
        session = opened()
        if like is None:
            return Judgments(engine, session, asked, labels_of(engine, session, asked, propensities))
        return Judgments(engine, session, asked, labels_like(engine, session, max_rank), like)


def session_on(
    log: Any,
    signal: Signal,
    options: Mapping[str, Any],
    connection: duckdb.DuckDBPyConnection | None,
    progress: bool,
    writes: Sequence[str],
    settings: Mapping[str, Any],
    by: Sequence[str] = (),
) -> tuple[DuckDBEngine, Callable[[], Session]]:
    """An engine, and what looks at a log with the columns `by` on it; UsageError for an option that there is not."""
    reading, counting = split(options, signal)
    reading = replace(reading, by=tuple(by))
    actions = dict(options.get("actions") or {})
    if unknown := [kind for kind in actions.values() if kind not in ACTIONS]:
        raise not_known("--action", unknown[0], ACTIONS)
    every = log if isinstance(log, list | tuple) else [log]
    engine = DuckDBEngine(connection or connection_of(every), progress=progress, **settings)
    return engine, partial(looked_at, engine, log, reading, counting, writes, actions)


def estimate_of(
    name: str | None, prior: tuple[float, float] | None, with_propensities: bool, like: str | None, **others: Any
) -> Estimate:
    """How labels are estimated; UsageError for what does not go together."""
    if like not in (None, *LIKE):
        raise not_known("--like", like, LIKE)
    method = method_of("coec" if like and name is None else name, with_propensities)
    if like and method.name != "coec":
        raise UsageError(f"--like {like} is clicks over expected clicks: leave out --method {name}")
    found = Estimate(method, method.prior_of(prior_of(prior)), **others)
    if found.no_click not in NO_CLICK:
        raise not_known("--no-click", found.no_click, NO_CLICK)
    for option, value in (("--rounds", found.rounds), ("--min-impressions", found.fewest)):
        if value is not None and value < (1 if option == "--rounds" else 0):
            raise UsageError(f"{option} {value}: give a whole number, {1 if option == '--rounds' else 0} or more")
    if not found.clip >= 1:
        raise UsageError(f"--clip {found.clip:g}: a click is worth 1 at least")
    return found


def prior_of(told: tuple[float, float] | None) -> Prior | None:
    """The prior that was told; UsageError if it is none."""
    if told is None:
        return None
    found = Prior(*map(float, told))
    if not (found.a >= 0 and found.b >= 0 and found.a + found.b < float("inf")):
        raise UsageError(f"--prior {found.a:g},{found.b:g}: give two numbers, 0 or more")
    return found


def labels_of(engine: DuckDBEngine, session: Session, asked: Estimate, propensities: Any) -> Labels:
    """The labels of a method."""
    known, label = (None, "") if propensities is None else open_propensities(engine, propensities)
    if known is not None and not (asked.method.propensities or asked.method.learns == "positions"):
        raise UsageError(
            f"--propensities: {asked.method.name} does not use them; leave them out, or choose ratio or ips"
        )
    made = Estimating(engine, session.cells, asked, known)
    if known is not None:
        made.check_covered(label)
    return made.labels()


def labels_like(engine: DuckDBEngine, session: Session, max_rank: int) -> Labels:
    """The labels of OpenSearch, of the rows as they stand in the log."""
    made = Folder(engine, "like", prefix="labels_like_").keep("opensearch", log=session.log.relation, max_rank=max_rank)
    return Labels(made, [TRAPS])
