"""Explanations of one query: one ranking beside the best one, or two side by side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TextIO

from sqlrank.choices import TIDY
from sqlrank.errors import UsageError
from sqlrank.evaluation.explanation import BothValues, ExplainedDifference, Explanation, part
from sqlrank.evaluation.result import Result
from sqlrank.evaluation.storable import metadata_of
from sqlrank.output.formats import write_result
from sqlrank.output.tables import Destination, Row, Rows, write_on_terminal
from sqlrank.pages.tables import Cell, Column, Table, column, listed
from sqlrank.pages.terminal_tables import write_lines

SPARE_PLACES = tuple("hits ideal_gain ideal_contribution score gain discount ideal_relevance ideal_doc_id".split())
"""The columns of an explanation that are left out where a terminal has no room, the first one first."""
GIVEN = ("score", "relevance", "ideal_relevance", "gain", "ideal_gain")
"""The columns whose numbers were given, rather than computed."""
LEFT = ("doc_id", "ideal_doc_id")
"""The columns of one ranking that are not numbers."""
LONGEST = 40
"""How long the titles of documents are on a terminal."""


def write_explanation(
    result: Result,
    explanation: Explanation | ExplainedDifference,
    destination: Destination,
) -> None:
    """Write an explanation: as a table with the values of the metrics, or its rows alone."""
    if destination.kind not in ("table", *TIDY):
        raise UsageError(f"explain takes table, {', '.join(TIDY)}, not {destination.kind}")

    def table(file: TextIO) -> None:
        if isinstance(explanation, ExplainedDifference):
            head, tables, remarks = shown_difference(explanation, destination.digits)
        else:
            head, tables, remarks = shown_places(explanation, destination.digits)
        write_lines(head, file, destination.screen)
        write_on_terminal((tables, [*remarks, "", result.conventions.describe()]), file, destination.screen)

    write_result(result, explanation.rows, destination, metadata_of(result, per_query=False), {"table": table})


def shown_places(explanation: Explanation, digits: int) -> tuple[list[str], list[Table], list[str]]:
    """The lines above, one ranking beside the best one, and the value of each metric."""
    head = [] if explanation.text is None else [explanation.title, ""]
    width = max(map(len, explanation.values))
    values = [f"{text:<{width}}  {explained('value', value, digits)}" for text, value in explanation.values.items()]
    return head, [beside_the_best(places_table(explanation, digits))], values


def shown_difference(explanation: ExplainedDifference, digits: int) -> tuple[list[str], list[Table], list[str]]:
    """The lines above, two rankings and the values of each metric, and the lines below."""
    tables = [documents_table(explanation, digits), both_values_table(explanation, digits)]
    return [explanation.title, explanation.legend, ""], tables, explanation.remarks(digits)


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


def documents_table(explanation: ExplainedDifference, digits: int) -> Table:
    """The documents of two rankings; titles, gains and parts only where there are any."""
    rows = Rows(explanation.to_dicts())
    titled = any(row["title"] is not None for row in rows.rows)
    graded = any(row["gain"] is not None and row["gain"] != max(row["relevance"] or 0, 0) for row in rows.rows)
    columns = [
        rows.numbers("baseline_rank", of_document(lambda row: whole_number(row["baseline_rank"])), "A"),
        rows.numbers("rank", of_document(lambda row: whole_number(row["rank"])), "B"),
        rows.words("moved", of_document(move)),
        rows.words("doc_id", lambda row: f"({row['documents']} more)" if row["doc_id"] is None else row["doc_id"]),
        *([rows.words("title", lambda row: row["title"] or "", longest=LONGEST)] if titled else []),
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
