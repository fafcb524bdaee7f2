"""The request: metrics, conventions and ways of reading, parsed and validated before anything is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from math import isfinite
from numbers import Real
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sqlrank.conventions import Conventions
from sqlrank.errors import UsageError, no_option
from sqlrank.inputs.reading import Reading, named_run
from sqlrank.inputs.roles import columns_of_judgments
from sqlrank.metrics.language import (
    PLAIN,
    Language,
    asked_levels,
    columns_by_text,
    default_texts,
    judged_only,
    parse_measures,
    parts_of,
    single_measure,
)
from sqlrank.metrics.measure import Measure
from sqlrank.spelling import plain, spelt
from sqlrank.statement.column_checks import check_average, check_grade

if TYPE_CHECKING:
    from sqlrank.metrics.tools import Preset


CONVENTIONS = frozenset(item.name for item in fields(Conventions))
MADE_OF_OTHERS = frozenset(("conditions", "computed"))
"""What a reading holds that is said by other options."""
READING = frozenset(item.name for item in fields(Reading)) - MADE_OF_OTHERS


AS_THEY_ARE = MappingProxyType({"exact_labels": True})
"""The option of what shows no interval of a mean, and so needs none of a label."""
LANGUAGE = frozenset(("like", "metrics_dir"))
MOST_STATEMENTS = 32
"""How many statements of one request are kept: some hold numbers of the run."""


@dataclass(frozen=True)
class Request:
    """What one call asks for; every step of the call is handed it."""

    measures: tuple[Measure, ...]
    language: Language
    conventions: Conventions
    reading: Reading
    texts: tuple[str, ...] = ()
    """The metrics as they were asked for."""
    levels: frozenset[float] = frozenset()
    """The relevance levels that were asked for, rather than the default one."""
    given: frozenset[str] = frozenset()
    """The conventions that were given by name, rather than by `like`."""
    bounded: tuple[Measure, ...] = ()
    """The measures whose bounds are asked for."""
    statements: dict[str, str] = field(default_factory=dict, compare=False, repr=False)
    """The statements that were rendered for it, by what they were rendered from."""

    def statement(self, kind: str, given: tuple[Any, ...], make: Callable[[], str]) -> str:
        """The text of a statement, rendered where none was from the same: an evaluator asks for it with every run."""
        key = repr((kind, [measure.text for measure in self.measures], self.conventions, given))
        text = self.statements.get(key)
        if text is None:
            if len(self.statements) >= MOST_STATEMENTS:
                self.statements.clear()
            text = self.statements[key] = make()
        return text

    @property
    def preset(self) -> Preset | None:
        """The tool whose definitions are meant."""
        return self.language.preset

    @property
    def columns(self) -> dict[str, str]:
        """The column of per-query rows that holds each metric, by the text that asks for it."""
        return columns_by_text(self.texts, self.language)

    def judgments(self, qrels: Any) -> Any:
        """What holds the judgments: pairs of relevance 1 if those were given; UsageError if judgments were too."""
        if self.reading.positives is None:
            return qrels
        if qrels is not None:
            raise UsageError(f"{spelt('positives')} replaces {spelt('qrels')}: give one of them")
        return self.reading.positives

    def with_positives(self, positives: Any) -> Request:
        """The same with other pairs in place of judgments."""
        return replace(self, reading=replace(self.reading, positives=positives))

    def of(self, measures: Iterable[Measure]) -> Request:
        """The same for other measures."""
        return replace(self, measures=tuple(dict.fromkeys(measures)))

    def beside(self, judged: bool, bounds: bool, named: bool) -> Request:
        """The same with judged@k for each cutoff, and with bounds, where they are asked for.

        Raises:
            UsageError: a measure that was `named` has no bounds.
        """
        found = self
        if judged:
            cutoffs = sorted({measure.k for measure in self.measures if measure.k and measure.metric.grain == "query"})
            shares = [f"judged@{cutoff}" for cutoff in cutoffs] or ["judged"]
            found = found.of([*self.measures, *parse_measures(shares)])
        if not bounds:
            return found
        from sqlrank.evaluation.bounds import bounded

        return replace(found, bounded=tuple(bounded(self.measures, self.conventions, named)))

    def under(self, conventions: Conventions) -> Request:
        """The same under the conventions that the inputs decide."""
        return replace(self, conventions=conventions)


def language_of(options: Mapping[str, Any], texts: bool = False) -> Language:
    """What texts of metrics mean under these options."""
    preset = preset_of(options.get("like"))
    rel = options.get("rel", preset.conventions.get("rel", 1.0) if preset else 1.0)
    top = options.get("top_relevance")
    top = None if top is None else level_of(top, "top_relevance")
    return Language(level_of(rel), options.get("metrics_dir"), preset, texts, top=top)


def preset_of(like: str | None) -> Preset | None:
    """The tool of `like`, whose definitions are read if there is one."""
    if like is None:
        return None
    from sqlrank.metrics.tools import find_preset

    return find_preset(like)


def level_of(rel: Any, option: str = "rel") -> float:
    """A relevance level; UsageError if it is no finite number."""
    level = float("nan")
    if isinstance(rel, Real | Decimal) and not isinstance(rel, bool):
        with suppress(OverflowError):
            level = float(rel)
    if not isfinite(level):
        shown = rel if len(repr(rel)) < 40 else f"{repr(rel)[:40]}..."
        raise UsageError(f"{spelt(option, shown)} is not a finite number; give one such as 2")
    return level


def texts_of(metrics: Iterable[str] | None, options: Mapping[str, Any]) -> list[str]:
    """The metrics asked for, or the default ones: trec_eval's own where its output is asked for."""
    if not metrics and options.get("texts"):
        return ["official"]
    return list(metrics) if metrics else default_texts(language_of(options))


