"""How likely each position is looked at: estimated from a log, with intervals, or told by a table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from sqlrank.behaviour.folder import Folder
from sqlrank.behaviour.identified import FINER, MOST_ROUNDS, Link, Start, check_linked, check_mix, check_starts, scaled
from sqlrank.behaviour.learning import Learned, Positions
from sqlrank.behaviour.methods import Prior
from sqlrank.behaviour.session import Session
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, counted
from sqlrank.inputs.duckdb_tables import open_table
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.required_roles import need
from sqlrank.inputs.roles import find_roles
from sqlrank.spelling import spelt
from sqlrank.statement.templates import sql_text
from sqlrank.statistics.estimate import ends_of_ratio
from sqlrank.statistics.matrices import product

GROUPS = 64
"""In how many groups what is independent is put: how much their clicks differ says how sure a propensity is."""
FEWEST_GROUPS = 8
"""Below so many groups there is no interval."""
KIND = "propensities"


@dataclass(frozen=True, slots=True)
class Asked:
    """How propensities are estimated."""

    method: str
    prior: Prior
    rounds: int | None = None
    enough: int = 50
    """How many impressions a document has at both positions that it links."""
    linking: int = 10
    """How many such documents link two positions."""
    alpha: float = 0.05


@dataclass(slots=True)
class Examination:
    """What was estimated."""

    rows: list[dict[str, Any]]
    """position, propensity, low, high, impressions and clicks."""
    links: list[Link] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)


class Examining:
    """Estimates the propensities of a log."""

    def __init__(self, engine: DuckDBEngine, session: Session, asked: Asked) -> None:
        self.engine, self.session, self.asked = engine, session, asked
        self.sql = Folder(engine, prefix="examined_")
        self.degrees = 0

    def examined(self) -> Examination:
        """The propensities, of which that of the first position is 1."""
        unit = self.session.log.unit
        impressions = self.session.cells.impressions([] if unit == "impression_id" else [unit])
        cells = self.sql.keep("cells", impressions=impressions, sequence=False, day=None)
        places = {row["position"]: row for row in self.sql.rows("examined/places", cells=cells)}
        label = self.session.log.label
        mixed = check_mix(self.engine, self.session.log) if self.asked.method == "allpairs" else None
        found = check_linked(self.engine, label, cells, self.asked.enough, self.asked.linking)
        numbered, counted = self.of_documents(cells) if self.asked.method == "pbm" else self.of_places(cells)
        apart, first = check_starts(self.engine, label, counted)
        model, learned = self.learned(counted, first)
        values = scaled(model.propensities())
        grouped = self.sql.keep(
            "grouped",
            f"examined/groups_{self.asked.method}",
            impressions=impressions,
            cells=cells,
            numbered=numbered,
            unit=unit,
            groups=GROUPS,
        )
        errors = self.standard_errors(model, grouped)
        rows = [self.row(position, value, errors, places[position]) for position, value in values.items()]
        return Examination(rows, found, [*([] if mixed is None else [mixed]), *self.lines(learned, apart, errors)])

    def of_documents(self, cells: Markup) -> tuple[Markup, Markup]:
        """The cells by the numbers of their pairs."""
        numbered = self.sql.keep("numbered", "learning/pairs", rows_of=cells)
        return numbered, self.sql.keep("counted", "learning/counted", cells=cells, numbered=numbered)

    def of_places(self, cells: Markup) -> tuple[Markup | None, Markup]:
        """The click rates of the documents that each two positions share."""
        return None, self.sql.keep("counted", "examined/allpairs", cells=cells)

    def learned(self, counted: Markup, first: Start) -> tuple[Positions, Learned]:
        """The position-based model of the log; of pairs of positions without a prior."""
        prior, rounds = self.asked.prior, self.asked.rounds
        if rounds is None and (self.asked.method == "allpairs" or not (prior.a or prior.b)):
            return first.model, first.learned
        model = Positions(self.engine, counted, prior)
        model.begin()
        return model, model.learn(MOST_ROUNDS if rounds is None else rounds, FINER if rounds is None else None)

    def standard_errors(self, model: Positions, grouped: Markup) -> dict[int, float]:
        """The standard error of each propensity after the first, from how much groups of units differ."""
        positions, bread = model.covariance()
        pulls: dict[int, dict[int, float]] = {}
        for row in self.sql.rows("examined/scores", grouped=grouped, **model.tables):
            pulls.setdefault(row["unit_group"], {})[row["position"]] = float(row["pull"])
        if bread is None or len(pulls) < FEWEST_GROUPS:
            return {}
        vectors = [[of_group.get(position, 0.0) for position in positions] for of_group in pulls.values()]
        middles = [sum(column) / len(vectors) for column in zip(*vectors, strict=True)]
        centred = [[value - middle for value, middle in zip(row, middles, strict=True)] for row in vectors]
        meat = product(list(zip(*centred, strict=True)), centred)
        variance = product(product(bread, meat), bread)
        factor = len(vectors) / (len(vectors) - 1)
        self.degrees = len(vectors) - 1
        return {position: math.sqrt(factor * variance[n][n]) for n, position in enumerate(positions)}

    def row(self, position: int, value: float, errors: Mapping[int, float], place: Mapping[str, int]) -> dict[str, Any]:
        """A position with its propensity; the interval of its logarithm, so that its ends are above 0."""
        low = high = 1.0 if value == 1 else None
        if position in errors and value > 0:
            low, high = ends_of_ratio(value, errors[position] / value, self.asked.alpha, self.degrees)
        return {"position": position, "propensity": value, "low": low, "high": high} | {
            name: place[name] for name in ("impressions", "clicks")
        }

    def lines(self, learned: Learned, apart: float, errors: Mapping[int, float]) -> Iterator[str]:
        """How the propensities came about."""
        yield learned.line
        yield f"two starts end at most {apart:.4f} apart"
        prior = self.asked.prior
        if self.asked.method == "pbm" and (prior.a or prior.b):
            yield f"prior {prior.a:g},{prior.b:g}: it makes propensities too steep, which the intervals leave out"
        if not errors:
            yield f"no intervals: fewer than {FEWEST_GROUPS} groups of independent units"


def open_propensities(engine: DuckDBEngine, data: Any) -> tuple[Markup, str]:
    """The relation of positions and their propensities, and what it is called.

    Raises:
        DataError: a column is missing, a position appears twice or is no whole number, or a propensity is not above 0.
    """
    if isinstance(data, Mapping):
        label, name = "the propensities", engine.name("propensities_given")
        engine.load(name, {"position": "bigint", "propensity": "double"}, [list(data), list(data.values())])
        reader: Any = sql_text(engine.dialect.ident(name))
        columns = {"position": "position", "propensity": "propensity"}
    else:
        roles = find_roles(open_table(engine, data, KIND, Reading()), KIND, Reading())
        need(roles, KIND, ("position", "propensity"))
        label, reader, columns = roles.table.label, roles.table.reader, roles.names
    relation = Folder(engine).keep("propensities", reader=reader, **columns)
    wrong = Folder(engine, "facts").row("propensities", propensities=relation)
    if wrong["findings"]:
        raise DataError(
            f"{label}: each position, a whole number from 1 on, has one propensity above 0; position"
            f" {wrong['position']} has {wrong['propensity']} in {counted(wrong['rows_of'], 'row')}"
        )
    return relation, label


def check_covered(engine: DuckDBEngine, cells: Markup, propensities: Markup, label: str) -> None:
    """Raise DataError if a position of the cells has no propensity."""
    found = Folder(engine, "facts").row("uncovered", cells=cells, propensities=propensities)
    if found["rows_of"]:
        share = 100 * found["rows_of"] / found["rows_read"]
        raise DataError(
            f"{label}: position {found['position']} has no propensity; {share:.1f} % of the rows are at such positions;"
            f" add them, or leave out positions so far down with {spelt('shown_depth', found['deepest'] or 1)}"
        )
