"""Propensities of positions from the arguments of a call, and their result."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Unpack

import duckdb

from sqlrank.arguments import public
from sqlrank.behaviour.asked import signal_of
from sqlrank.behaviour.columns import PROPENSITIES
from sqlrank.behaviour.examination import Asked, Examination, Examining
from sqlrank.behaviour.flow import prior_of, session_on
from sqlrank.behaviour.identified import ENOUGH, LINKING
from sqlrank.behaviour.log_options import LogOptions
from sqlrank.behaviour.methods import Prior
from sqlrank.behaviour.session import Session
from sqlrank.behaviour.swapped import swapped
from sqlrank.choices import PROPENSITY_METHODS
from sqlrank.columns import stored_types
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.open_result import OpenResult, closed_on_error
from sqlrank.errors import not_known
from sqlrank.presentation import Charted
from sqlrank.statistics.student import check_alpha
from sqlrank.version import __version__

CONTENTS = "propensities"
"""What the metadata of a Parquet file calls them."""
ASSUMES = {
    "pbm": "pbm: whether a position is looked at depends on the position alone; estimated with the attraction of each"
    " document (position-based model)",
    "allpairs": "allpairs: of documents that several rankers showed at different positions; which ranker answered has"
    " to be chance, and documents as relevant under each (Agarwal et al., WSDM 2019)",
    "swap": "swap: the click rate at a position beside that of the first, which a coin exchanged (Joachims et al.,"
    " WSDM 2017)",
}


@public()
def propensities(
    log: Any,
    *,
    method: str = "pbm",
    signal: str = "click",
    prior: tuple[float, float] | None = None,
    rounds: int | None = None,
    min_impressions: int = ENOUGH,
    min_documents: int = LINKING,
    alpha: float = 0.05,
    connection: duckdb.DuckDBPyConnection | None = None,
    threads: int | None = None,
    memory_limit: str | None = None,
    temp_dir: str | None = None,
    progress: bool = False,
    writes: Sequence[str] = (),
    **options: Unpack[LogOptions],
) -> Propensities:
    """Estimate how likely people look at each position, beside the first one.

    Args:
        log: a log, as `judgments` takes it.
        method: `pbm`, the position-based model by expectation and maximisation; `allpairs`, of documents that several
            rankers showed at different positions; `swap`, of positions that a coin exchanged with the first.
        signal: what is taken for a click, as for `judgments`.
        prior: clicks, and how often there was none, that are added to those of each document and position with `pbm`;
            None for nothing: a prior makes propensities too steep where documents have few impressions.
        rounds: how many rounds are learned; None until nothing moves.
        min_impressions: how many impressions a document has at both positions that it links.
        min_documents: how many such documents link two positions; 0 asks for no links.
        alpha: what the intervals leave out, 0.05 for those of 95 %.
        connection: a DuckDB connection to work on; None for one of our own.
        threads: threads of a connection of our own.
        memory_limit: memory of a connection of our own, such as `500MB`.
        temp_dir: where a connection of our own spills.
        progress: whether to show progress on stderr.
        writes: files that will be written from the result where `where` locks the connection.
        **options: how the log is read and which rows count; see `LogOptions`.

    Returns:
        The propensities, and which positions share documents.

    Raises:
        UsageError: the request cannot be carried out as written.
        DataError: the log is missing, unreadable or contradicts itself; positions share no documents; or two starts
            end in two places.
        ResourceError: memory or disk ran out.
    """
    check_alpha(alpha)
    if method not in PROPENSITY_METHODS:
        raise not_known("--method", method, PROPENSITY_METHODS)
    asked = Asked(method, prior_of(prior) or Prior(0, 0), rounds, min_impressions, min_documents, alpha=alpha)
    settings = {"threads": threads, "memory_limit": memory_limit, "temp_dir": temp_dir}
    engine, opened = session_on(log, signal_of(signal), options, connection, progress, writes, settings)
    with closed_on_error(engine):
        session = opened()
        found = swapped(engine, session, alpha) if method == "swap" else Examining(engine, session, asked).examined()
        return Propensities(engine, session, asked, found)


class Propensities(OpenResult, Charted):
    """How likely people look at each position, beside the first one.

    It holds a database connection; use it as a context manager, or call `close()`.
    """

    offered = "links metadata method origin plot"

    links: list[dict[str, int]]
    """Each two positions that share documents: position, other and how many, `pairs`."""

    def __init__(self, engine: DuckDBEngine, session: Session, asked: Asked, found: Examination) -> None:
        super().__init__(engine)
        self.method, self.session, self.notes = asked.method, session, session.notes
        self.links = [{"position": one.position, "other": one.other, "pairs": one.pairs} for one in found.links]
        self.origin = {"method": self.method} | session.origin()
        self._lines = found.lines
        self._table = self.stored("propensity_rows", stored_types(PROPENSITIES), found.rows)

    @property
    def rows(self) -> duckdb.DuckDBPyRelation:
        """A row for each position: position, propensity, low, high, impressions and clicks."""
        return self._every_row(self._table)

    @property
    def metadata(self) -> dict[str, str]:
        """What a Parquet file of them says of where they come from."""
        return {"sqlrank": __version__, "contents": CONTENTS, "behaviour": json.dumps(self.origin)}

    def remarks(self) -> list[str]:
        """The lines below the rows: what was settled, and how they were estimated."""
        return [*self.session.settled.lines, ASSUMES[self.method], *self._lines]
