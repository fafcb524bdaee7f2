"""Propensities of positions from the arguments of a call, and their result."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Unpack

import duckdb

from sqlrank.arguments import public
from sqlrank.behaviour.asked import signal_of
from sqlrank.behaviour.columns import PROPENSITIES
from sqlrank.behaviour.examination import Asked, Examination, Examining
from sqlrank.behaviour.folder import Folder
from sqlrank.behaviour.methods import Prior, prior_of
from sqlrank.behaviour.options import PropensityOptions
from sqlrank.behaviour.session import Session, session_on
from sqlrank.columns import stored_types
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.open_result import OpenResult, closed_on_error
from sqlrank.errors import DataError, counted
from sqlrank.presentation import Charted
from sqlrank.spelling import spelt
from sqlrank.statistics.estimate import ends_of_ratio
from sqlrank.version import __version__

CONTENTS = "propensities"
"""What the metadata of a Parquet file calls them."""
ASSUMES = {
    "pbm": "pbm: whether a position is looked at depends on the position alone; estimated with the attraction of each"
    " document (position-based model)",
    "allpairs": "allpairs: estimated from documents that several rankers showed at different positions; which ranker"
    " answered has to be random, and documents as relevant under each (Agarwal et al., WSDM 2019)",
    "swap": "swap: the click rate at a position relative to that of the first, after random swaps (Joachims et al.,"
    " WSDM 2017)",
}


@public(record=PropensityOptions)
def propensities(log: Any, **options: Unpack[PropensityOptions]) -> Propensities:
    """Estimate examination propensities: how likely people look at each position, relative to the first one.

    Args:
        log: a log, as `judgments` takes it.
        **options: how the log is read and which rows count; see `LogOptions`.

    Returns:
        The propensities, and which positions share documents.

    Raises:
        UsageError: the request cannot be carried out as written.
        DataError: the log is missing, unreadable or contradicts itself; positions share no documents; or two starts
            end in two places.
        ResourceError: memory or disk ran out.
    """
    method, alpha = options["method"], options["alpha"]
    prior, linking = prior_of(options["prior"]) or Prior(0, 0), options["min_documents"]
    asked = Asked(method, prior, options["rounds"], options["min_impressions"], linking, alpha=alpha)
    engine, opened = session_on(log, signal_of(options["signal"]), options)
    with closed_on_error(engine):
        session = opened()
        found = swapped(engine, session, alpha) if method == "swap" else Examining(engine, session, asked).examined()
        return Propensities(engine, session, asked, found)


class Propensities(OpenResult, Charted):
    """Examination propensities: how likely people look at each position, relative to the first one.

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


def swapped(engine: DuckDBEngine, session: Session, alpha: float) -> Examination:
    """The click rate at each position relative to that of the first (Joachims, Swaminathan and Schnabel, WSDM 2017).

    Raises:
        DataError: no column says what was exchanged, or nothing was clicked at a position.
    """
    log = session.log
    if "swap" not in log.columns:
        raise DataError(
            f"{log.label} has no column that says which position was exchanged with the first by a coin; name it with"
            f" {spelt('columns', {'swap': 'NAME'})} (empty where no coin was tossed)"
        )
    found = Folder(engine, "examined").rows("swap", impressions=session.cells.impressions(["swap"]))
    if not found:
        raise DataError(f"{log.label}: no impression has a position in {log.roles['swap']}: nothing was exchanged")
    rows = [first_place(found), *(beside_first(log.label, one, alpha) for one in found)]
    return Examination(rows, [], ["only impressions in which a coin exchanged two positions count"])


def first_place(found: Sequence[Mapping[str, int]]) -> dict[str, Any]:
    """The first position, which the others are held against."""
    counts = {name: sum(one[f"first_{name}"] for one in found) for name in ("impressions", "clicks")}
    return {"position": 1, "propensity": 1.0, "low": 1.0, "high": 1.0} | counts


def beside_first(label: str, one: Mapping[str, int], alpha: float) -> dict[str, Any]:
    """A position with its propensity and the interval of its logarithm; DataError where nothing was clicked."""
    if not (one["clicks"] and one["first_clicks"]):
        raise DataError(
            f"{label}: nothing was clicked at position {one['position']}, or at the first, in the"
            f" {counted(one['impressions'], 'impression')} that exchanged them: wait for more of the log"
        )
    ratio = one["clicks"] / one["impressions"] * one["first_impressions"] / one["first_clicks"]
    parts = (1 / one["clicks"], -1 / one["impressions"], 1 / one["first_clicks"], -1 / one["first_impressions"])
    low, high = ends_of_ratio(ratio, math.sqrt(max(sum(parts), 0)), alpha)
    counts = {name: one[name] for name in ("impressions", "clicks")}
    return {"position": one["position"], "propensity": ratio, "low": low, "high": high} | counts
