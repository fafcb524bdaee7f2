"""Judgments of a log from the arguments of a call, and their result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Unpack

import duckdb

from sqlrank.arguments import public
from sqlrank.behaviour.asked import signal_of
from sqlrank.behaviour.estimating import Estimate, Estimating, Labels, estimate_of
from sqlrank.behaviour.examination import open_propensities
from sqlrank.behaviour.folder import Folder
from sqlrank.behaviour.options import JudgmentOptions
from sqlrank.behaviour.session import Session, session_on
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.open_result import OpenResult, closed_on_error
from sqlrank.errors import DataError, UsageError, counted
from sqlrank.inputs.opening import allowed
from sqlrank.presentation import Charted
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render
from sqlrank.version import __version__

CONTENTS = "judgments of behaviour"
"""What the metadata of a Parquet file calls them."""
FIRM = 100
"""From how many impressions on a label is firm."""


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


def traps() -> str:
    """What labels of OpenSearch leave out of account."""
    return (
        "labels are OpenSearch's: all impressions of a document count at its smallest position, and repeated rows"
        f" count each time; a document at {spelt('max_rank')} is 0 however often it was clicked; where the ranker is"
        " good, they order worse than plain click rates"
    )


class Judgments(OpenResult, Charted):
    """Judgments estimated from a log: a label for each pair of a query and a document, with its interval.

    It holds a database connection; use it as a context manager, or call `close()`. `rows` are judgments as `evaluate`
    and `compare` take them.
    """

    offered = "metadata method origin plot"

    method: str
    """How they were estimated."""
    origin: dict[str, Any]
    """Where they come from: `systems` that showed the log, `first_day` and `last_day`, `impressions`, `excluded`."""

    def __init__(
        self, engine: DuckDBEngine, session: Session, asked: Estimate, labels: Labels, like: str | None = None
    ) -> None:
        super().__init__(engine)
        self.method, self.like, self.asked, self.session = asked.method.name, like, asked, session
        self.origin = {"method": self.method} | ({"like": like} if like else {}) | session.origin()
        self.notes = session.notes
        self.fewest = asked.fewest
        sql = Folder(engine, labels=labels.relation)
        self._table, self._lines = sql.keep("judgments", method=self.method, fewest=asked.fewest), labels.lines
        self.counts: dict[str, int] = sql.row("facts/labels", judgments=self._table, firm=FIRM)
        if not self.counts["judged"]:
            raise DataError(
                f"{session.log.label}: none of {counted(self.counts['pairs'], 'pair')} of a query and a document has"
                f" {asked.fewest} impressions (the most has {self.counts['most']:,}): a label of fewer is mostly noise;"
                f" wait for more of the log, or say {spelt('min_impressions', 'N')}"
            )

    @property
    def rows(self) -> duckdb.DuckDBPyRelation:
        """A row for each pair: query_id, doc_id, relevance, low and high, impressions, clicks and method."""
        return self._local.relation(render("behaviour/ordered.sql", self._local.dialect, relation=self._table))

    @property
    def metadata(self) -> dict[str, str]:
        """What a Parquet file of them says of where they come from."""
        return {"sqlrank": __version__, "contents": CONTENTS, "behaviour": json.dumps(self.origin)}

    def remarks(self) -> list[str]:
        """The lines below the labels: what was settled, how they were estimated, and what that assumes."""
        asked, counts = self.asked, self.counts
        few = counts["pairs"] - counts["judged"]
        without = f"{counted(few, 'pair')} with fewer than {self.fewest} impressions have no label" if few else ""
        firm = f"{counts['firm']:,} of {counted(counts['judged'], 'label', 'has', 'have')} {FIRM} impressions or more"
        return [
            *self.session.settled.lines,
            *filter(None, [without]),
            firm,
            f"{self.method}: {asked.method.title}; it assumes that {asked.method.assumes}",
            *self._prior(),
            *self._lines,
            *self._systems(),
        ]

    def _prior(self) -> list[str]:
        prior = self.asked.prior
        if prior is None or not (prior.a or prior.b):
            return []
        return [f"prior: {prior.a:g} and {prior.b:g} are added to how often something happened and did not happen"]

    def _systems(self) -> list[str]:
        systems = self.origin["systems"]
        if len(systems) == 1:
            return [
                f"all documents were shown by {systems[0]}: labels of one system's clicks favour it, and documents that"
                " it did not show have no label"
            ]
        if not systems:
            return [
                f"the log does not say which system showed a document ({spelt('columns', {'system': 'NAME'})}): labels"
                " favour the systems that were clicked"
            ]
        return []
