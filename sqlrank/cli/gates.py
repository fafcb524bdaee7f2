"""Gates: what a value or a difference must reach, the exit code where it does not, and a report for CI systems."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlrank.cli.values import number
from sqlrank.errors import GateError, UsageError

if TYPE_CHECKING:
    from sqlrank.comparison.result import Comparison
    from sqlrank.evaluation.result import Result
    from sqlrank.output.files import Target

NOT_XML = "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"


@dataclass(frozen=True, slots=True)
class Gate:
    """A metric and a bound."""

    metric: str
    bound: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """A gate held against one system."""

    name: str
    """What was demanded of whom."""
    failure: str | None
    """Why the gate failed; None where it holds."""


def read_gates(texts: Iterable[str] | None, option: str, example: str, settings: Mapping[str, Any]) -> list[Gate]:
    """The gates of an option, each METRIC=VALUE split at the last equals sign; UsageError shows the example."""
    if not texts:
        return []
    from sqlrank.evaluation.request import language_of
    from sqlrank.metrics.language import single_measure

    gates = []
    for text in texts:
        metric, equals, value = text.rpartition("=")
        if not equals or not metric:
            raise UsageError(f"{option} {text}: write METRIC=VALUE, for example {example}")
        single_measure(metric, language_of(settings))
        gates.append(Gate(metric, number(value, f"{option} {text}")))
    return gates


def of_values(result: Result, gates: Sequence[Gate]) -> list[Outcome]:
    """Every system's total against the least that each metric must reach; no value is a failure."""
    outcomes = []
    for gate in gates:
        for system in result.systems:
            value = result.value(gate.metric, system)
            shown = "has no value" if value is None else f"is {value:.12g}"
            failed = value is None or not value >= gate.bound
            failure = f"{gate.metric} of {system} {shown}, below {gate.bound:g}" if failed else None
            outcomes.append(Outcome(f"{gate.metric} of {system} is at least {gate.bound:g}", failure))
    return outcomes


def of_drops(comparison: Comparison, gates: Sequence[Gate], confidently: bool) -> list[Outcome]:
    """Compare total differences with the drops allowed; `confidently` fails one only if its whole interval is below."""
    outcomes = []
    for gate in gates:
        for system in comparison.systems[1:]:
            row = comparison.row_of(gate.metric, system)
            surely = " for certain" if confidently else ""
            name = f"{gate.metric} of {system} does not drop by more than {gate.bound:g}{surely}"
            outcomes.append(Outcome(name, failed_drop(row, gate, confidently)))
    return outcomes


def failed_drop(row: Mapping[str, Any], gate: Gate, confidently: bool) -> str | None:
    """Why one row of a comparison fails a gate; None where it holds."""
    named = f"{gate.metric} of {row['system']}"
    if row["difference"] is None:
        return f"{named} has no difference from {row['baseline']}"
    beyond = row["ci_high"] if confidently else row["difference"]
    if beyond is None or beyond >= -gate.bound:
        return None
    interval = "" if row["ci_low"] is None else f" ({row['ci_low']:+.12g} to {row['ci_high']:+.12g})"
    return f"{named} drops by {-row['difference']:.12g}{interval} from {row['baseline']}, more than {gate.bound:g}"


def check_report(junit: str | None, gates: Sequence[Gate]) -> None:
    """Raise UsageError for a report of no gates, with the options that make gates."""
    if junit is not None and not gates:
        raise UsageError("--junit reports on gates: give --fail-under (eval) or --fail-on-drop (compare) too")


def conclude(outcomes: Sequence[Outcome], command: str, junit: Target | None) -> None:
    """Write the JUnit report, if one is wanted, and raise GateError with every failure."""
    if junit is not None:
        from sqlrank.output.formats import write_text

        text = report(outcomes, command)
        write_text(junit, lambda file: file.writelines([text]))
    failures = [outcome.failure for outcome in outcomes if outcome.failure is not None]
    if failures:
        raise GateError("; ".join(failures))


def report(outcomes: Sequence[Outcome], command: str) -> str:
    """The outcomes in the XML of JUnit, which CI systems show."""
    from xml.etree import ElementTree

    failed = sum(outcome.failure is not None for outcome in outcomes)
    counts = {"tests": str(len(outcomes)), "failures": str(failed), "errors": "0", "skipped": "0"}
    suites = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(suites, "testsuite", {"name": f"sqlrank {command}"} | counts)
    for outcome in outcomes:
        named = {"classname": f"sqlrank.{command}", "name": in_xml(outcome.name)}
        case = ElementTree.SubElement(suite, "testcase", named)
        if outcome.failure is not None:
            failure = in_xml(outcome.failure)
            ElementTree.SubElement(case, "failure", {"type": "gate", "message": failure}).text = failure
    ElementTree.indent(suites)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(suites, encoding="unicode")}\n'


def in_xml(text: str) -> str:
    """Text without what XML cannot hold."""
    from sqlrank.dialects import visible

    return re.sub(NOT_XML, "\ufffd", visible(text))
