"""A metric worked out on one ranking of five documents, or on the little that shows it, by what evaluates."""

from __future__ import annotations

import io
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlrank.comparison.similarity.likeness import likeness
from sqlrank.engines.open_result import closed_on_error
from sqlrank.errors import SqlrankError
from sqlrank.evaluation.evaluate import evaluate_request
from sqlrank.evaluation.flow import connect
from sqlrank.evaluation.request import list_runs, request_of
from sqlrank.evaluation.result import Result
from sqlrank.metrics.measure import Measure
from sqlrank.output.explanation import places_table
from sqlrank.output.tables import DIGITS, text_of
from sqlrank.pages.tables import listed
from sqlrank.pages.terminal_tables import PLAIN, write_table
from sqlrank.reference.example_inputs import (
    DOCUMENTS,
    LISTS,
    PAIR,
    QUERY,
    SAID,
    SCORED,
    extra,
    judged,
    ranked,
    write_extra,
)
from sqlrank.statement.columns import inputs_of

IDEAL = frozenset(("best_dcg", "ideal_gain"))
"""The columns of the ideal ranking."""
SHOWN, OTHER = "ranking", "other"
"""The system that is shown, and the same documents in the other order: parts are told where two are compared."""


@dataclass(frozen=True)
class Example:
    """A metric worked out: what is given, as a table, and the value."""

    said: str
    names: list[str]
    rows: list[list[str]]
    value: str

    @property
    def table(self) -> list[str]:
        """The lines of the table: numbers to the right, and words that are longer than one to the left."""
        words = ("subtopics", "category", "query")
        file = io.StringIO()
        write_table(listed(self.names, self.rows, numbers=set(self.names).difference(words)), file, PLAIN)
        return file.getvalue().splitlines()


def example(measure: Measure) -> list[str]:
    """The lines of the example at a terminal; none where there is none."""
    found = example_of(measure)
    if found is None:
        return []
    table = [f"    {line}" for line in found.table]
    return [f"Example: {found.said}", "", *table, "", f"    {found.value}", ""]


def example_of(measure: Measure) -> Example | None:
    """The example of a measure; None of a metric of the user, or with parameters, that these inputs are none for."""
    make = {"query": of_ranking, "system": of_system, "pair": of_pair}[measure.metric.grain]
    try:
        return make(measure)
    except (KeyError, SqlrankError):
        return None


def of_ranking(measure: Measure) -> Example:
    """One ranking, place by place."""
    extras = [name for name in inputs_of([measure]) if name != "judgments"]
    with TemporaryDirectory() as folder:
        options: dict[str, Any] = {}
        for name in extras:
            options |= write_extra(name, Path(folder))
        qrels = options.pop("qrels", judged())
        runs = {SHOWN: {QUERY: ranked(DOCUMENTS)}, OTHER: {QUERY: ranked(DOCUMENTS[::-1])}}
        with evaluated(measure, runs, qrels, options) as result:
            value = result.of_query(QUERY, SHOWN)[measure.text]
            places = places_table(result.explain(QUERY, SHOWN, rows=len(DOCUMENTS)), DIGITS)
            parts = parts_of(result, measure)
    if extras:
        given = [extra(name) for name in extras]
        names = ["rank", *(one.heading for one in given)]
        rows = [[str(place + 1), *(filled(one.cells[place]) for one in given)] for place in range(len(DOCUMENTS))]
    else:
        names = shown_columns(measure)
        rows = [[cell.text for cell in row] for row in places.only(*names).rows]
        names = [name.replace("_", " ") for name in names]
    if parts and "contribution" not in names:
        names.append("contribution")
        rows = [[*row, text_of(part, DIGITS)] for row, part in zip(rows, parts, strict=True)]
    return Example(SAID[extras[0] if extras else ""], names, rows, written_value(measure, value))


def shown_columns(measure: Measure) -> list[str]:
    """What is shown of each place besides what it adds: what the metric is made of."""
    parameters, ideal = measure.metric.parameters, bool(IDEAL & set(measure.metric.reads))
    if "discount" in parameters:
        best = ["ideal_gain", "ideal_contribution"] if ideal else []
        return ["rank", "relevance", "gain", "discount", "contribution", *best]
    if "gain" in parameters:
        return ["rank", "relevance", "gain", *(["ideal_gain"] if ideal else [])]
    return ["rank", "relevance", *(["hits"] if "rel" in parameters else [])]


def parts_of(result: Result, measure: Measure) -> list[float]:
    """What each document of the ranking adds to the value, by rank; none where the value is no sum over documents."""
    if measure.metric.parts is None:
        return []
    with suppress(SqlrankError):  # the parts of a metric of the user may be none
        rows = result.explain(QUERY, rows=len(DOCUMENTS), systems=(OTHER, SHOWN)).to_dicts()
        return [row["contribution"] for row in sorted(rows, key=lambda row: row["rank"])]
    return []


def of_system(measure: Measure) -> Example:
    """All rows of a system, or the first places of each query."""
    if "score" in measure.metric.inputs:
        documents = [(query, f"d{number}", score, known) for number, (query, score, known) in enumerate(SCORED)]
        queries = dict.fromkeys(query for query, *_ in documents)
        run = {each: {name: score for query, name, score, _ in documents if query == each} for each in queries}
        qrels = {each: {name: known for query, name, _, known in documents if query == each} for each in queries}
        with evaluated(measure, {SHOWN: run}, qrels, {}) as result:
            value = result.value(measure.text)
        rows = [[query, f"{score:g}", str(known)] for query, score, known in SCORED]
        return Example(SAID["score"], ["query", "score", "relevance"], rows, written_value(measure, value))
    with TemporaryDirectory() as folder:
        run = {query: ranked(shown) for query, shown in LISTS.items()}
        with evaluated(measure, {SHOWN: run}, None, write_extra("items", Path(folder))) as result:
            value = result.value(measure.text)
    return Example(SAID["system"], ["rank", *LISTS], side_by_side(LISTS), written_value(measure, value))


def of_pair(measure: Measure) -> Example:
    """Two rankings side by side."""
    with likeness(
        systems={name: {QUERY: ranked(shown)} for name, shown in PAIR.items()}, metrics=measure.text
    ) as found:
        value = found.value(measure.text)
    return Example(SAID["pair"], ["rank", *PAIR], side_by_side(PAIR), written_value(measure, value))


def side_by_side(lists: Mapping[str, str]) -> list[list[str]]:
    """A row for each rank, with the document of each list."""
    return [[str(rank), *documents] for rank, documents in enumerate(zip(*lists.values(), strict=True), 1)]


def evaluated(measure: Measure, runs: Mapping[str, Any], qrels: Any, options: Mapping[str, Any]) -> Result:
    """The result of one measure."""
    request = request_of([measure.text], {"metrics_dir": measure.metric.folder, **options}, texts=True)
    engine = connect(request, [*runs.values(), qrels])
    with closed_on_error(engine):
        return evaluate_request(engine, request, list_runs(None, runs), qrels)


def filled(cell: object) -> str:
    """A cell, or - where there is nothing."""
    return "-" if cell in (None, "") else str(cell)


def written_value(measure: Measure, value: Any) -> str:
    """The value of a measure, which may be a text."""
    number = value if value is None or isinstance(value, str) else float(value)
    return f"{measure.text} = {text_of(number, DIGITS)}"
