"""Writing the results of side-by-side verdicts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, TextIO

from sqlrank.evaluation.metric_result import dicts
from sqlrank.judging.verdicts.decisions import REFUSE, SHIP
from sqlrank.judging.verdicts.side_by_side import SideBySide
from sqlrank.output.formats import SIGNIFICANT, write_result
from sqlrank.output.rater_texts import check_format, document_of_lists, lists_of, rounded
from sqlrank.output.tables import DIGITS, write_latex, write_markdown
from sqlrank.pages.drawn_intervals import drawings
from sqlrank.pages.terminal_tables import PLAIN, Grid, Screen, write_grid, write_lines
from sqlrank.process.output_files import Target
from sqlrank.version import __version__

TONES = {SHIP: "gain", REFUSE: "loss"}
"""The tone of a decision."""
SPARE = tuple("p (sign test),reading,disagreement,judgments needed,p,adjusted,total,same,good,bad".split(","))
"""The columns that are left out where a terminal has no room, the first one first."""
COUNTS = ("good", "same", "bad", "total")


def write_verdicts(
    result: SideBySide,
    kind: str,
    target: Target | str | None,
    digits: int = DIGITS,
    screen: Screen = PLAIN,
    disputed: int | None = None,
) -> None:
    """Write the result of verdicts, with every rater and the `disputed` items that raters disagree on most.

    UsageError if the format has no place for them.
    """
    check_kind(kind, disputed)
    metadata = {"sqlrank": __version__, "conventions": json.dumps(result.settings())}
    write = partial(write_for_people, result, digits=digits, screen=screen, disputed=disputed)
    people = {name: partial(write, name) for name in ("table", "markdown", "latex")}
    write_result(result, result.rows, kind, target, metadata, people, partial(document_of, result, disputed))


def check_kind(kind: str, disputed: int | None = None) -> None:
    """Raise UsageError if verdicts, or with them the disputed items, cannot be written in a format."""
    check_format(kind, disputed, "gsb", "verdicts")


def document_of(result: SideBySide, disputed: int | None = None) -> dict[str, Any]:
    """What a JSON document of verdicts holds beside the rows."""
    notes = [*result.notes, *result.limits()] + ([] if result.where is None else [f"only rows where {result.where}"])
    inputs = {kind: found.to_dict() for kind, found in result.inputs.items()}
    found: dict[str, Any] = {"inputs": inputs, "conventions": result.settings(), "notes": notes}
    if result.raters:
        found["agreement"] = {name: rounded_values(asdict(one)) for name, one in result.agreement.items()}
    return found | document_of_lists(result, disputed)


def rounded_values(values: Mapping[str, float | None]) -> dict[str, float | None]:
    """Numbers with the digits that are the same in every run."""
    return {name: None if value is None else float(f"{value:.{SIGNIFICANT}g}") for name, value in values.items()}


def write_for_people(
    result: SideBySide, kind: str, file: TextIO, digits: int, screen: Screen = PLAIN, disputed: int | None = None
) -> None:
    """A row for each segment and the total, with remarks, and between them the raters and the disputed items."""
    more = lists_of(result, disputed, digits)
    adjusted = ["adjusted"] if result.by else []
    header = [*result.by, *COUNTS, "delta_gsb", f"{result.confidence} interval", "p", *adjusted, "p (sign test)"]
    header += ["reading", "decision", "judgments needed", *(["disagreement"] if result.raters else [])]
    place = header.index("reading", len(result.by))
    words = {*range(len(result.by)), place, place + 1}
    lines = [header, *(line(result, row, digits) for row in dicts(result.rows))]
    if kind == "markdown":
        for each in more:
            write_markdown(lines, words, [], file)
            lines, words = each, {0}
        write_markdown(lines, words, result.remarks(), file)
    elif kind == "latex":
        write_latex(lines, words, result.remarks(), file)
    else:
        write_grid(grid_of(result, lines, words, screen), file, screen)
        file.write("\n")
        for head, *body in more:
            write_grid(Grid(head, body, frozenset([0])), file, screen)
            file.write("\n")
        write_lines(result.remarks(), file, screen)


def grid_of(result: SideBySide, lines: Sequence[Sequence[str]], words: Iterable[int], screen: Screen) -> Grid:
    """The lines, with their intervals drawn if that is asked for, and with the decisions coloured."""
    rows, left = list(dicts(result.rows)), len(result.by)
    header, *body = [list(each) for each in lines]
    toned, shown = header.index("decision", left), frozenset(words)
    spare = [header.index(name, left) for name in SPARE if name in header[left:]]
    if screen.plot:
        drawn = drawings(rows, ("delta_gsb", "ci_low", "ci_high"), lambda _: None, zero=True)
        shown |= {len(header)}
        header.append("drawn")
        body = [[*each, screen.drawing(interval)] for each, interval in zip(body, drawn, strict=True)]
    tones = [TONES.get(row["decision"], "") for row in rows]
    return Grid(header, body, shown, spare, toned, tones)


def line(result: SideBySide, row: Mapping[str, Any], digits: int) -> list[str]:
    """The cells of one row."""
    total = not result.by or row["is_total"]
    segments = ["(all)" if total else "(null)" if row[name] is None else str(row[name]) for name in result.by]
    low, high = rounded(row["ci_low"], digits), rounded(row["ci_high"], digits)
    chances = ["p_value", *(["p_adjusted"] if result.by else []), "p_sign"]
    cells = [*segments, *(str(row[name]) for name in COUNTS), rounded(row["delta_gsb"], digits)]
    cells += ["-" if row["ci_low"] is None else f"{low} to {high}", *(small(row[name], digits) for name in chances)]
    cells += [row["reading"] or "-", row["decision"], needed(row)]
    return cells + ([rounded(row["disagreement"], digits)] if result.raters else [])


def needed(row: Mapping[str, Any]) -> str:
    """The number of judgments that would decide, with its range."""
    number, low, high = (row[f"judgments_needed{end}"] for end in ("", "_low", "_high"))
    if low is None:
        return "-"
    return f"{'-' if number is None else number} ({low} {'or more' if high is None else f'to {high}'})"


def small(value: float | None, digits: int) -> str:
    """A probability, which is not shown as 0, and - where there is none."""
    least = 10.0**-digits
    return f"<{least:.{digits}f}" if value is not None and value < least and digits else rounded(value, digits)
