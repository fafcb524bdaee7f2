"""What other tools mean by a metric: their conventions and parameters, and what sqlrank refuses to follow."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from sqlrank.errors import UsageError, no_such_word
from sqlrank.metrics.catalogue import typed_values
from sqlrank.metrics.measure import Measure, Metric, Value
from sqlrank.spelling import OptionGap, spelt


class Scale(NamedTuple):
    """Labels of one kind."""

    most: float | None
    """The largest; None where there is none. The least is 0."""
    whole: bool
    """Whether they are whole numbers."""


SCALES = {
    "0 or 1": Scale(1, whole=True),
    "from 0 to 1": Scale(1, whole=False),
    "whole numbers from 0 to 30": Scale(30, whole=True),
    "whole numbers from 0 to 31": Scale(31, whole=True),
    "0 or more": Scale(None, whole=False),
}
"""What labels may be for a tool, as tools.toml and messages say it."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One metric of a tool."""

    parameters: Mapping[str, Value]
    """How the tool has it; what is not named here is as in sqlrank."""
    cutoffs: str
    """`any`, `with` or `without`: the form of the metric that this is about."""
    ranking: str
    """The ranking of the tool that it is computed over; empty where the tool has only one."""
    when: Mapping[str, Value]
    """The parameters for which this holds; empty for the general form."""
    name: str
    """What the tool calls it."""
    labels: str
    """Which labels it is about, one of SCALES; empty where any."""
    otherwise: str
    """What the tool does with other labels."""

    def holds_for(self, values: Mapping[str, Value]) -> bool:
        """Whether a measure has the gain and the scale of the tool, rather than some that were asked for instead."""
        return all(values.get(name) == self.parameters[name] for name in ("gain", "max") if name in self.parameters)


@dataclass(frozen=True, slots=True, eq=False)
class Preset:
    """The conventions of one tool, and its metrics."""

    name: str
    title: str
    """The tool and version."""
    sets: str
    """What the preset sets, in one line."""
    conventions: Mapping[str, Any]
    rankings: Mapping[str, Mapping[str, Any]]
    """Conventions that differ between the metrics of the tool, by the name of the ranking."""
    positive: frozenset[str]
    """Metrics for which the tool takes a document with a score of 0 or less for one that is not relevant."""
    one_table: bool
    """Whether the tool sees one table of documents that were returned, each with its label."""
    border: float | None
    """The relevance above which the tool takes a document for relevant, whatever the level; None where it has one."""
    whole_grades: bool
    """Whether the tool reads relevances as whole numbers."""
    long_enough: Mapping[str, str]
    """Metrics that the tool has otherwise where a ranking is shorter than the cutoff: `always`, or where it also has
    fewer documents than are `relevant`."""
    all_relevant: frozenset[str]
    """Metrics for which the tool takes every row of the judgments for relevant, whatever its number."""
    given_ranks: bool
    """Whether the tool reads places from a rank column rather than from scores."""
    typed_ids: bool
    """Whether the tool orders documents of equal score by the type of their ids: numbers as numbers, text as text."""
    trec_version: int
    claims: Mapping[str, tuple[Claim, ...]]
    refused: Mapping[str, str]
    """Metrics of the tool that sqlrank does not follow, and why."""

    def parameters(self, metric: Metric, cutoff: bool, text: str) -> Mapping[str, Value]:
        """The parameters of a metric as the tool has them; UsageError if it has none, or one that we do not follow."""
        return self.claim(metric.name, cutoff, {}, text).parameters

    def claim(self, name: str, cutoff: bool, values: Mapping[str, Value], text: str) -> Claim:
        """The claim that a metric with or without cutoff falls under, or UsageError."""
        forms = [
            claim for claim in self.claims.get(name, ()) if claim.cutoffs in ("any", "with" if cutoff else "without")
        ]
        for claim in forms:
            if claim.when and all(values.get(key) == value for key, value in claim.when.items()):
                return claim
        general = [claim for claim in forms if not claim.when]
        if general:
            return general[0]
        form = (" with a cutoff" if cutoff else " without a cutoff") if name in self.claims else ""
        raise UsageError(f"{text!r} like {self.title}: {self.refusal(name) or f'it has no {name}{form}'}")

    def refusal(self, name: str, spell: Callable[..., str] = spelt) -> str | None:
        """Why a metric of the tool is not followed; None where nothing says it."""
        said = self.refused.get(name)
        return None if said is None else said.format(option=OptionGap(spell))

    def check(self, measures: Iterable[Measure]) -> None:
        """Raise UsageError if the tool computes the metrics over different rankings."""
        found = self.by_ranking(measures)
        if len(found) > 1:
            groups = "; ".join(", ".join(texts) for texts in found.values())
            raise UsageError(
                f"{self.title} treats ties or queries of these metrics differently; ask for them apart: {groups}"
            )

    def by_ranking(self, measures: Iterable[Measure]) -> dict[str, list[str]]:
        """The texts of measures by the ranking of the tool that each is computed over."""
        found: dict[str, list[str]] = {}
        for measure in measures:
            cutoff = measure.k not in (None, measure.metric.whole)
            claim = self.claim(measure.metric.name, cutoff, dict(measure.values), measure.text)
            if claim.ranking:
                found.setdefault(claim.ranking, []).append(measure.text)
        return found

    def labels_of(self, measure: Measure) -> Claim | None:
        """The claim of a measure that is about some labels only; None where it is about all."""
        cutoff = measure.k not in (None, measure.metric.whole)
        values = dict(measure.values)
        claim = self.claim(measure.metric.name, cutoff, values, measure.text)
        bounded = claim.labels and SCALES[claim.labels].most is not None
        return claim if claim.labels and (not bounded or claim.holds_for(values)) else None

    def conventions_for(self, measures: Iterable[Measure]) -> dict[str, Any]:
        """The conventions for these measures."""
        settled = dict(self.conventions)
        for ranking in self.by_ranking(measures):
            settled |= self.rankings[ranking]
        return settled


