"""A/B tests on a log, from the arguments of a call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

from sqlrank.arguments import public
from sqlrank.behaviour.asked import signal_of
from sqlrank.behaviour.session import Session, session_on
from sqlrank.columns import names_of
from sqlrank.comparison.arms import Arms
from sqlrank.comparison.comparison_request import TAKEN
from sqlrank.comparison.margins import Bound, read_margin
from sqlrank.comparison.paired import Paired, Source
from sqlrank.comparison.questions import Questions
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.open_result import closed_on_error
from sqlrank.errors import UsageError, nearest
from sqlrank.experiments.asked import Asked
from sqlrank.experiments.columns import ROWS
from sqlrank.experiments.covariates import adjusted
from sqlrank.experiments.metrics import ArmMetric, arm_metrics, chosen_metrics, metric_of, named_metrics
from sqlrank.experiments.options import ArmOptions
from sqlrank.experiments.result import ArmComparison
from sqlrank.experiments.split import split_of
from sqlrank.experiments.units import Units
from sqlrank.inputs.reading import OUTPUT_NAMES, check_output_names
from sqlrank.options.values import day
from sqlrank.spelling import spelt

OUTPUT = {*TAKEN, *OUTPUT_NAMES, *names_of(ROWS), "unit"}
"""Columns of the output, which no segment may be called."""


@public(record=ArmOptions)
def arms(log: Any, metrics: str | Iterable[str] | None = None, **options: Unpack[ArmOptions]) -> ArmComparison:
    """Compare the arms of an A/B test from its log: metrics of units, with a check for sample ratio mismatch.

    Args:
        log: a log, as `judgments` takes it, with a column of the arm; without one the system is the arm.
        metrics: `ctr`, `clicks`, `success`, `rr_click`, `click_at_1`, `abandonment`, `first_click`, `time_to_click`,
            `impressions`; None for ctr, success and rr_click, with abandonment where the signal is no click, and
            time_to_click where the log has the times of clicks.
        **options: how the log is read and which rows count; see `LogOptions`.

    Returns:
        A row for each arm, metric and segment, with the split, the days and what was noticed.

    Raises:
        UsageError: the request cannot be carried out as written.
        DataError: the log is missing, unreadable, contradicts itself, or its units were in several arms.
        ResourceError: memory or disk ran out.
    """
    meant = signal_of(options["signal"])
    if meant.kind == "best":
        raise UsageError(
            f"{spelt('signal', 'best')} is a grade and no event; choose click, dwell>=SECONDS, cart or purchase"
        )
    before = None if options["before"] is None else day(options["before"])
    asked = Asked(options["unit"], options["shares"] or {}, before, options["sequential"], options["planned"])
    questions = questions_of(options)
    named, bounds = named_metrics(metrics), margins_of(questions.margins)
    gated = [metric_of(text) for text in [*options["gates"], *bounds]]
    by = options["by"]
    segments = [by] if isinstance(by, str) else list(by or ())
    check_output_names(segments, {*OUTPUT, *arm_metrics()})
    engine, opened = session_on(log, meant, options, by=segments)
    with closed_on_error(engine):
        session = opened()
        columns = session.log.columns
        chosen = chosen_metrics(named, gated, columns, meant, session.log.label)
        return compared(engine, session, asked, questions, chosen, bounds, options["baseline"])


def questions_of(options: Mapping[str, Any]) -> Questions:
    """The questions; UsageError where looking often has no place for them."""
    names = ("test", "correction", "alpha", "replicates", "seed", "all_pairs", "alternative")
    asked = {name: options[name] for name in names}
    questions = Questions(**asked, margins=options["margins"] or {}, paired=False)
    if not options["sequential"]:
        return questions
    if questions.test != "t":
        raise UsageError(f"{spelt('sequential')} is a confidence sequence: leave out {spelt('test', questions.test)}")
    if questions.side:
        raise UsageError(f"{spelt('sequential')} is two-sided: leave out {spelt('alternative', questions.alternative)}")
    if questions.margins:
        raise UsageError(
            f"{spelt('sequential')}: margins are for a test at its end; leave out {spelt('margins')} and"
            f" {spelt('not_worse_than')}"
        )
    return questions


def margins_of(asked: Mapping[str, float | str]) -> dict[str, Bound]:
    """The margins by metric; UsageError for a metric of which neither more nor less is better."""
    found = {}
    for name, value in asked.items():
        metric = metric_of(name)
        check_better(metric, "margins")
        found[metric.text] = read_margin(metric.text, value)
    return found


def check_better(metric: ArmMetric, option: str) -> None:
    """Raise UsageError for a metric of which neither more nor less is better: it cannot be worse."""
    if metric.better == "neither":
        raise UsageError(f"{spelt(option, metric.text)}: neither more nor less of it is better")


def check_gate(name: str, option: str) -> None:
    """Raise UsageError if a metric of a name has no gate."""
    check_better(metric_of(name), option)


def compared(
    engine: DuckDBEngine,
    session: Session,
    asked: Asked,
    questions: Questions,
    metrics: Sequence[ArmMetric],
    margins: Mapping[str, Bound],
    baseline: str | None,
) -> ArmComparison:
    """Compare the arms of a log that was looked at."""
    units = Units(engine, session, asked, metrics)
    questions = replace(questions, noun=units.noun)
    order = order_of([str(row["arm"]) for row in units.arms], baseline, questions.all_pairs)
    split = split_of(units)
    less = None if asked.before is None else adjusted(units)
    own = arms_of(engine, units, order, questions.all_pairs)
    plain = []
    if less is not None:
        plain = own.summary()
        own.drop()
        own = arms_of(engine, units, order, questions.all_pairs, less.table)
    return ArmComparison(units, own, questions, split, margins, less, plain)


def order_of(names: Sequence[str], baseline: str | None, all_pairs: bool) -> list[str]:
    """The arms, the baseline first; UsageError if it is unclear."""
    known = ", ".join(names)
    if baseline is None and not all_pairs:
        raise UsageError(f"which arm is the baseline? {spelt('baseline', 'NAME')}, of {known}")
    first = baseline or names[0]
    if first not in names:
        raise UsageError(f"{spelt('baseline', first)}: no such arm{nearest(first, list(names))} (there are {known})")
    return [first, *(name for name in names if name != first)]


def arms_of(engine: DuckDBEngine, units: Units, order: Sequence[str], all_pairs: bool, adjusted: Any = None) -> Arms:
    """The values of the units as a comparison of systems of different queries takes them."""
    columns = tuple(f"sqlrank_value_{place}" for place, _ in enumerate(units.metrics, 1))
    source = Source(units.relation(adjusted), units.label, None, columns, None)
    measures = [metric.measure for metric in units.metrics]
    paired = Paired(engine, [source], order, measures, list(units.session.log.segments.values()), False, all_pairs)
    return Arms(paired, [source])
