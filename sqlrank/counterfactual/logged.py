"""Values by propensities that the log holds: of documents at their positions, of prefixes, or of whole lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from sqlrank.behaviour.folder import Folder
from sqlrank.behaviour.opened_log import Log
from sqlrank.counterfactual.asking import Asked
from sqlrank.counterfactual.candidates import Candidates
from sqlrank.counterfactual.estimators import Estimator
from sqlrank.counterfactual.expected_rewards import Expected
from sqlrank.counterfactual.measures import SHOWN, Measure, Term
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, UsageError, counted
from sqlrank.inputs.column_names import OF_POLICIES
from sqlrank.spelling import spelt

ROLE_OF = {
    "item-position": "propensity",
    "cascade": "propensity_prefix",
    "expected": "propensity_prefix",
    "list": "propensity_list",
}
"""The probability that each model weights by."""
SHARE_OF = {"propensity": "share", "propensity_prefix": "prefix", "propensity_list": "list"}
"""What the same of a candidate is called."""
TRANSFORMS = {"switch-dr": "switch", "dr-os": "shrink"}
"""What becomes of the weights of some estimators."""


@dataclass(frozen=True, slots=True)
class Weighting:
    """The weights of a candidate."""

    number: int
    system: str
    place: int
    """The place of the candidate among all, from 1."""
    propensity: str
    """The column of the log."""
    share: str
    """What the same of the candidate is called."""
    transform: str
    expects: bool


def known_propensities(log: Log) -> list[str]:
    """The probabilities that a log has of what it shows."""
    return [role for role in OF_POLICIES if role in log.columns]


class Logged:
    """Weights the rows of a log by how likely candidates were to show them."""

    def __init__(
        self,
        engine: DuckDBEngine,
        log: Log,
        impressions: Markup,
        candidates: Candidates,
        asked: Asked,
        expected: Any = None,
    ) -> None:
        self.engine, self.log, self.impressions = engine, log, impressions
        self.candidates, self.asked = candidates, asked
        self.known = known_propensities(log)
        self.sql = Folder(engine, room="counterfactual", prefix="value_logged_")
        self.facts = self.sql.row("facts/propensities", known=self.known, impressions=impressions)
        self.check()
        self.single = self.facts["positions"] == 1
        self.examined = "propensity" in self.known and self.of_positions()
        """Whether what is called propensity depends on the position alone, as that of looking at one does."""
        self.weightings: dict[tuple[str, str, str, bool], Weighting] = {}
        self.expected = Expected(engine, candidates, expected)
        self.positions: list[dict[str, Any]] = []

    def check(self) -> None:
        """Raise DataError if a propensity of the log is none."""
        for role in self.known:
            if self.facts[role]:
                raise DataError(
                    f"{self.log.label}: {counted(self.facts[role], 'row', 'has', 'have')} no {role} above 0 and up to"
                    f" 1, such as {self.facts[f'{role}_example']}: what was shown had a probability"
                )

    def of_positions(self) -> bool:
        """Whether the propensity depends on the position alone, and differs between positions."""
        found = self.sql.row("facts/examined", impressions=self.impressions)
        return bool(found["alike"] == found["positions"] and found["levels"] > 1)

    def defaults(self) -> list[str]:
        """The estimators where none is asked for: those of the probability that assumes most of what is known."""
        model = next(model for model in ("item-position", "cascade", "list") if self.bears(model))
        return [model, f"sn-{model}"]

    def bears(self, model: str) -> bool:
        """Whether log and candidates have the probability of a model."""
        return self.single or (ROLE_OF[model] in self.known and self.of_candidate(ROLE_OF[model]) is not None)

    def of_candidate(self, role: str) -> str | None:
        """What the probability of a candidate is called; None where it has none."""
        if self.single or role == "propensity" or not self.candidates.policies:
            return "share" if self.single else SHARE_OF[role]
        return SHARE_OF[role] if self.candidates.by_impression and role in self.candidates.known else None

    def weighting(self, estimator: Estimator, system: str) -> Weighting:
        """The weights of a candidate under an estimator; UsageError where log or candidate lack its probability."""
        role = ROLE_OF[estimator.model]
        if role not in self.known and not self.single:
            raise UsageError(
                f"{spelt('estimators', estimator.name)} needs the {role} of what was shown, and the log has"
                f" {' and '.join(self.known)}; name its column with {spelt('columns', {role: 'NAME'})}"
            )
        share = self.of_candidate(role)
        if share is None:
            raise UsageError(
                f"{spelt('estimators', estimator.name)} needs the {role} of the policy, in a row for each document of"
                " each impression of the log (impression_id, doc_id, position); one by query has that of documents"
                " alone"
            )
        transform = TRANSFORMS.get(estimator.name, "clip" if self.asked.clip is not None else "")
        expects = estimator.model == "expected"
        key = (system, share, transform, expects)
        if key not in self.weightings:
            column = role if role in self.known else self.known[0]
            place = self.candidates.systems.index(system) + 1
            number = len(self.weightings) + 1
            self.weightings[key] = Weighting(number, system, place, column, share, transform, expects)
        return self.weightings[key]

    def measures(self, estimators: Sequence[Estimator]) -> list[Measure]:
        """The values, then the differences: each relative to what was shown, and the others relative to the first."""
        made = [measure for estimator in estimators for measure in self.of_estimator(estimator)]
        return [replace(measure, number=number) for number, measure in enumerate(made, 1)]

    def of_estimator(self, estimator: Estimator) -> Iterator[Measure]:
        """The measures of one estimator."""
        kind = "dm" if estimator.name == "dm" else estimator.model
        expects = estimator.model == "expected"
        terms = {
            system: Term(
                kind,
                weighting=self.weighting(estimator, system).number,
                normalised=estimator.normalised,
                expects=expects,
            )
            for system in self.candidates.systems
        }
        for system, term in terms.items():
            yield Measure(0, estimator, system, terms=[term])
        for system, term in terms.items():
            yield Measure(0, estimator, system, SHOWN, [term, Term("shown", scale=-1)])
        first, *others = self.candidates.systems
        for system in others:
            yield Measure(0, estimator, system, first, [terms[system], replace(terms[first], scale=-1)])

    def scored(self, measures: Sequence[Measure], unit: str | None, reward: str, cells: Markup) -> Markup:
        """Each row of the log with what it counts for."""
        weightings = list(self.weightings.values())
        expects = any(each.expects for each in weightings)
        common: dict[str, Any] = {"unit": unit, "weightings": weightings, "expects": expects}
        common |= {"by_impression": self.candidates.by_impression}
        chosen = self.chosen(common, reward, cells)
        if expects:
            common |= self.expected.prospects(chosen)
        weighted = self.sql.keep("weighted", "logged/weighted", chosen=chosen, clip=self.asked.clip, **common)
        by_position = self.sql.keep("by_position", "logged/by_position", weighted=weighted, **common)
        self.positions = self.sql.rows("facts/every_position", by_position=by_position)
        context = {"weighted": weighted, "by_position": by_position, "measures": measures, "unit": unit}
        return self.sql.view("scored", "logged/scored", **context)

    def chosen(self, common: Mapping[str, Any], reward: str, cells: Markup) -> Markup:
        """Each row with how likely the candidates are to show it."""
        entries, systems = self.candidates.entries, self.candidates.systems
        context: dict[str, Any] = {"entries": entries, "systems": systems}
        context |= {"impressions": self.impressions, "reward": reward}
        if not self.candidates.by_impression:
            context["chances"] = self.sql.keep("chances", "logged/chances", cells=cells, **context)
        sequence = not self.single and any(each.share != "share" for each in self.weightings.values())
        context |= {"known": self.known, "sequence": sequence, "seed": self.asked.seed}
        make = self.sql.keep if common["expects"] or sequence else self.sql.view
        return make("chosen", "logged/chosen", **common, **context)