MISSPELT = 0.7
"""How much alike a tool's name and another are at least, where one is offered for the other."""


@cache
def presets() -> dict[str, Preset]:
    """Every preset by name."""
    data = tomllib.loads(Path(__file__).with_name("tools.toml").read_text(encoding="utf-8"))
    return {name: read_preset(name, entry) for name, entry in data.items()}


def read_preset(name: str, entry: dict[str, Any]) -> Preset:
    """One table of tools.toml."""
    claims = {
        metric: tuple(read_claim(form) for form in (forms if isinstance(forms, list) else [forms]))
        for metric, forms in entry["metrics"].items()
    }
    return Preset(
        name=name,
        title=entry["title"],
        sets=entry["sets"],
        conventions=entry.get("conventions", {}),
        rankings=entry.get("rankings", {}),
        positive=frozenset(entry.get("positive", ())),
        one_table=entry.get("one_table", False),
        border=entry.get("border"),
        whole_grades=entry.get("whole_grades", False),
        long_enough=entry.get("long_enough", {}),
        all_relevant=frozenset(entry.get("all_relevant", ())),
        given_ranks=entry.get("given_ranks", False),
        typed_ids=entry.get("typed_ids", False),
        trec_version=entry.get("trec_version", 10),
        claims=claims,
        refused=entry.get("refused", {}),
    )


def read_claim(form: dict[str, Any]) -> Claim:
    """One form of a metric."""
    given = dict(form)
    cutoffs, ranking, name = given.pop("cutoffs", "any"), given.pop("ranking", ""), given.pop("as")
    labels = given.pop("labels", {"are": "", "otherwise": ""})
    return Claim(
        labels=labels["are"],
        otherwise=labels["otherwise"],
        cutoffs=cutoffs,
        ranking=ranking,
        name=name,
        when=typed_values(given.pop("when", {})),
        parameters=typed_values(given),
    )


def find_preset(name: str | None) -> Preset | None:
    """The preset of a name; None for None, UsageError if there is none of that name."""
    if name is None or name in presets():
        return None if name is None else presets()[name]
    raise no_such_word(spelt("like", name), name, presets(), alike=MISSPELT)
