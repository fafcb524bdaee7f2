"""Writing comparisons: for people, for papers, and as tidy rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import Any, TextIO

from sqlrank.choices import FORMATS
from sqlrank.comparison.notes import Row, legend, stars
from sqlrank.comparison.result import Comparison
from sqlrank.errors import UsageError
from sqlrank.output.formats import dicts, write_result
from sqlrank.output.latex import write_latex
from sqlrank.output.latex_matrix import write_matrices
from sqlrank.output.tables import DIGITS, write_markdown
from sqlrank.pages.drawn_intervals import drawings
from sqlrank.pages.terminal_tables import PLAIN, Grid, Screen, write_grid, write_lines
from sqlrank.process.output_files import Target
from sqlrank.version import __version__

SPARE = (10, 9, 8, 5, 6, 7, 0, 4, 1, 2)
"""The columns that are left out where a terminal has no room, the first one first, by their places after the metric:
delta_gsb, wins/ties/losses, effect, relative, p, adjusted p, queries, interval, values of baseline and candidate."""
KINDS = tuple(kind for kind in FORMATS if kind != "trec")
"""The formats of a comparison."""


def write_comparison(
    comparison: Comparison,
    kind: str,
    target: Target | str | None,
    digits: int = DIGITS,
    movers: int | None = None,
    screen: Screen = PLAIN,
) -> None:
    """Write a comparison, with the `movers` queries that moved most; UsageError if the format has no place for them."""
    check_kind(kind, movers)
    people = {
        "table": partial(write_table, comparison, digits=digits, movers=movers, screen=screen),
        "markdown": partial(write_as_markdown, comparison, digits=digits, movers=movers),
        "latex": partial(write_matrices if comparison.all_pairs else write_latex, comparison, digits=digits),
    }
    document = partial(document_of, comparison, movers)
    write_result(comparison, comparison.rows, kind, target, metadata_of(comparison), people, document)


def check_kind(kind: str, movers: int | None) -> None:
    """Raise UsageError if a comparison cannot be written in a format."""
    if kind not in KINDS:
        raise UsageError(f"compare takes {', '.join(KINDS)}, not {kind}")
    if movers is not None and kind not in ("table", "markdown", "json"):
        raise UsageError(f"--movers has no place in {kind}; choose table, markdown or json, or --per-query FILE")


def write_differences(comparison: Comparison, kind: str, target: Target | str | None) -> None:
    """Write both values of every query; arguments as in `write_comparison`."""
    write_result(comparison, comparison.per_query, kind, target, metadata_of(comparison))


def metadata_of(comparison: Comparison) -> dict[str, str]:
    """The metadata of a Parquet file of results."""
    return {
        "sqlrank": __version__,
        "conventions": json.dumps(comparison.conventions),
        "comparison": json.dumps(comparison.questions.to_dict()),
    }


def cells_of(comparison: Comparison, row: Row, digits: int) -> list[str]:
    """A row as text."""
    counts = {measure.text for measure in comparison.measures if measure.counts}
    places = 0 if row["metric"] in counts else digits

    def number(name: str, sign: str = "", shown: int = places) -> str:
        return "-" if row[name] is None else f"{row[name]:{sign}.{shown}f}"

    relative = "-" if row["relative_difference"] is None else f"{100 * row['relative_difference']:+.1f} %"
    interval = "-" if row["ci_low"] is None else f"{number('ci_low', '+')} to {number('ci_high', '+')}"
    difference = number("difference", "+")
    return [
        row["system"],
        *([row["baseline"]] if comparison.all_pairs else []),
        *("(all)" if row["is_total"] else str(row[name]) for name in comparison.by),
        row["metric"],
        str(row["queries"]),
        number("baseline_value"),
        number("value"),
        f"{difference} {stars(row):<3}",
        interval,
        relative,
        chance(row["p_value"], digits),
        chance(row["p_adjusted"], digits),
        number("effect_size", "+", 2),
        f"{row['wins']}/{row['ties']}/{row['losses']}",
        number("delta_gsb", "+", digits),
    ]


def chance(value: float | None, digits: int) -> str:
    """A p value as text."""
    if value is None:
        return "-"
    return f"<{10**-digits:.{digits}f}" if 0 < value < 10**-digits / 2 else f"{value:.{digits}f}"


def header_of(comparison: Comparison) -> list[str]:
    """The names of the columns of `cells_of`."""
    interval = f"{comparison.questions.confidence} interval"
    numbers = [
        "queries",
        "baseline value" if comparison.all_pairs else comparison.baseline,
        "value",
        "difference    ",
        interval,
        "relative",
        "p",
        "adjusted",
        "effect",
    ]
    pair = ["system", "baseline"] if comparison.all_pairs else ["system"]
    return [*pair, *comparison.by, "metric", *numbers, "wins/ties/losses", "delta_gsb"]


def left_of(comparison: Comparison) -> int:
    """How many columns of `cells_of` are words."""
    return 2 + len(comparison.by) + comparison.all_pairs


def standing_lines(comparison: Comparison, digits: int) -> list[list[str]]:
    """The mean and the letters of every system, as text with a header."""
    counts = {measure.text for measure in comparison.measures if measure.counts}
    found: dict[str, list[str]] = {}
    widest = max((len(row["letters"]) for row in comparison.standings), default=0)
    for row in comparison.standings:
        value = "-" if row["value"] is None else f"{row['value']:.{0 if row['metric'] in counts else digits}f}"
        found.setdefault(row["system"], [row["system"]]).append(f"{value} {row['letters']:<{widest}}")
    return [["system", *(f"{measure.text} {'':<{widest}}" for measure in comparison.measures)], *found.values()]


def moved(comparison: Comparison, most: int, digits: int) -> list[list[str]]:
    """The queries that moved most, as text with a header."""
    relation = comparison.movers(most)
    names = [name for name in relation.columns if name != "place"]
    lines = [["moved most: system", *names[1:]]]
    for row in relation.fetchall():
        values = dict(zip(relation.columns, row, strict=True))
        lines.append([moved_cell(name, values[name], digits) for name in names])
    return lines


def moved_cell(name: str, value: Any, digits: int) -> str:
    """A cell of the queries that moved most."""
    if isinstance(value, float):
        return f"{value:{'+' if name == 'difference' else ''}.{digits}f}"
    return "-" if value is None else str(value)


def write_table(comparison: Comparison, file: TextIO, digits: int, movers: int | None, screen: Screen = PLAIN) -> None:
    """The comparison as a table for people."""
    left = left_of(comparison)
    if comparison.all_pairs:
        header, *rows = standing_lines(comparison, digits)
        write_grid(Grid(header, rows, frozenset([0])), file, screen)
        file.write("\n")
    write_grid(grid_of(comparison, digits, screen), file, screen)
    if movers is not None:
        header, *rows = moved(comparison, movers, digits)
        file.write("\n")
        write_grid(Grid(header, rows, frozenset(range(left + 1))), file, screen)
    file.write("\n")
    write_lines([*comparison.remarks(), legend(comparison.questions)], file, screen)


def grid_of(comparison: Comparison, digits: int, screen: Screen) -> Grid:
    """The rows of a comparison, with their intervals drawn if that is asked for."""
    left, header = left_of(comparison), header_of(comparison)
    rows = [cells_of(comparison, row, digits) for row in comparison.all_rows]
    spare = [left + place for place in SPARE] + ([0] if len(comparison.systems) == 2 else [])
    words = frozenset(range(left))
    if screen.plot:
        drawn = drawings(comparison.all_rows, ("difference", "ci_low", "ci_high"), lambda row: row["metric"], zero=True)
        header = [*header, "drawn"]
        rows = [[*line, screen.drawing(interval)] for line, interval in zip(rows, drawn, strict=True)]
        words |= {len(header) - 1}
    tones = [tone_of(row) for row in comparison.all_rows]
    return Grid(header, rows, words, spare, toned=left + 3, tones=tones)


def tone_of(row: Mapping[str, Any]) -> str:
    """Whether a difference is a significant gain or loss."""
    if not row["significant"] or row["difference"] is None:
        return ""
    return "gain" if row["difference"] > 0 else "loss"


def write_as_markdown(comparison: Comparison, file: TextIO, digits: int, movers: int | None) -> None:
    """The comparison as Markdown tables."""
    left = left_of(comparison)
    if comparison.all_pairs:
        standing = [[text.strip() for text in line] for line in standing_lines(comparison, digits)]
        write_markdown(standing, range(1), [], file)
    rows = [cells_of(comparison, row, digits) for row in comparison.all_rows]
    lines = [[text.strip() for text in line] for line in [header_of(comparison), *rows]]
    if movers is not None:
        write_markdown(lines, range(left), [], file)
        lines, left = moved(comparison, movers, digits), left + 1
    write_markdown(lines, range(left), [*comparison.remarks(), legend(comparison.questions)], file)


def document_of(comparison: Comparison, movers: int | None) -> dict[str, Any]:
    """What a JSON document of a comparison holds beside the rows."""
    moved: dict[str, Any] = {} if movers is None else {"movers": list(dicts(comparison.movers(movers)))}
    moved |= {"standings": comparison.standings} if comparison.all_pairs else {}
    moved |= {"gates": comparison.gates} if comparison.gates else {}
    return moved | {
        "comparison": {"baseline": comparison.baseline, "families": comparison.families}
        | comparison.questions.to_dict(),
        "conventions": comparison.conventions,
        "remarks": comparison.remarks(),
        "inputs": {kind: found.to_dict() for kind, found in comparison.inputs.items()},
        "notes": comparison.notes,
    }
