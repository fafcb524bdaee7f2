"""Labels of pairs of a query and a document, by a method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from sqlrank.behaviour.examination import check_covered
from sqlrank.behaviour.folder import Folder
from sqlrank.behaviour.identified import check_linked, check_starts
from sqlrank.behaviour.learning import ROUNDS, TOLERANCE, Network, Positions
from sqlrank.behaviour.methods import Method, Prior, method_of, prior_of
from sqlrank.behaviour.options import ENOUGH, LINKING
from sqlrank.behaviour.session import Cells
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import UsageError
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render, sql_text
from sqlrank.statistics.student import quantile

UNTOLD = 0.2
"""From which standard deviation of 1 / (1 + shape) on the log does not tell the strength of its prior."""
NAMES = (
    *("beta_fraction", "beta_power", "beta_below", "beta_middle", "beta_ends", "beta_start", "halley"),
    *("quantile_of_beta", "gamma_below", "gamma_start", "quantile_of_gamma"),
)
"""The functions of quantiles, each of which reads those before it alone."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """How labels are estimated."""

    method: Method
    prior: Prior | None
    no_click: str = "examined"
    rounds: int | None = None
    """How many rounds are learned; None until nothing moves."""
    clip: float = 10
    """How much a click is worth at most, where it is weighted by its propensity."""
    fewest: int = 10
    """How many impressions a pair has at least."""
    linking: int = LINKING
    """How many documents link two positions, where their propensities are learned; 0 asks for no links."""
    alpha: float = 0.05


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


@dataclass(slots=True)
class Labels:
    """The labels of a method."""

    relation: Markup
    """query_id, doc_id, relevance, low, high, impressions, clicks."""
    lines: list[str] = field(default_factory=list)
    """How they came about."""


def prior_in_words(found: Mapping[str, float]) -> str:
    """What the prior is that the rates of a log tell, and how well they tell it."""
    strength = found["strength"]
    worth = f"{strength:,.0f}" if strength >= 10 else f"{strength:.2g}"
    line = f"prior: the click rate of the query, worth up to {worth} impressions"
    if found["doubt"] > UNTOLD:
        return f"{line}, a weak prior of about half a click: the log says little about how far rates differ"
    return f"{line} by how far the rates of documents differ (marginal likelihood)"


class Estimating:
    """Makes the labels of a log, of its cells or its impressions."""

    def __init__(self, engine: DuckDBEngine, cells: Cells, asked: Estimate, propensities: Markup | None = None) -> None:
        self.engine, self.cells, self.asked, self.propensities = engine, cells, asked, propensities
        self.sql = Folder(engine, prefix="log_", prior=asked.prior, clip=asked.clip)
        self.made: Markup | None = None

    def check_covered(self, label: str) -> None:
        """Raise DataError if a position of the log has no propensity."""
        assert self.propensities is not None  # noqa: S101 they were told
        check_covered(self.engine, self.counted(), self.propensities, label)

    def counted(self) -> Markup:
        """The cells, made once."""
        if self.made is None:
            method = self.asked.method
            self.made = self.cells.counted(method.reads == "sequence", self.asked.no_click, method.graded)
        return self.made

    def labels(self) -> Labels:
        """The labels, of pairs of whatever number of impressions."""
        method = self.asked.method
        tables: dict[str, Any]
        lines: list[str] = []
        if method.reads == "sessions":
            tables, lines = self.network()
        else:
            counted = self.counted()
            tables = {"cells": counted, "propensities": self.propensities}
            if method.learns is not None:
                learned, lines = self.positions(counted)
                tables |= learned
            if method.prior == "likelihood" and self.asked.prior is None:
                tables["found"] = self.sql.row("strength", cells=counted)
                lines = [prior_in_words(tables["found"])]
        estimates = self.sql.keep("estimates", f"methods/{method.name}", **tables)
        return Labels(self.with_ends(estimates), lines)

    def with_ends(self, estimates: Markup) -> Markup:
        """The labels with their intervals."""
        alpha = self.asked.alpha
        context = {"estimates": estimates, "z": quantile(1 - alpha), "tail": alpha / 2, "exact": True}
        functions = quantile_functions(self.engine) if self.asked.method.interval in ("beta", "gamma") else {}
        return self.sql.keep("labels", f"intervals/{self.asked.method.interval}", f=functions, **context)

    def positions(self, cells: Markup) -> tuple[Mapping[str, Any], list[str]]:
        """What is learned of the position-based model."""
        numbered = self.sql.keep("numbered", "learning/pairs", rows_of=cells)
        counted = self.sql.keep("counted", "learning/counted", cells=cells, numbered=numbered)
        assert self.asked.prior is not None  # noqa: S101 every method that learns has one
        if self.propensities is None and self.asked.linking:
            label = self.cells.log.label
            check_linked(self.engine, label, cells, ENOUGH, self.asked.linking)
            check_starts(self.engine, label, counted)
        model = Positions(self.engine, counted, self.asked.prior, known=self.propensities)
        model.begin()
        learned = model.learn(**self.until())
        tables = {
            "numbered": numbered,
            "counted": counted,
            "covariance": None if self.propensities else self.spread(model),
        }
        return tables | {"attraction": model.now.attraction, "examination": model.now.examination}, [learned.line]

    def spread(self, model: Positions) -> Markup | None:
        """The table of how propensities that were learned vary together; None where the log does not say it."""
        positions, matrix = model.covariance()
        if matrix is None:
            return None
        rows = [(one, other, matrix[i][j]) for i, one in enumerate(positions) for j, other in enumerate(positions)]
        name = self.engine.name("log_covariance")
        kinds = {"position": "bigint", "other": "bigint", "variance": "double"}
        self.engine.load(name, kinds, [list(column) for column in zip(*rows, strict=True)] or [[], [], []])
        return sql_text(self.engine.dialect.ident(name))

    def network(self) -> tuple[dict[str, Any], list[str]]:
        """What is learned of the dynamic Bayesian network."""
        impressions = self.cells.impressions()
        numbered = self.sql.keep("numbered", "learning/pairs", rows_of=impressions)
        sessions = self.sql.keep("sessions", "learning/sessions", impressions=impressions, numbered=numbered)
        places = self.sql.keep("places", "learning/places", sessions=sessions)
        assert self.asked.prior is not None  # noqa: S101 every method that learns has one
        model = Network(self.engine, places, self.asked.prior)
        learned = model.learn(**self.until())
        said = f"people go on to the next document with probability {model.going_on():.4f}"
        return {"numbered": numbered, "learned": model.learned}, [learned.line, said]

    def until(self) -> dict[str, Any]:
        """When learning ends."""
        told = self.asked.rounds
        return {"rounds": ROUNDS, "tolerance": TOLERANCE} if told is None else {"rounds": told, "tolerance": None}


def quantile_functions(engine: DuckDBEngine) -> dict[str, str]:
    """Make the functions on a connection; their names there."""
    names = {name: engine.name(f"sqlrank_{name}") for name in NAMES}
    engine.execute(render("behaviour/functions.sql", engine.dialect, f=names))
    engine.made += [("macro", name) for name in names.values()]
    return names
