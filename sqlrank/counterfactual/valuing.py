"""Values of candidates on a log: which estimators, what the log supports, and the rows of the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from sqlrank.behaviour.examination import Asked as Examined
from sqlrank.behaviour.examination import Examining, check_covered, open_propensities
from sqlrank.behaviour.folder import Folder
from sqlrank.behaviour.methods import Prior
from sqlrank.behaviour.session import Session
from sqlrank.counterfactual.asking import Asked
from sqlrank.counterfactual.candidates import Candidates
from sqlrank.counterfactual.empirical import Empirical
from sqlrank.counterfactual.estimators import Estimator, estimator_of, estimators_of
from sqlrank.counterfactual.logged import Logged, known_propensities
from sqlrank.counterfactual.lower_bounds import BOUNDED
from sqlrank.counterfactual.measures import Measure
from sqlrank.counterfactual.randomness import Randomness, randomness_of
from sqlrank.counterfactual.unit_sums import UnitSums
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, UsageError, counted, shortened
from sqlrank.spelling import spelt

ALWAYS_EMPIRICAL = ("pbm", "document", "dcg")
"""The models that ask for no propensities of the ranker."""


@dataclass(slots=True)
class Estimated:
    """What one way of knowing propensities makes of a log."""

    measures: list[Measure]
    sums: UnitSums
    scored: Markup
    source: Empirical | Logged


@dataclass(slots=True)
class Known:
    """How likely positions are looked at, and where that comes from."""

    relation: Markup
    line: str


@dataclass(slots=True)
class Valuing:
    """Estimates the values of candidates."""

    engine: DuckDBEngine
    session: Session
    candidates: Candidates
    asked: Asked
    propensities: Any = None
    expected: Any = None
    lines: list[str] = field(default_factory=list)
    """How the values came about."""
    randomness: Randomness = field(default_factory=Randomness)
    impressions: Markup = field(init=False)
    """A row for each document shown, as it counts."""
    cells: Markup = field(init=False)
    queries: Markup | None = None
    """What is known of each query, where the log's own variety tells propensities."""

    @property
    def reward(self) -> str:
        """The column of what is earned."""
        return "grade" if self.session.counting.signal.kind == "best" else "clicked"

    @property
    def unit(self) -> str | None:
        """The column of what is independent; None for impressions."""
        unit = self.session.log.unit
        return None if unit == "impression_id" else unit

    def estimated(self) -> list[Estimated]:
        """The estimates, of estimators that read the log's propensities and of those that do not."""
        log = self.session.log
        carried = [name for name in ("user_id", "session_id", "system") if name in log.columns]
        self.impressions = self.session.cells.impressions([*carried, *known_propensities(log)])
        sql = Folder(self.engine, room="counterfactual", prefix="value_", doing="counting")
        self.cells = sql.keep("cells", impressions=self.impressions, reward=self.reward)
        self.check_answered(sql)
        logged = self.logged() if known_propensities(log) else None
        chosen = self.asked.estimators or self.defaults(logged)
        self.check(chosen, logged)
        of_logged = [one for one in chosen if logged is not None and one.model not in ALWAYS_EMPIRICAL]
        of_cells = [one for one in chosen if one not in of_logged]
        made = []
        if logged is not None and of_logged:
            measures = logged.measures(of_logged)
            scored = logged.scored(measures, self.unit, self.reward, self.cells)
            made.append(self.summed(measures, scored, logged))
            if any(one.model == "expected" for one in of_logged):
                self.lines.append(logged.expected.line)
        if of_cells:
            made.append(self.of_cells(of_cells))
        return made

    def check_answered(self, sql: Folder) -> None:
        """Say how many queries of the log have no results; DataError if none has."""
        if self.candidates.by_impression:
            return
        found = sql.row("facts/answered", cells=self.cells, entries=self.candidates.entries)
        if known_propensities(self.session.log) and (missing := found["queries"] - found["answered"]):
            said = counted(missing, "query", "has", "have", " of the log")
            self.lines.append(f"{said} no results: no documents are shown for them")
        if not found["answered"]:
            raise DataError(
                f"{self.candidates.label}: it answers no query of {self.session.log.label}, which has"
                f" {shortened(str(found['log_example']))!r} where it has {shortened(str(found['run_example']))!r}; are"
                f" these the columns of queries ({spelt('columns', {'query_id': 'NAME'})},"
                f" {spelt('run_columns', {'query_id': 'NAME'})})?"
            )

    def logged(self) -> Logged:
        """The estimators that read the log's propensities."""
        return Logged(self.engine, self.session.log, self.impressions, self.candidates, self.asked, self.expected)

    def defaults(self, logged: Logged | None) -> list[Estimator]:
        """The estimators where none is asked for."""
        told = ["pbm"] if self.propensities is not None else []
        return estimators_of([*(["item-position"] if logged is None else logged.defaults()), *told])

    def check(self, chosen: Sequence[Estimator], logged: Logged | None) -> None:
        """Raise UsageError for an estimator, or an option, that the log has no use for."""
        label = self.session.log.label
        for one in chosen:
            if logged is None and one.model in ("cascade", "list", "expected"):
                raise UsageError(
                    f"{spelt('estimators', one.name)} needs propensities in the log, and {label} has none; name their"
                    f" column with {spelt('columns', {'propensity': 'NAME'})} (of a document at its position),"
                    " propensity_prefix=NAME or propensity_list=NAME, or choose item-position, pbm or document"
                )
            if logged is None and one.normalised and one.model == "item-position":
                raise UsageError(
                    f"{spelt('estimators', one.name)}: propensities that the log's own variety tells sum to 1 by"
                    " themselves; choose item-position"
                )
        weighted = logged is not None and any(one.model not in ALWAYS_EMPIRICAL for one in chosen)
        if self.asked.clip is not None and not weighted:
            raise UsageError(f"{spelt('clip')} is for weights by propensities of the log; leave it out")
        if self.expected is not None and not any(one.model == "expected" for one in chosen):
            raise UsageError(
                f"{spelt('expected')} is for dr, sn-dr, switch-dr, dr-os and dm; leave it out, or choose one"
            )
        if self.propensities is not None and not any(one.examines for one in chosen):
            raise UsageError(
                f"{spelt('propensities')} is for pbm, ips_dcg@K and snips_dcg@K; leave it out, or choose one"
            )
        self.check_bounded(chosen, logged)
        if self.candidates.by_impression and any(logged is None or one.model in ALWAYS_EMPIRICAL for one in chosen):
            raise UsageError(
                f"{self.candidates.label} has probabilities by impression, which only a log with propensities has a"
                " use for; give a policy by query (query_id, doc_id, position, propensity) or a ranking"
            )

    def check_bounded(self, chosen: Sequence[Estimator], logged: Logged | None) -> None:
        """Raise UsageError for a bound that does not hold."""
        plain = all(one.model in ("item-position", "cascade", "list") and not one.normalised for one in chosen)
        if self.asked.interval in BOUNDED and (logged is None or not plain or self.unit is not None):
            raise UsageError(
                f"{spelt('interval', self.asked.interval)} is for item-position, cascade and list by propensities of"
                " the log, and for impressions that are independent (without users or sessions); choose delta or"
                " student"
            )

    def of_cells(self, chosen: Sequence[Estimator]) -> Estimated:
        """The estimates by what the log's own variety tells."""
        known = self.examined() if any(one.examines for one in chosen) else None
        if known is not None:
            self.lines.append(known.line)
        relation = None if known is None else known.relation
        organic = bool(self.session.settled.excluded.get("ads")) and not self.candidates.policies
        if organic:
            self.lines.append("ads keep their positions: rankings fill those of each query that are none, in order")
        source = Empirical(self.engine, self.cells, self.candidates, relation, self.asked, organic)
        self.randomness = randomness_of(self.engine, self.session.log, self.impressions, source.reached)
        self.lines += self.randomness.lines
        distinct = {one.name.removeprefix("sn"): estimator_of(one.name.removeprefix("sn")) for one in chosen}
        self.queries = source.by_query(list(distinct.values()))
        measures = source.measures(chosen)
        scored = source.scored(measures, self.impressions, self.unit, self.reward)
        return self.summed(measures, scored, source)

    def summed(self, measures: Sequence[Measure], scored: Markup, source: Empirical | Logged) -> Estimated:
        """Estimates of measures."""
        return Estimated(
            list(measures), UnitSums(self.engine, measures, scored, self.unit, source.sql.prefix), scored, source
        )

    def examined(self) -> Known:
        """How likely positions are looked at: as told, or learned of the log.

        Raises:
            DataError: a position of the log has none, or the log cannot tell them.
        """
        if self.propensities is not None:
            relation, label = open_propensities(self.engine, self.propensities)
            check_covered(self.engine, self.cells, relation, label)
            return Known(relation, f"propensities of positions: {label}, taken as they are")
        asked = Examined("pbm", Prior(0, 0), alpha=self.asked.alpha)
        rows = Examining(self.engine, self.session, asked).examined().rows
        told = {row["position"]: row["propensity"] for row in rows}
        relation, _ = open_propensities(self.engine, told)
        return Known(
            relation,
            "propensities of positions: learned of the same log (position-based model, as log propensities does);"
            " the intervals take them as they are",
        )
