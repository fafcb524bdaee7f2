"""Writing metrics: the summary, a row per system and segment or one for each metric of them, and the queries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TextIO

from sqlrank.evaluation.metric_result import MetricResult, dicts
from sqlrank.evaluation.storable import StorableResult, metadata_of
from sqlrank.output.formats import write_relation
from sqlrank.output.tables import Row, Rows
from sqlrank.output.writing import SINGLE_QUERIES, Destination, Writing, of_rows
from sqlrank.pages.tables import Table, column
from sqlrank.pages.terminal_tables import Screen, fits
from sqlrank.pages.words import ENGLISH, Words
from sqlrank.process.output_files import Target, target_of
from sqlrank.statistics.student import CONFIDENCE

if TYPE_CHECKING:
    from sqlrank.comparison.similarity.likeness import Likeness
    from sqlrank.evaluation.result import Result

MOST_COLUMNS = 10
"""The number of metrics above which each has a row of its own instead of a column."""


def tables_of(result: Any, to: Destination) -> list[Table]:
    """The summary, and single queries where they are asked for."""
    if to.kind == "html":
        return [replace(summary_table(result, to.digits), caption=ENGLISH("summary-table", confidence=CONFIDENCE))]
    fitting = to.kind == "table"
    table = fitting_table(result, to.digits, to.screen) if fitting else summary_table(result, to.digits)
    if not to.additions:
        return [table]
    from sqlrank.output.single_queries import extreme_tables

    return [table, *extreme_tables(result, to)]


def summary_table(result: MetricResult, digits: int) -> Table:
    """The summary with a row for each system and segment and a column for each metric, or turned where many are."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in dicts(result.rows):
        key = (row["system"], row.get("is_total"), *(row[name] for name in result.by))
        groups.setdefault(key, []).append(row)
    first = Rows(rows[0] for rows in groups.values())
    metrics = [
        column(measure.text, (value(rows[place], digits, measure.counts) for rows in groups.values()), number=True)
        for place, measure in enumerate(result.measures)
    ]
    queries = column("queries", map(sizes, groups.values()), number=True)
    table = Table([first.words("system"), *first.segments(result.by), queries, *metrics])
    return table if len(metrics) <= MOST_COLUMNS else table.turned()


def values_table(result: MetricResult, values: Iterable[Row], digits: int, words: Words = ENGLISH) -> Table:
    """A row for each system, segment and metric, its interval drawn beside those of the same metric.

    `value` has the interval too, which `mean` and `interval` have apart.
    """
    rows = Rows(values)
    counted = {measure.text for measure in result.measures if measure.counts}
    return Table(
        [
            rows.words("system"),
            *rows.segments(result.by, words("all")),
            rows.words("metric"),
            rows.numbers("queries"),
            rows.numbers("value", lambda row: value(row, digits, row["metric"] in counted)),
            rows.numbers("mean", lambda row: value({**row, "ci_low": None}, digits, row["metric"] in counted)),
            rows.numbers("interval", lambda row: "-" if row["ci_low"] is None else words.ends(row, digits)),
            rows.drawn("value", itemgetter("metric"), zero=False),
        ],
        spare=("queries", *(["system"] if len(result.systems) == 1 else [])),
    )


def fitting_table(result: MetricResult, digits: int, screen: Screen) -> Table:
    """The first of three forms of the summary that fits; the last one where intervals are drawn."""
    if not screen.plot:
        table = summary_table(result, digits)
        if fits(table, screen):
            return table
        if fits(turned := table.turned(), screen):
            return turned
    long = values_table(result, dicts(result.rows), digits)
    return long.without("mean", "interval").titled(drawn="interval")


def totals_of(result: MetricResult) -> list[dict[str, Any]]:
    """The rows of the totals, by metric."""
    rows = [row for row in dicts(result.rows) if row.get("is_total", True)]
    places = {measure.text: place for place, measure in enumerate(result.measures)}
    return sorted(rows, key=lambda row: places[row["metric"]])


def sizes(rows: Sequence[Row]) -> str:
    """How many queries some values are of."""
    known = sorted({row["queries"] for row in rows})
    return str(known[0]) if len(known) == 1 else f"{known[0]}-{known[-1]}"


def value(row: Row, digits: int, counted: bool) -> str:
    """A value with half the width of its interval, or both parts of it where they differ, and with its upper bound."""
    if row["value"] is None:
        return "-"
    digits, bound = 0 if counted else digits, row.get("bound_high")
    shown, most = f"{row['value']:.{digits}f}", "" if bound is None else f" (to {bound:.{digits}f})"
    if row["ci_low"] is None:
        return shown + most
    above, below = (f"{row['ci_high'] - row['value']:.{digits}f}", f"{row['value'] - row['ci_low']:.{digits}f}")
    return (f"{shown} ±{above}" if above == below else f"{shown} +{above} -{below}") + most


def document_of(result: Result, to: Destination) -> dict[str, Any]:
    """What a JSON document of an evaluation holds besides the rows."""
    singles = {}
    if to.additions:
        from sqlrank.output.single_queries import extremes_of

        singles = extremes_of(result, to)
    counts = {system: asdict(found) for system, found in result.counts.items()}
    ties = {
        system: {"queries": found.pop("tied"), "documents": found.pop("tied_documents")}
        for system, found in counts.items()
    }
    return {
        **singles,
        "inputs": {kind: found.to_dict() for kind, found in result.inputs.items()},
        "queries": counts,
        "ties": ties,
        "like": result.language.preset.name if result.language.preset else None,
        "conventions": result.conventions.to_dict(),
        "timezone": result.timezone,
        "plan": {"name": result.plan.name, "reason": result.plan.reason},
        "notes": result.notes + result.own_sql,
    }


def likeness_document(result: Likeness, _: Destination) -> dict[str, Any]:
    """What a JSON document of compared rankings holds besides the rows."""
    return {
        "baseline": result.baseline,
        "inputs": {kind: found.to_dict() for kind, found in result.inputs.items()},
        "queries": {system: asdict(found) for system, found in result.counts.items()},
        "conventions": result.conventions.to_dict(),
        "notes": result.notes + result.own_sql,
    }


def write_trec(result: Result, to: Destination, file: TextIO) -> None:
    """Write the lines of trec_eval, those of each query first where they are asked for."""
    from sqlrank.output.trec import trec_lines

    file.writelines(trec_lines(result, "queries" in to.additions))


def write_queries(result: MetricResult, kind: str, file: Target | str | None) -> None:
    """Write the per-query rows in a tidy format; Spark writes a folder of them itself."""
    if file is not None and result.save_per_query(kind, target_of(file).path):
        return
    if kind == "parquet":
        rows = result.stored_rows if isinstance(result, StorableResult) else result.per_query
        write_relation(result, rows, kind, file, metadata_of(result, per_query=True))
    else:
        write_relation(result, result.per_query_rows, kind, file)


SUMMARY = Writing(
    tables=tables_of,
    document=document_of,
    metadata=partial(metadata_of, per_query=False),
    places=SINGLE_QUERIES,
    own={"trec": write_trec},
    per_query=write_queries,
    kept="system",
)
LIKENESS = replace(
    SUMMARY,
    document=likeness_document,
    places=of_rows("--format {kind} is not for rankings that are compared; choose one of {takes}"),
    own={},
)
