"""Explanations of one query: one ranking beside the best one, or two side by side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, TextIO

from sqlrank.choices import TIDY
from sqlrank.errors import UsageError
from sqlrank.evaluation.explanation import BothValues, ExplainedDifference, Explanation, part
from sqlrank.evaluation.result import Result
from sqlrank.evaluation.stored import metadata_of
from sqlrank.output.formats import write_result
from sqlrank.output.tables import DIGITS, Row, Rows
from sqlrank.pages.tables import Cell, Column, Table, column, listed
from sqlrank.pages.terminal_tables import PLAIN, Screen, shortened, write_lines, write_table
from sqlrank.process.output_files import Target

SPARE_PLACES = tuple("hits ideal_gain ideal_contribution score gain discount ideal_relevance ideal_doc_id".split())
"""The columns of an explanation that are left out where a terminal has no room, the first one first."""
GIVEN = ("score", "relevance", "ideal_relevance", "gain", "ideal_gain")
"""The columns whose numbers were given, rather than computed."""
LEFT = ("doc_id", "ideal_doc_id")
"""The columns of one ranking that are not numbers."""
LONGEST = 40
"""How long the titles of documents are in a table for people."""


def write_explanation(
    result: Result,
    explanation: Explanation | ExplainedDifference,
    kind: str,
    target: Target | str | None,
    digits: int = DIGITS,
    screen: Screen = PLAIN,
) -> None:
    """Write an explanation: as a table with the values of the metrics, or its rows alone."""
    if kind not in ("table", *TIDY):
        raise UsageError(f"explain takes table, {', '.join(TIDY)}, not {kind}")
    conventions = result.conventions.describe()
    if isinstance(explanation, ExplainedDifference):
        table = partial(write_difference, explanation, conventions=conventions, digits=digits, screen=screen)
    else:
        table = partial(write_places, explanation, conventions=conventions, digits=digits, screen=screen)
    write_result(result, explanation.rows, kind, target, metadata_of(result, per_query=False), {"table": table})


def write_places(explanation: Explanation, file: TextIO, conventions: str, digits: int, screen: Screen = PLAIN) -> None:
    """One ranking beside the best one, and the value of each metric, for people."""
    table = places_table(explanation, digits)
    if explanation.text is not None:
        write_lines([explanation.title, ""], file, screen)
    write_table(beside_the_best(table), file, screen)
    width = max(map(len, explanation.values))
    file.write("\n")
    values = [f"{text:<{width}}  {explained('value', value, digits)}" for text, value in explanation.values.items()]
    write_lines([*values, "", conventions], file, screen)


def places_table(explanation: Explanation, digits: int) -> Table:
    """One ranking beside the best one, place by place."""
    names = explanation.columns
    rows = [
        [explained(name, value, digits) for name, value in zip(names, row, strict=True)]
        for row in explanation.fetchall()
    ]
    table = listed(names, rows, set(names).difference(LEFT), f"{explanation.title}: {explanation.system}")
    return replace(table, spare=SPARE_PLACES)


def beside_the_best(table: Table) -> Table:
    """The same with a line between the two rankings, for a terminal."""
    titles = {one.name: one.name.removeprefix("ideal_") for one in table.columns} | {"ideal_doc_id": "| best"}
    columns = [
        replace(one, cells=[Cell(f"| {cell.text}") for cell in one.cells]) if one.name == "ideal_doc_id" else one
        for one in table.columns
    ]
    return replace(table, columns=columns).titled(**titles)


def write_difference(
    explanation: ExplainedDifference, file: TextIO, conventions: str, digits: int, screen: Screen = PLAIN
) -> None:
    """Two rankings side by side, and the values of each metric, for people."""
    write_lines([explanation.title, explanation.legend, ""], file, screen)
    for table in (documents_table(explanation, digits, LONGEST), both_values_table(explanation, digits)):
        write_table(table, file, screen)
        file.write("\n")
    write_lines([*explanation.remarks(digits), "", conventions], file, screen)


def documents_table(explanation: ExplainedDifference, digits: int, longest: int | None = None) -> Table:
    """The documents of two rankings; titles, cut to the longest, gains and parts only where there are any."""
    rows = Rows(explanation.to_dicts())
    titled = any(row["title"] is not None for row in rows.rows)
    graded = any(row["gain"] is not None and row["gain"] != max(row["relevance"] or 0, 0) for row in rows.rows)

    def title(row: Row) -> str:
        whole = row["title"] or ""
        return whole if longest is None else shortened(whole, longest)

    columns = [
        rows.numbers("baseline_rank", of_document(lambda row: whole_number(row["baseline_rank"])), "A"),
        rows.numbers("rank", of_document(lambda row: whole_number(row["rank"])), "B"),
        rows.words("moved", of_document(move)),
        rows.words("doc_id", lambda row: row["doc_id"] or f"({row['documents']} more)"),
        *([rows.words("title", title)] if titled else []),
        rows.numbers("relevance", of_document(lambda row: explained("relevance", row["relevance"], digits))),
        *([rows.numbers("gain", of_document(lambda row: explained("gain", row["gain"], digits)))] if graded else []),
        *([] if explanation.metric is None else added_columns(rows, digits)),
    ]
    return Table(columns, f"{explanation.title}. {explanation.legend}", spare=("gain",))


def of_document(text: Callable[[Row], str]) -> Callable[[Row], str]:
    """A text that the row of all documents that are not shown is without."""
    return lambda row: "" if row["doc_id"] is None else text(row)


def added_columns(rows: Rows, digits: int) -> list[Column]:
    """What the documents add to a metric in both rankings, and to its difference."""
    return [
        rows.numbers("baseline_contribution", lambda row: part(row["baseline_contribution"], digits), "A adds"),
        rows.numbers("contribution", lambda row: part(row["contribution"], digits), "B adds"),
        rows.numbers("difference", lambda row: Cell(part(row["difference"], digits, "+"), tone_of(row["difference"]))),
    ]


def whole_number(rank: float | None) -> str:
    """A rank, which is a floating-point number where it was given as one."""
    return "-" if rank is None else f"{rank:.12g}"


def move(row: Row) -> str:
    """What a document did, and by how many places."""
    if row["moved"] in ("up", "down"):
        return f"{row['moved']} {abs(row['rank'] - row['baseline_rank']):.12g}"
    return "" if row["moved"] == "same" else str(row["moved"])


def tone_of(difference: float | None) -> str:
    """Whether a document adds more than before, or less."""
    return "" if not difference else "gain" if difference > 0 else "loss"


def both_values_table(explanation: ExplainedDifference, digits: int) -> Table:
    """The values of both systems by metric."""
    values = explanation.values.values()
    return Table(
        [
            column("metric", explanation.values),
            column("A", (explained("value", both.baseline_value, digits) for both in values), number=True),
            column("B", (explained("value", both.value, digits) for both in values), number=True),
            column("difference", (difference(both, digits) for both in values), number=True),
        ]
    )


def difference(both: BothValues, digits: int) -> Cell:
    """The difference of both values of a metric."""
    text = "-" if both.difference is None else f"{both.difference:+.{digits}f}"
    return Cell(text, tone_of(both.difference))


def explained(name: str, value: Any, digits: int) -> str:
    """A cell of an explanation: what was given in full, what was computed rounded, what is not there as -."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.12g}" if name in GIVEN else f"{value:.{digits}f}"
    return str(value)
