"""trec_eval's own output: its lines in its order and spacing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TextIO

from sqlrank.conventions import plain
from sqlrank.errors import UsageError
from sqlrank.measures import Measure
from sqlrank.metrics import Language, parse_measures
from sqlrank.results import Result
from sqlrank.trec import LINES, Line

CHARACTERS = " 0123456789.>"
"""What the digits of a relstring's code mean; 0 is a document without judgment."""


def trec_names(measures: Iterable[Measure], language: Language) -> list[tuple[Line, str, Measure]]:
    """The lines that trec_eval prints for these measures, in its order, each with its name and the measure.

    Where multiples of R are asked for, R-precision is one of them too.

    Raises:
        UsageError: trec_eval has no such measure.
    """
    named = [(*trec_name(measure, language), measure) for measure in measures]
    if any(line.name == "Rprec_mult" for line, _, _ in named):
        multiple = next(line for line in LINES if line.name == "Rprec_mult")
        named += [(multiple, "Rprec_mult_1.00", measure) for line, _, measure in named if line.name == "Rprec"]
    order = {line.name: place for place, line in enumerate(LINES)}
    return sorted(named, key=lambda item: (order[item[0].name], parameter(item[0], item[1])))


def trec_name(measure: Measure, language: Language) -> tuple[Line, str]:
    """The measure of trec_eval that this is, and its name there with the parameter."""
    for line in LINES:
        if line.text.partition("(")[0].partition("@")[0] != measure.metric.name:
            continue
        for text, name in spellings(line, measure):
            if parse_measures(text, language) == (measure,):
                return line, name
    raise UsageError(f"--format trec: trec_eval has no name for {measure.text}; its measures are those of -m all_trec")


def spellings(line: Line, measure: Measure) -> Iterator[tuple[str, str]]:
    """The texts that a measure may be under one name of trec_eval, and the name with the parameter."""
    if "{}" in line.text:
        if measure.k is not None and len(line.parameters) == 1 and str(measure.k) in line.parameters:
            yield line.text.format(measure.k), line.name
        elif measure.k is not None:
            yield line.text.format(measure.k), f"{line.name}_{measure.k}"
        elif measure.metric.trailing:
            value = dict(measure.values)[measure.metric.trailing]
            yield line.text.format(plain(value)), f"{line.name}_{value:.2f}"
        return
    yield line.text, line.name
    changed = {name: plain(value) for name, value in measure.changed if name != "rel"}
    inside = ", ".join(f"{name}={value}" for name, value in changed.items())
    values = dict(measure.values)
    if line.name in ("rbp", "rbp_resid") and "p" in changed:
        yield f"{line.text.partition('(')[0]}({inside})", f"{line.name}_p={changed['p']}"
    elif line.name == "set_F" and "beta" in changed:
        yield f"set_f({inside})", f"set_F_{plain(round(float(values['beta']) ** 2, 12))}"
    elif line.name == "utility" and changed:
        yield f"utility({inside})", "utility_" + ",".join(plain(values[name]) for name in ("tp", "fp", "fn", "tn"))
    elif line.name in ("ndcg", "ndcg_rel", "Rndcg", "G", "dcg", "ideal_dcg") and ":" in changed.get("gain", ""):
        yield f"{line.text}({inside})", f"{line.name}_{changed['gain'].replace(':', '=')}"


def write_trec(result: Result, file: TextIO, per_query: bool) -> None:
    """The result as trec_eval prints it.

    Args:
        result: of one system.
        file: where the lines go.
        per_query: whether the lines of each query come first, as with trec_eval -q.

    Raises:
        UsageError: there are several systems or segments, or a metric that trec_eval does not have.
    """
    if len(result.systems) > 1 or result.by:
        raise UsageError("--format trec holds one system, without segments")
    named = trec_names(result.measures, result.language)
    if per_query:
        older = result.language.preset is not None and result.language.preset.trec_version < 10
        for query, retrieved, values in result.by_query():
            if older and not retrieved:
                continue
            if any(mark in query for mark in "\t\n\r"):
                raise UsageError(f"--format trec cannot hold the query id {query!r}, which has a tab or line break")
            for line, name, measure in named:
                if line.shows != "summary":
                    file.write(f"{name:<22}\t{query}\t{shown(line, values[measure.column], retrieved, measure)}\n")
    file.write(f"{'runid':<22}\tall\t{result.run_id}\n")
    for line, name, measure in named:
        if line.shows != "query":
            file.write(f"{name:<22}\tall\t{shown(line, result.value(measure.text), 0, measure)}\n")


def parameter(line: Line, name: str) -> float:
    """The cutoff or recall in a name."""
    return float(name.removeprefix(f"{line.name}_")) if line.parameters and name != line.name else 0.0


def shown(line: Line, value: float | None, retrieved: float, measure: Measure) -> str:
    """A value as trec_eval prints it."""
    number = float("nan") if value is None else value
    if line.name == "relstring":
        return f"'{relstring(int(number), measure.k or 0)[: int(retrieved)]}'"
    return f"{number:.0f}" if line.whole else f"{number:6.4f}"


def relstring(code: int, length: int) -> str:
    """The relevances of the first documents, a character each."""
    digits = [code >> 4 * (length - 1 - place) & 15 for place in range(length)]
    return "".join("-" if digit == 0 else CHARACTERS[digit] for digit in digits)
