"""Writing comparisons: for people, for papers, and as tidy rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, TextIO

from sqlrank.columns import asked_for, picked
from sqlrank.comparison.columns import ROWS, TABLE
from sqlrank.comparison.notes import legend, stars
from sqlrank.comparison.result import Comparison
from sqlrank.comparison.rows import gain_of
from sqlrank.metrics.measure import Measure
from sqlrank.output.formats import dicts
from sqlrank.output.latex import write_latex, write_matrices
from sqlrank.output.parts import parts_table
from sqlrank.output.single_queries import changed_tables, changes_of
from sqlrank.output.tables import Reading, Row, Rows, declared_table, number
from sqlrank.output.writing import SINGLE_QUERIES, Destination, Writing, of_rows
from sqlrank.pages.html import Verdict
from sqlrank.pages.tables import Cell, Table, column
from sqlrank.pages.words import ENGLISH, Words
from sqlrank.statistics.verdict import WITHHELD

VERDICTS = {
    "better": "said-better",
    "worse": "said-worse",
    "undecided": "said-undecided",
    WITHHELD: "said-withheld",
}
"""The words of the verdicts on judgments from clicks."""


def tables_of(comparison: Comparison, to: Destination) -> list[Table]:
    """The standings of all pairs, the differences, what made them, and single queries where they are asked for."""
    tables = [standings_table(comparison, to.digits)] if comparison.all_pairs else []
    tables.append(comparison_table(comparison, comparison.all_rows, to.digits))
    tables += [parts_table(comparison, to.digits)] if comparison.all_parts else []
    return [*tables, *changed_tables(comparison, to)]


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


def answer_of(comparison: Comparison, words: Words = ENGLISH) -> list[str]:
    """What the comparison found, in the sentences that a report leads with."""
    from sqlrank.output.leaderboard import sentences_of

    return sentences_of(comparison, words)


def document_of(comparison: Comparison, to: Destination) -> dict[str, Any]:
    """What a JSON document of a comparison holds besides the rows."""
    moved: dict[str, Any] = {**changes_of(comparison, to)}
    moved |= {"standings": comparison.standings} if comparison.all_pairs else {}
    moved |= {"gates": comparison.gates} if comparison.gates else {}
    moved |= {"parts": list(dicts(comparison.parts))} if comparison.all_parts else {}
    return moved | {
        "comparison": {"baseline": comparison.baseline, "families": comparison.families}
        | comparison.questions.to_dict(),
        "conventions": comparison.conventions,
        "answer": answer_of(comparison),
        "remarks": comparison.remarks(),
        "inputs": {kind: found.to_dict() for kind, found in comparison.inputs.items()},
        "notes": comparison.notes,
    }


def metadata_of(comparison: Comparison) -> dict[str, str]:
    """The metadata of a Parquet file of results."""
    questions = comparison.questions.to_dict()
    return {"conventions": json.dumps(comparison.conventions), "comparison": json.dumps(questions)}


def write_paper(comparison: Comparison, to: Destination, file: TextIO) -> None:
    """Write a table for a paper."""
    (write_matrices if comparison.all_pairs else write_latex)(comparison, file, to.digits)


COMPARED = of_rows("compare takes {takes}, not {kind}")

COMPARISON = Writing(
    tables=tables_of,
    remarks=lambda comparison, _: [*comparison.remarks(), legend(comparison.questions)],
    answer=lambda comparison, words: list(map(Verdict, answer_of(comparison, words))),
    document=document_of,
    metadata=metadata_of,
    places=COMPARED | SINGLE_QUERIES,
    own={"latex": write_paper},
    kept="interval",
)
