"""Writing comparisons: for people, for papers, and as tidy rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import partial
from operator import itemgetter
from typing import Any

from sqlrank.choices import RESULT_FORMATS
from sqlrank.comparison.notes import legend, stars
from sqlrank.comparison.result import Comparison
from sqlrank.comparison.rows import gain_of
from sqlrank.errors import UsageError
from sqlrank.metrics.measure import Measure
from sqlrank.output.formats import dicts, write_result
from sqlrank.output.latex import write_latex, write_matrices
from sqlrank.output.parts import parts_table
from sqlrank.output.single_queries import NONE, Chosen, changed_tables, changes_of
from sqlrank.output.tables import Destination, Row, Rows, Shown, for_people
from sqlrank.pages.tables import SIGNS, Cell, Column, Table, column
from sqlrank.pages.words import ENGLISH, Words
from sqlrank.process.output_files import Target
from sqlrank.statistics.verdict import WITHHELD
from sqlrank.version import __version__

SPARE = (
    *("delta_gsb", "wins", "effect_size", "p_value", "relative_difference", "baseline_queries", "queries", "system"),
    *("baseline_value", "value", "p_adjusted", "interval"),
)
"""The columns that are left out where a terminal has no room, the first one first; the system only where all rows have
the same. What decides stays the longest: the difference, its interval, the adjusted p value and the verdict."""
MOST_STARS = len("***")
VERDICTS = {
    "better": "said-better",
    "worse": "said-worse",
    "undecided": "said-undecided",
    WITHHELD: "said-withheld",
}
"""The words of the verdicts on judgments from clicks."""


def write_comparison(comparison: Comparison, destination: Destination, chosen: Chosen = NONE) -> None:
    """Write a comparison, with the queries that are `chosen`; UsageError if the format has no place for them."""
    check_kind(destination.kind, chosen)
    digits = destination.digits

    def shown() -> Shown:
        tables = [standings_table(comparison, digits)] if comparison.all_pairs else []
        tables.append(comparison_table(comparison, comparison.all_rows, digits))
        tables += [parts_table(comparison, digits)] if comparison.all_parts else []
        tables += changed_tables(comparison, chosen, digits)
        return tables, [*comparison.remarks(), legend(comparison.questions)]

    people = for_people(shown, destination.screen)
    people["latex"] = partial(write_matrices if comparison.all_pairs else write_latex, comparison, digits=digits)
    document = partial(document_of, comparison, chosen)
    write_result(comparison, comparison.rows, destination, metadata_of(comparison), people, document)


def check_kind(kind: str, chosen: Chosen = NONE, summary: bool = True) -> None:
    """Raise UsageError if a comparison, or the queries that are `chosen`, cannot be written in a format."""
    if kind not in RESULT_FORMATS:
        raise UsageError(f"compare takes {', '.join(RESULT_FORMATS)}, not {kind}")
    chosen.check(kind, summary)


def write_differences(comparison: Comparison, kind: str, target: Target | str | None) -> None:
    """Write both values of every query; arguments as in `write_comparison`."""
    write_result(comparison, comparison.per_query, Destination(kind, target), metadata_of(comparison))


def metadata_of(comparison: Comparison) -> dict[str, str]:
    """The metadata of a Parquet file of results."""
    return {
        "sqlrank": __version__,
        "conventions": json.dumps(comparison.conventions),
        "comparison": json.dumps(comparison.questions.to_dict()),
    }


def comparison_table(comparison: Comparison, compared: Iterable[Row], digits: int, words: Words = ENGLISH) -> Table:
    """Both values of each row, their difference with its interval, and what a test says of it."""
    rows = Rows(compared)
    counts = {measure.text for measure in comparison.measures if measure.counts}
    before, named = ("baseline value", False) if comparison.all_pairs else (comparison.baseline, True)
    one = len(comparison.systems) == 2
    after = comparison.systems[1] if one else "value"

    def places(row: Row) -> int:
        return 0 if row["metric"] in counts else digits

    return Table(
        [
            rows.words("system"),
            *([rows.words("baseline")] if comparison.all_pairs else []),
            *rows.segments(comparison.by, words("all")),
            rows.words("metric"),
            *([] if comparison.questions.paired else [rows.numbers("baseline_queries", title="baseline queries")]),
            rows.numbers("queries"),
            rows.numbers("baseline_value", lambda row: number(row["baseline_value"], places(row)), before, named=named),
            rows.numbers("value", lambda row: number(row["value"], places(row)), after, named=one),
            rows.numbers("difference", lambda row: difference(row, places(row)), marks=MOST_STARS),
            rows.numbers(
                "interval",
                lambda row: interval(row, places(row), words),
                f"{comparison.questions.confidence} interval",
            ),
            rows.drawn("difference", itemgetter("metric"), tone=tone_of),
            rows.numbers("relative_difference", relative, "relative"),
            rows.numbers("p_value", lambda row: chance(row["p_value"], digits), "p"),
            rows.numbers("p_adjusted", lambda row: chance(row["p_adjusted"], digits), "adjusted p"),
            rows.numbers("effect_size", lambda row: number(row["effect_size"], 2, "+"), "effect"),
            *side_by_side(rows, comparison, digits),
            *([rows.words("verdict", partial(verdict, words=words))] if comparison.circularity.behaviours else []),
        ],
        spare=[name for name in SPARE if name != "system" or one],
    )


def side_by_side(rows: Rows, comparison: Comparison, digits: int) -> list[Column]:
    """The columns of the queries that both sides have, if there are any."""
    wins = rows.numbers("wins", lambda row: f"{row['wins']}/{row['ties']}/{row['losses']}", "wins/ties/losses")
    if not comparison.questions.paired:
        return [wins] if any(row["shared_queries"] for row in comparison.all_rows) else []
    return [wins, rows.numbers("delta_gsb", lambda row: number(row["delta_gsb"], digits, "+"))]


def verdict(row: Row, words: Words) -> str:
    """The verdict on a difference, and whom the judgments favour where there is none."""
    return "-" if row["verdict"] is None else words(VERDICTS[row["verdict"]], favoured=row["favoured"])


def number(value: float | None, digits: int, sign: str = "") -> str:
    """A number with so many decimals; a `sign` of + is shown too, as differences have it."""
    return "-" if value is None else f"{value:{sign}.{digits}f}"


def difference(row: Row, digits: int) -> Cell:
    """A difference with its stars."""
    tone = tone_of(row)
    sign = "" if row["difference"] is None else SIGNS[tone]
    return Cell(number(row["difference"], digits, "+"), tone, sign=sign, mark=stars(row))


def interval(row: Row, digits: int, words: Words = ENGLISH) -> str:
    """The ends of the interval of a difference."""
    return "-" if row["ci_low"] is None else words.ends(row, digits, "+")


def relative(row: Row) -> str:
    """A difference in percent of the value of the baseline."""
    return "-" if row["relative_difference"] is None else f"{100 * row['relative_difference']:+.1f} %"


def chance(value: float | None, digits: int) -> str:
    """A p value as text."""
    if value is None:
        return "-"
    return f"<{10**-digits:.{digits}f}" if 0 < value < 10**-digits / 2 else f"{value:.{digits}f}"


def standings_table(comparison: Comparison, digits: int) -> Table:
    """The mean and the letters of every system, a column for each metric."""
    longest = max((len(row["letters"]) for row in comparison.standings), default=0)

    def standing(measure: Measure) -> Iterator[Cell]:
        for row in comparison.standings:
            if row["metric"] == measure.text:
                yield Cell(number(row["value"], 0 if measure.counts else digits), mark=row["letters"])

    systems = dict.fromkeys(row["system"] for row in comparison.standings)
    metrics = [column(each.text, standing(each), number=True, marks=longest) for each in comparison.measures]
    return Table([column("system", systems), *metrics])


def tone_of(row: Row) -> str:
    """Whether a difference is a significant gain or loss, by what its metric does where a ranking is better."""
    gain = gain_of(row)
    return "" if not row["significant"] or not gain else "gain" if gain > 0 else "loss"


def document_of(comparison: Comparison, chosen: Chosen) -> dict[str, Any]:
    """What a JSON document of a comparison holds beside the rows."""
    moved: dict[str, Any] = {**changes_of(comparison, chosen)}
    moved |= {"standings": comparison.standings} if comparison.all_pairs else {}
    moved |= {"gates": comparison.gates} if comparison.gates else {}
    moved |= {"parts": list(dicts(comparison.parts))} if comparison.all_parts else {}
    return moved | {
        "comparison": {"baseline": comparison.baseline, "families": comparison.families}
        | comparison.questions.to_dict(),
        "conventions": comparison.conventions,
        "remarks": comparison.remarks(),
        "inputs": {kind: found.to_dict() for kind, found in comparison.inputs.items()},
        "notes": comparison.notes,
    }
