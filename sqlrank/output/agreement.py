"""Writing how far raters agree."""

from __future__ import annotations

import json
from functools import partial
from typing import Any, TextIO

from sqlrank.evaluation.metric_result import dicts
from sqlrank.judging.raters.rater_agreement import RaterAgreement
from sqlrank.output.formats import write_result
from sqlrank.output.rater_texts import check_format, document_of_lists, lists_of, rounded
from sqlrank.output.tables import DIGITS, write_latex, write_markdown
from sqlrank.pages.drawn_intervals import drawings
from sqlrank.pages.terminal_tables import PLAIN, Grid, Screen, write_grid, write_lines
from sqlrank.process.output_files import Target
from sqlrank.version import __version__

WORDS = (frozenset([0]), frozenset([0]), frozenset([0, 1, 3]))
"""The columns of words: of measures, of raters, and of disputed pairs, which have ids and levels."""
SPARE = (4, 3)
"""The columns of measures that are left out where a terminal has no room, the first one first."""


def write_agreement(
    result: RaterAgreement,
    kind: str,
    target: Target | str | None,
    digits: int = DIGITS,
    screen: Screen = PLAIN,
    disputed: int | None = None,
) -> None:
    """Write the measures, with every rater and the `disputed` pairs that raters disagree on most.

    UsageError if the format has no place for them.
    """
    check_kind(kind, disputed)
    metadata = {"sqlrank": __version__, "conventions": json.dumps(result.settings())}
    write = partial(write_for_people, result, digits=digits, screen=screen, disputed=disputed)
    people = {name: partial(write, name) for name in ("table", "markdown", "latex")}
    write_result(result, result.rows, kind, target, metadata, people, partial(document_of, result, disputed))


def check_kind(kind: str, disputed: int | None = None) -> None:
    """Raise UsageError if agreement, or with it the disputed pairs, cannot be written in a format."""
    check_format(kind, disputed, "agreement", "agreement of raters")


def document_of(result: RaterAgreement, disputed: int | None = None) -> dict[str, Any]:
    """What a JSON document holds beside the rows."""
    notes = result.notes + ([] if result.where is None else [f"only rows where {result.where}"])
    inputs = {kind: found.to_dict() for kind, found in result.inputs.items()}
    found = {"inputs": inputs, "pairs": result.pairs, "conflicting": result.conflicting, "levels": result.levels}
    return found | {"conventions": result.settings(), "notes": notes} | document_of_lists(result, disputed)


def write_for_people(
    result: RaterAgreement, kind: str, file: TextIO, digits: int, screen: Screen = PLAIN, disputed: int | None = None
) -> None:
    """A row for each measure, the raters and the disputed pairs, and remarks."""
    measures, remarks = lines_of(result, digits), result.remarks()
    tables = [measures, *lists_of(result, disputed, digits)]
    if kind == "latex":
        write_latex(measures, WORDS[0], remarks, file)
    elif kind == "markdown":
        for number, lines in enumerate(tables):
            write_markdown(lines, WORDS[number], remarks if lines is tables[-1] else [], file)
    else:
        for number, lines in enumerate(tables):
            head, *body = lines
            grid = Grid(head, body, WORDS[number]) if number else grid_of(result, measures, screen)
            write_grid(grid, file, screen)
            file.write("\n")
        write_lines(remarks, file, screen)


def grid_of(result: RaterAgreement, lines: list[list[str]], screen: Screen) -> Grid:
    """The measures as a table, with their intervals drawn if that is asked for."""
    header, *body = lines
    if not screen.plot:
        return Grid(header, body, WORDS[0])
    drawn = drawings(dicts(result.rows), ("value", "ci_low", "ci_high"), lambda _: None, zero=True)
    cells = [[*line, screen.drawing(each)] for line, each in zip(body, drawn, strict=True)]
    return Grid([*header, "drawn"], cells, WORDS[0] | {len(header)}, SPARE)


def lines_of(result: RaterAgreement, digits: int) -> list[list[str]]:
    """The measures with their intervals, as text with a header."""
    lines = [["measure", "value", f"{result.confidence} interval", "pairs", "raters"]]
    for row in dicts(result.rows):
        low, high = rounded(row["ci_low"], digits), rounded(row["ci_high"], digits)
        interval = "-" if row["ci_low"] is None else f"{low} to {high}"
        lines.append([row["measure"], rounded(row["value"], digits), interval, str(row["pairs"]), str(row["raters"])])
    return lines
