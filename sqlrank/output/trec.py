"""trec_eval's own output: its lines in its order and spacing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlrank.errors import UsageError
from sqlrank.evaluation.result import Result
from sqlrank.metrics.language import Language, asked_measures, parse_measures, parts_of
from sqlrank.metrics.measure import Measure
from sqlrank.metrics.trec_names import BY_NAME, LINES, RUN_ID, Asked, Line, asks_run_id
from sqlrank.spelling import plain, spelt

WRITTEN: dict[str, tuple[str, ...]] = {
    "utility": ("tp", "fp", "fn", "tn"),
    "set_F": ("beta",),
    "11pt_avg": ("recalls",),
    "rbp": ("p",),
    "rbp_resid": ("p", "complete"),
}
"""The parameters that trec_eval writes into the name of a measure, where they are not gains."""


def trec_names(texts: Iterable[str], language: Language) -> list[tuple[Line, str, Measure]]:
    """The lines that trec_eval prints for texts, in its order, with name and measure; UsageError if it has none."""
    order = {line.name: place for place, line in enumerate(LINES)}
    named = {}
    for asked, measure in asked_measures(parts_of(texts), language):
        line = BY_NAME[asked.line.lower()] if asked.line else line_of(measure, language)
        named[line, label(line, asked, measure)] = measure
    lines = sorted(named, key=lambda item: (order[item[0].name], parameter(*item)))
    return [(line, name, named[line, name]) for line, name in lines]


def line_of(measure: Measure, language: Language) -> Line:
    """The measure of trec_eval that a metric is."""
    for line in LINES:
        if line.text.partition("(")[0].partition("@")[0] == measure.metric.name:
            for text in spellings(line, measure):
                if parse_measures(text, language) == (measure,):
                    return line
    raise UsageError(
        f"--format trec: trec_eval has no name for {measure.text}; its measures are those of"
        f" {spelt('metrics', 'all_trec')}"
    )


def spellings(line: Line, measure: Measure) -> Iterator[str]:
    """The texts that a measure may be under one name of trec_eval."""
    if "{}" in line.text:
        if measure.k is not None:
            yield line.text.format(measure.k)
        elif measure.metric.trailing:
            yield line.text.format(plain(dict(measure.values)[measure.metric.trailing]))
        return
    yield line.text
    changed = {name: plain(value) for name, value in measure.changed if name in WRITTEN.get(line.name, ("gain",))}
    inside = ", ".join(f"{name}={value}" for name, value in changed.items())
    if inside and (line.name in WRITTEN or ":" in inside):
        yield f"{line.text.partition('(')[0]}({inside})"


def label(line: Line, asked: Asked, measure: Measure) -> str:
    """The name of a line with its parameter, as trec_eval writes it."""
    if "{}" in line.text and line.name != "relstring":
        number = float(dict(measure.values)[measure.metric.trailing or ""]) if measure.k is None else measure.k
        return f"{line.name}_{number:.2f}" if isinstance(number, float) else f"{line.name}_{number}"
    if asked.line:
        return f"{line.name}_{asked.parameters}" if asked.parameters else line.name
    if line.name == "relstring":
        return line.name if str(measure.k) in line.parameters else f"{line.name}_{measure.k}"
    values, changed = dict(measure.values), {name for name, _ in measure.changed}
    if not changed & set(WRITTEN.get(line.name, ("gain",))):
        return line.name
    if line.name == "utility":
        return "utility_" + ",".join(plain(values[name]) for name in WRITTEN["utility"])
    if line.name == "set_F":
        return f"set_F_{plain(round(float(values['beta']) ** 2, 12))}"
    if line.name == "11pt_avg":
        return f"11pt_avg_{str(values['recalls']).replace('/', ',')}"
    if line.name in ("rbp", "rbp_resid"):
        return f"{line.name}_p={plain(values['p'])}"
    return f"{line.name}_{str(values['gain']).replace(':', '=')}"


def trec_lines(result: Result, per_query: bool) -> Iterator[str]:
    """The result as trec_eval prints it, as with -q if `per_query`; raises UsageError before the first line."""
    if len(result.systems) > 1 or result.by:
        raise UsageError("--format trec holds one system, without segments")
    named = trec_names(result.texts, result.language)
    if per_query:
        for query, _, _ in result.by_query():
            if any(mark in query for mark in "\t\n\r"):
                raise UsageError(f"--format trec cannot hold the query id {query!r}, which has a tab or line break")
    return lines_of(result, named, per_query)


def lines_of(result: Result, named: Sequence[tuple[Line, str, Measure]], per_query: bool) -> Iterator[str]:
    """The lines, one after the other."""
    if per_query:
        older = result.language.preset is not None and result.language.preset.trec_version < 10
        for query, retrieved, values in result.by_query():
            if older and not retrieved:
                continue
            for line, name, measure in named:
                if line.shows != "summary":
                    yield f"{name:<22}\t{query}\t{printed(line, values[measure.column])}\n"
    if asks_run_id(parts_of(result.texts)):
        yield f"{RUN_ID:<22}\tall\t{result.run_id}\n"
    means = {} if result.weight else result.ordered_means()
    for line, name, measure in named:
        if line.shows != "query":
            known = measure.column in means
            value = means[measure.column] if known else result.value(with_complete_total(measure, result))
            yield f"{name:<22}\tall\t{printed(line, value)}\n"


def with_complete_total(measure: Measure, result: Result) -> str:
    """The metric whose total stands for that of a measure: with -c, num_rel counts all positive judgments."""
    complete = measure.metric.name == "num_rel" and result.conventions.query_set == "judged"
    return "num_rel" if complete and "num_rel" in [known.text for known in result.measures] else measure.text


def parameter(line: Line, name: str) -> float:
    """The cutoff or recall in a name."""
    return float(name.removeprefix(f"{line.name}_")) if line.parameters and name != line.name else 0.0


def printed(line: Line, value: Any) -> str:
    """A value as trec_eval prints it."""
    if isinstance(value, str):
        return f"'{value}'"
    number = float("nan") if value is None else value
    return f"{number:.0f}" if line.whole else f"{number:6.4f}"
