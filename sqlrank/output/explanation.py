"""Explanations of one query: one ranking beside the best one, or two side by side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, TextIO

from sqlrank.choices import TIDY
from sqlrank.errors import UsageError
from sqlrank.evaluation.explanation import BothValues, ExplainedDifference, Explanation, part
from sqlrank.evaluation.result import Result
from sqlrank.evaluation.stored import metadata_of
from sqlrank.output.formats import write_result
from sqlrank.output.tables import DIGITS
from sqlrank.pages.terminal_tables import PLAIN, Grid, Screen, shortened, write_grid, write_lines
from sqlrank.process.output_files import Target

SPARE_PLACES = tuple("hits ideal_gain ideal_contribution score gain discount ideal_relevance ideal_doc_id".split())
"""The columns of an explanation that are left out where a terminal has no room, the first one first."""
GIVEN = ("score", "relevance", "ideal_relevance", "gain", "ideal_gain")
"""The columns whose numbers were given, rather than computed."""
TITLE, LONGEST = 4, 40
"""The column of the titles of documents, and how long they are in a table for people."""


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
    names = explanation.columns
    best = names.index("ideal_doc_id")
    body = [
        [explained(name, value, digits) for name, value in zip(names, row, strict=True)]
        for row in explanation.fetchall()
    ]
    header = [name.removeprefix("ideal_") for name in names]
    header[best] = "best"
    lines = [[f"| {text}" if number == best else text for number, text in enumerate(line)] for line in (header, *body)]
    spare = [names.index(name) for name in SPARE_PLACES]
    if explanation.text is not None:
        write_lines([explanation.title, ""], file, screen)
    write_grid(Grid(lines[0], lines[1:], frozenset([names.index("doc_id"), best]), spare), file, screen)
    width = max(map(len, explanation.values))
    file.write("\n")
    values = [f"{text:<{width}}  {explained('value', value, digits)}" for text, value in explanation.values.items()]
    write_lines([*values, "", conventions], file, screen)


def write_difference(
    explanation: ExplainedDifference, file: TextIO, conventions: str, digits: int, screen: Screen = PLAIN
) -> None:
    """Two rankings side by side, and the values of each metric, for people."""
    write_lines([explanation.title, explanation.legend, ""], file, screen)
    write_grid(grid_of(explanation, digits, LONGEST), file, screen)
    file.write("\n")
    write_grid(values_grid(explanation, digits), file, screen)
    file.write("\n")
    write_lines([*explanation.remarks(digits), "", conventions], file, screen)


def grid_of(explanation: ExplainedDifference, digits: int, longest: int | None = None) -> Grid:
    """The documents of two rankings as a table; titles, cut to the longest, and parts only where there are any."""
    rows = explanation.to_dicts()
    titled = any(row["title"] is not None for row in rows)
    graded = any(row["gain"] is not None and row["gain"] != max(row["relevance"] or 0, 0) for row in rows)
    names = ["A", "B", "moved", "doc_id", *["title"] * titled, "relevance", *["gain"] * graded]
    parts = ["A adds", "B adds", "difference"] if explanation.metric is not None else []
    lines = [cells_of(row, titled, graded, bool(parts), digits) for row in rows]
    if titled and longest is not None:
        lines = [[*line[:TITLE], shortened(line[TITLE], longest), *line[TITLE + 1 :]] for line in lines]
    words = frozenset(range(2, 4 + titled))
    toned = len(names) + len(parts) - 1 if parts else None
    spare = [len(names) - 1] if graded else []
    return Grid([*names, *parts], lines, words, spare, toned, [tone_of(row["difference"]) for row in rows])


def cells_of(row: dict[str, Any], titled: bool, graded: bool, added: bool, digits: int) -> list[str]:
    """The row of one document, or of all that are not shown, as text."""
    others = row["doc_id"] is None
    ranks = ["" if others else whole_number(row[name]) for name in ("baseline_rank", "rank")]
    named = f"({row['documents']} more)" if others else row["doc_id"]
    title = [row["title"] or ""] * titled
    judged = "" if others else explained("relevance", row["relevance"], digits)
    gain = ["" if others else explained("gain", row["gain"], digits)] * graded
    cells = [*ranks, "" if others else move(row), named, *title, judged, *gain]
    if added:
        cells += [part(row["baseline_contribution"], digits), part(row["contribution"], digits)]
        cells.append(part(row["difference"], digits, "+"))
    return cells


def whole_number(rank: float | None) -> str:
    """A rank, which is a floating-point number where it was given as one."""
    return "-" if rank is None else f"{rank:.12g}"


def move(row: dict[str, Any]) -> str:
    """What a document did, and by how many places."""
    if row["moved"] in ("up", "down"):
        return f"{row['moved']} {abs(row['rank'] - row['baseline_rank']):.12g}"
    return "" if row["moved"] == "same" else str(row["moved"])


def tone_of(difference: float | None) -> str:
    """Whether a document adds more than before, or less."""
    return "" if not difference else "gain" if difference > 0 else "loss"


def values_grid(explanation: ExplainedDifference, digits: int) -> Grid:
    """The values of both systems by metric."""
    lines = [[text, *values_cells(values, digits)] for text, values in explanation.values.items()]
    tones = [tone_of(values.difference) for values in explanation.values.values()]
    return Grid(["metric", *"AB", "difference"], lines, frozenset([0]), (), 3, tones)


def values_cells(values: BothValues, digits: int) -> Sequence[str]:
    """Both values of a metric, and their difference."""
    difference = "-" if values.difference is None else f"{values.difference:+.{digits}f}"
    return [*(explained("value", value, digits) for value in values), difference]


def explained(name: str, value: Any, digits: int) -> str:
    """A cell of an explanation: what was given in full, what was computed rounded, what is not there as -."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.12g}" if name in GIVEN else f"{value:.{digits}f}"
    return str(value)
