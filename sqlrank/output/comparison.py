"""Writing comparisons: for people, for papers, and as tidy rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from sqlrank.choices import RESULT_FORMATS
from sqlrank.columns import asked_for, picked
from sqlrank.comparison.columns import ROWS, TABLE
from sqlrank.comparison.notes import legend, stars
from sqlrank.comparison.result import Comparison
from sqlrank.comparison.rows import gain_of
from sqlrank.errors import UsageError
from sqlrank.metrics.measure import Measure
from sqlrank.output.declared_tables import Reading, declared_table
from sqlrank.output.formats import dicts, write_result
from sqlrank.output.latex import write_latex, write_matrices
from sqlrank.output.parts import parts_table
from sqlrank.output.single_queries import NONE, Chosen, changed_tables, changes_of
from sqlrank.output.tables import Destination, Row, Rows, Shown, for_people
from sqlrank.pages.tables import Cell, Table, column
from sqlrank.pages.words import ENGLISH, Words
from sqlrank.process.output_files import Target
from sqlrank.statistics.verdict import WITHHELD
from sqlrank.version import __version__

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
    counts = {measure.text for measure in comparison.measures if measure.counts}
    one, pairs = len(comparison.systems) == 2, comparison.all_pairs
    reading = Reading(
        digits,
        places=lambda row: 0 if row["metric"] in counts else digits,
        tone=tone_of,
        stars=stars,
        said={"wins": votes, "verdict": partial(verdict, words=words)},
        confidence=comparison.questions.confidence,
        headings={
            "system": "system",
            "baseline": "baseline value" if pairs else comparison.baseline,
            "value": comparison.systems[1] if one else "value",
            "units": "queries",
        },
        names=[*([] if pairs else ["baseline_value"]), *(["value"] if one else [])],
        words=words,
    )
    without = [] if pairs else ["baseline"]
    if not comparison.questions.paired:
        shared = any(row["shared_queries"] for row in comparison.all_rows)
        without += ["delta_gsb", *([] if shared else ["wins"])]
    shown = asked_for(picked(ROWS, TABLE), comparison.given)
    kept = [] if one else ["system"]
    return declared_table(shown, Rows(compared), reading, comparison.by, without, kept)


def votes(row: Row) -> str:
    """For how many queries the candidate is better, alike and worse."""
    return f"{row['wins']}/{row['ties']}/{row['losses']}"


def verdict(row: Row, words: Words) -> str:
    """The verdict on a difference, and whom the judgments favour where there is none."""
    return "-" if row["verdict"] is None else words(VERDICTS[row["verdict"]], favoured=row["favoured"])


def number(value: float | None, digits: int, sign: str = "") -> str:
    """A number with so many decimals; a `sign` of + is shown too, as differences have it."""
    return "-" if value is None else f"{value:{sign}.{digits}f}"


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
