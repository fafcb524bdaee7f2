"""Judgments of a log, from the arguments of a call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Unpack

from sqlrank.arguments import public
from sqlrank.behaviour.asked import Signal, signal_of, split
from sqlrank.behaviour.estimating import Estimate, Estimating, Labels
from sqlrank.behaviour.events import ACTIONS
from sqlrank.behaviour.folder import Folder
from sqlrank.behaviour.judgments import Judgments
from sqlrank.behaviour.known_propensities import open_propensities
from sqlrank.behaviour.label_options import LINKING, JudgmentOptions
from sqlrank.behaviour.methods import Prior, method_of
from sqlrank.behaviour.session import Session, looked_at
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.open_result import closed_on_error
from sqlrank.errors import UsageError, no_such_word
from sqlrank.evaluation.flow import session_engine
from sqlrank.inputs.opening import allowed
from sqlrank.spelling import spelt


def traps() -> str:
    """What labels of OpenSearch leave out of account."""
    return (
        "labels are OpenSearch's: all impressions of a document count at its smallest position, and repeated rows"
        f" count each time; a document at {spelt('max_rank')} is 0 however often it was clicked; where the ranker is"
        " good, they order worse than plain click rates"
    )


@public(record=JudgmentOptions)
def judgments(log: Any, **options: Unpack[JudgmentOptions]) -> Judgments:
    """Estimate relevance judgments from clicks.

    Args:
        log: a row for each document shown (impression_id, query_id, doc_id, position from the top, clicked), or a row
            for each impression with lists of what was `shown` and of `clicks`: a path, glob, folder or URL, a pandas,
            polars or Arrow table, or a DuckDB relation.
        **options: how the log is read and which rows count; see `LogOptions`.

    Returns:
        The judgments, with what was settled of the log.

    Raises:
        UsageError: the request cannot be carried out as written.
        DataError: the log is missing, unreadable, contradicts itself, or does not support a label.
        ResourceError: memory or disk ran out.
    """
    asked = estimate_of(options)
    propensities, like = options["propensities"], options["like"]
    meant = signal_of("best" if asked.method.graded else options["signal"])
    read = allowed([str(propensities)]) if isinstance(propensities, str | Path) else []
    engine, opened = session_on(log, meant, options, read)
    with closed_on_error(engine):
        session = opened()
        if like is None:
            return Judgments(engine, session, asked, labels_of(engine, session, asked, propensities))
        return Judgments(engine, session, asked, labels_like(engine, session, options["max_rank"]), like)


def session_on(
    log: Any, signal: Signal, options: Mapping[str, Any], reads: Sequence[str] = (), by: Sequence[str] = ()
) -> tuple[DuckDBEngine, Callable[[], Session]]:
    """An engine, and what looks at a log with the columns `by` on it; `reads` are other files that are read."""
    reading, counting = split(options, signal)
    reading = replace(reading, by=tuple(by))
    actions = dict(options["actions"] or {})
    if unknown := [kind for kind in actions.values() if kind not in ACTIONS]:
        raise no_such_word(spelt("actions", unknown[0]), unknown[0], ACTIONS)
    every = log if isinstance(log, list | tuple) else [log]
    engine = session_engine(options, every)
    return engine, partial(looked_at, engine, log, reading, counting, [*options["writes"], *reads], actions)


def estimate_of(options: Mapping[str, Any]) -> Estimate:
    """How labels are estimated, also by a statement, which learns none; UsageError for what does not go together."""
    name, like = options["method"], options.get("like")
    method = method_of("coec" if like and name is None else name, options["propensities"] is not None)
    if like and method.name != "coec":
        raise UsageError(f"{spelt('like', like)} is clicks over expected clicks: leave out {spelt('method', name)}")
    return Estimate(
        method,
        method.prior_of(prior_of(options["prior"])),
        no_click=options["no_click"],
        rounds=options.get("rounds"),
        clip=options["clip"],
        fewest=options["min_impressions"],
        linking=options.get("min_documents", LINKING),
        alpha=options["alpha"],
    )


def prior_of(told: tuple[float, float] | None) -> Prior | None:
    """The prior that was told; UsageError if it is none."""
    if told is None:
        return None
    found = Prior(*map(float, told))
    if not (found.a >= 0 and found.b >= 0 and found.a + found.b < float("inf")):
        raise UsageError(f"{spelt('prior', (found.a, found.b))}: give two numbers, 0 or more")
    return found


def labels_of(engine: DuckDBEngine, session: Session, asked: Estimate, propensities: Any) -> Labels:
    """The labels of a method."""
    known, label = (None, "") if propensities is None else open_propensities(engine, propensities)
    if known is not None and not (asked.method.propensities or asked.method.learns == "positions"):
        raise UsageError(
            f"{spelt('propensities')}: {asked.method.name} does not use them; leave them out, or choose ratio or ips"
        )
    made = Estimating(engine, session.cells, asked, known)
    if known is not None:
        made.check_covered(label)
    return made.labels()


def labels_like(engine: DuckDBEngine, session: Session, max_rank: int) -> Labels:
    """The labels of OpenSearch, of the rows as they stand in the log."""
    made = Folder(engine, "like", prefix="labels_like_").keep("opensearch", log=session.log.relation, max_rank=max_rank)
    return Labels(made, [traps()])