def request_of(metrics: str | Iterable[str] | None, options: Mapping[str, Any], texts: bool = False) -> Request:
    """The measures, conventions and ways of reading that are asked for; single options win over `like`."""
    for name in options:
        check_option(name)
    language = language_of(options, texts)
    preset = language.preset
    asked = default_texts(language) if metrics is None else [metrics] if isinstance(metrics, str) else list_of(metrics)
    measures = parse_measures(asked, language)
    parts = parts_of(asked)
    chosen = {name: value for name, value in options.items() if name in CONVENTIONS} | judged_alone(parts, options)
    conventions = Conventions(**(preset.conventions_for(measures) if preset else {}) | chosen)
    measures = with_totals(measures, language, conventions)
    levels = asked_levels(parts, language) | ({language.rel} if "rel" in options else set())
    given = frozenset(name for name, value in chosen.items() if value is not None)
    request = Request(measures, language, conventions, reading_of(options), tuple(asked), levels, given)
    if request.conventions.top_relevance is not None:
        from sqlrank.evaluation.bounds import check_top

        check_top(measures, request.conventions)
    if request.conventions.ties == "average":
        check_average(measures)
    if request.conventions.grade_of_unjudged is not None:
        check_grade(measures, request.conventions.grade_of_unjudged)
    return request


def check_option(name: str) -> None:
    """Raise UsageError if there is no option of a name."""
    known = CONVENTIONS | READING | LANGUAGE
    if name not in known:
        raise no_option(f"there is no option {name!r}", name, known)


def reading_of(options: Mapping[str, Any]) -> Reading:
    """The ways of reading among some options; None stands for one that was not given."""
    reading = {name: value for name, value in options.items() if name in READING and value is not None}
    if "judged_by" in reading:
        names = reading["judged_by"]
        reading["judged_by"] = (names,) if isinstance(names, str) else tuple(names)
    if {"by", "where", "weight"} & reading.keys():
        from sqlrank.inputs.expressions import with_expressions

        reading = with_expressions(reading)
    if {"columns", "positives"} <= reading.keys():
        reading["columns"] = columns_of_judgments(reading["columns"])
    return Reading(**reading)


def list_of(metrics: Iterable[str]) -> list[str]:
    """Metrics as a list; UsageError if they are no list of texts."""
    if isinstance(metrics, Mapping | bytes) or not isinstance(metrics, Iterable):
        raise UsageError(f"metrics are texts such as 'ndcg@10', or a list of them, not {metrics!r}")
    return list(metrics)


def judged_alone(parts: Iterable[str], options: Mapping[str, Any]) -> dict[str, str]:
    """The convention that ir_measures' `judged_only` stands for; UsageError if the option says something else."""
    asked = judged_only(parts)
    if asked is None:
        return {}
    unjudged = "remove" if asked else "nonrelevant"
    if options.get("unjudged", unjudged) != unjudged:
        raise UsageError(
            f"judged_only={asked} says {spelt('unjudged', unjudged)}; leave out"
            f" {spelt('unjudged', options['unjudged'])}"
        )
    return {"unjudged": unjudged}


def with_totals(measures: tuple[Measure, ...], language: Language, conventions: Conventions) -> tuple[Measure, ...]:
    """The measures, with trec_eval's total of num_rel; with -c it counts every positive judgment, whatever the level.

    UsageError if the total is that of another level than the rows, which only trec_eval's own output shows.
    """
    preset = language.preset
    if preset is None or not preset.name.startswith("trec_eval") or conventions.query_set != "judged":
        return measures
    if language.rel == PLAIN.rel or single_measure("num_rel", language) not in measures:
        return measures
    if language.texts:
        return tuple(dict.fromkeys((*measures, single_measure("num_rel"))))
    raise UsageError(
        f"num_rel like {preset.title}: with -c its total counts every positive judgment, not those of -l"
        f" {plain(language.rel)}; choose --format trec, which prints it so, {spelt('query_set', 'shared')}, or ask for"
        f" the metric without {spelt('like')}"
    )


def as_systems(run: Any, systems: Mapping[str, Any] | None) -> tuple[Any, Mapping[str, Any] | None]:
    """A run and systems, where a dictionary of whole runs holds systems, and not the documents of queries."""
    named = systems is None and isinstance(run, Mapping) and bool(run) and all(map(is_run, run.values()))
    return (None, run) if named else (run, systems)


def is_run(data: Any) -> bool:
    """Whether a value of a dictionary is a path, a frame or a relation."""
    return isinstance(data, str | Path) or (hasattr(data, "columns") and not isinstance(data, Mapping))


def list_runs(run: Any, systems: Mapping[str, Any] | None) -> list[tuple[str | None, Any]]:
    """The runs with the names given to their systems; UsageError if there is no run, or it is given twice."""
    run, systems = as_systems(run, systems)
    if (run is None) == (systems is None):
        raise UsageError("give one run, or several with systems={name: run}")
    if systems is not None:
        return [(str(name), data) for name, data in systems.items()]
    given = list(run) if isinstance(run, list | tuple) else [run]
    if not given:
        raise UsageError("the list of runs is empty")
    for data in given if isinstance(run, list | tuple) else ():
        if data is None or isinstance(data, list | tuple | bytes | int | float):
            raise UsageError(
                f"a list holds several runs, each a path, a frame or {{query: {{document: score}}}}, not {data!r:.60};"
                " for rows, make a data frame of them"
            )
    return [named_run(data) if isinstance(data, str) else (None, data) for data in given]
