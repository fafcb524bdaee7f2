"""Explanations of one query: one ranking beside the best one, or two side by side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from sqlrank.choices import TIDY
from sqlrank.columns import Kind
from sqlrank.evaluation.columns import PLACES
from sqlrank.evaluation.explanation import BothValues, ExplainedDifference, Explanation, part
from sqlrank.evaluation.storable import metadata_of
from sqlrank.output.tables import Row, Rows, figure, graded, relation_table, text_of
from sqlrank.output.writing import Destination, Writing, of_rows
from sqlrank.pages.tables import Cell, Column, Table, column, listed
from sqlrank.pages.words import ENGLISH

LONGEST = 40
"""How long the titles of documents are on a terminal."""


def place_tables(explanation: Explanation, to: Destination) -> list[Table]:
    """One ranking beside the best one; a notebook has the values of the metrics as a table too."""
    table = places_table(explanation, to.digits)
    return [table, metrics_table(explanation, to.digits)] if to.kind == "html" else [beside_the_best(table)]


def values_in_words(explanation: Explanation, to: Destination) -> list[str]:
    """The value of each metric, and the conventions where they are asked for."""
    width = max(map(len, explanation.values))
    lines = [f"{text:<{width}}  {text_of(value, to.digits)}" for text, value in explanation.values.items()]
    return [] if to.kind == "html" else [*lines, *conventions_of(to)]


def conventions_of(to: Destination) -> list[str]:
    """The conventions, which are asked for where nothing else says them."""
    return ["", to.additions["conventions"]] if "conventions" in to.additions else []


def difference_tables(explanation: ExplainedDifference, to: Destination) -> list[Table]:
    """Two rankings and the values of each metric; a notebook shows them without tones."""
    tables = [documents_table(explanation, to.digits), both_values_table(explanation, to.digits)]
    return [table.toneless() for table in tables] if to.kind == "html" else tables


def places_table(explanation: Explanation, digits: int) -> Table:
    """One ranking beside the best one, place by place."""
    table = relation_table(explanation.rows, digits, PLACES, explanation.grades)
    columns = [replace(one, longest=LONGEST) if one.name.endswith("title") else one for one in table.columns]
    return replace(table, columns=columns, caption=f"{explanation.title}: {explanation.system}")


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
    gained = any(row["gain"] is not None and row["gain"] != max(row["relevance"] or 0, 0) for row in rows.rows)
    columns = [
        rows.numbers("baseline_rank", given("baseline_rank"), "A"),
        rows.numbers("rank", given("rank"), "B"),
        rows.words("moved", of_document(move)),
        rows.words("doc_id", lambda row: f"({row['documents']} more)" if row["doc_id"] is None else row["doc_id"]),
        *([rows.words("title", lambda row: row["title"] or "", longest=LONGEST)] if titled else []),
        rows.numbers("relevance", of_document(lambda row: graded(row["relevance"], explanation.grades))),
        *([rows.numbers("gain", given("gain"))] if gained else []),
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


def given(name: str) -> Callable[[Row], str]:
    """A number of a document as it was given."""
    return of_document(lambda row: figure(row[name], Kind.GIVEN, 0))


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
            column("A", (text_of(both.baseline_value, digits) for both in values), number=True),
            column("B", (text_of(both.value, digits) for both in values), number=True),
            column("difference", (difference(both, digits) for both in values), number=True),
        ]
    )


def difference(both: BothValues, digits: int) -> Cell:
    """The difference of both values of a metric."""
    text = "-" if both.difference is None else f"{both.difference:+.{digits}f}"
    return Cell(text, tone_of(both.difference))


def metrics_table(explanation: Explanation, digits: int) -> Table:
    """The values of the metrics of one ranking."""
    values = [(text, text_of(value, digits)) for text, value in explanation.values.items()]
    return listed([ENGLISH("metric"), ENGLISH("value")], values, numbers=[ENGLISH("value")])


EXPLANATION = Writing(
    tables=place_tables,
    remarks=values_in_words,
    head=lambda explanation: [] if explanation.text is None else [explanation.title, ""],
    metadata=partial(metadata_of, per_query=False),
    places=of_rows("explain takes {takes}, not {kind}", ("table", *TIDY)),
)
DIFFERENCE = replace(
    EXPLANATION,
    tables=difference_tables,
    remarks=lambda explanation, to: [*explanation.remarks(to.digits), *conventions_of(to)],
    head=lambda explanation: [explanation.title, explanation.legend, ""],
)
