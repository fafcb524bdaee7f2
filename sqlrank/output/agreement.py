"""Writing how far raters agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlrank.evaluation.metric_result import dicts
from sqlrank.judging.raters.against_reference import AgainstReference
from sqlrank.judging.raters.bias import DIFFERENCE, EQUAL
from sqlrank.judging.raters.columns import BIAS, ROWS
from sqlrank.judging.raters.rater_agreement import RaterAgreement
from sqlrank.output.raters import DISPUTED, metadata_of, rater_tables, with_raters, write_every_table
from sqlrank.output.tables import Reading, Row, Rows, declared_table, graded
from sqlrank.output.writing import Destination, Place, Writing, of_rows
from sqlrank.pages.tables import Table, column
from sqlrank.pages.terminal_tables import PLAIN, Screen

MOST_CHARACTERS = 66
"""Up to how many characters a row of a confusion shows shares too: more have no room on a terminal; JSON has all."""
MORE = ("table", "markdown", "latex", "json")
"""The formats that hold more than the rows."""


def tables_of(result: RaterAgreement, to: Destination) -> list[Table]:
    """The measures, what a reference adds, and the raters."""
    tables = [agreement_table(result, to.digits, to.screen), *reference_tables(result, to.digits)]
    return [*tables, *rater_tables(result, to)]


def document_of(result: RaterAgreement, to: Destination) -> dict[str, Any]:
    """What a JSON document holds besides the rows."""
    found = {"pairs": result.pairs, "conflicting": result.conflicting, "levels": result.levels}
    found |= {"reference": result.reference, "confusion": [], "bias": []}
    if result.reference is not None:
        found |= {"confusion": list(dicts(result.confusion())), "bias": list(dicts(result.bias()))}
    found |= {"conventions": result.settings(), "notes": [*result.notes, *result.condition]}
    return with_raters(result, to, found)


def agreement_table(result: RaterAgreement, digits: int, screen: Screen = PLAIN) -> Table:
    """The measures with their intervals; only a drawing of them is worth the numbers of pairs and raters."""
    kept = () if screen.plot else ("pairs", "raters")
    return declared_table(ROWS, Rows(dicts(result.rows)), Reading(digits, confidence=result.confidence), kept=kept)


def reference_tables(result: RaterAgreement, digits: int) -> list[Table]:
    """The confusion of each rater with the reference, and the biases; none without a reference."""
    if result.reference is None:
        return []
    found = result.against
    raters = dict.fromkeys(row["rater"] for row in found.confusion)
    tables = [confusion_table(found.confusion, rater, found.reference, result.grades) for rater in raters]
    return [*tables, bias_table(found, result.confidence, digits, result.grades)]


def confusion_table(every: Sequence[Row], rater: str, reference: str, texts: Mapping[float, str]) -> Table:
    """A row for each grade of the reference, and a column for each of the rater: pairs, and their share of the row."""
    cells = {(row["reference_grade"], row["grade"]): row for row in every if row["rater"] == rater}
    grades = sorted({grade for _, grade in cells})
    lines = sorted({grade for grade, _ in cells})
    counts = [[str(cells[line, grade]["pairs"]) for line in lines] for grade in grades]
    shares = [
        [f"{cells[line, grade]['pairs']} ({100 * cells[line, grade]['share']:.0f} %)" for line in lines]
        for grade in grades
    ]
    headings = [graded(grade, texts) for grade in grades]
    longest = max(len(text) for line in (headings, *shares) for text in line)
    room = len(grades) * (2 + longest) <= MOST_CHARACTERS
    columns = [column("reference", (graded(grade, texts) for grade in lines), f"{reference} \\ {rater}")]
    columns += [
        column(f"grade {grade:.12g}", found, heading, number=True)
        for grade, heading, found in zip(grades, headings, shares if room else counts, strict=True)
    ]
    totals = [sum(cells[line, grade]["pairs"] for grade in grades) for line in lines]
    return Table([*columns, column("pairs", totals, number=True)], spare=("pairs",), whole_in="json")


def bias_table(found: AgainstReference, confidence: str, digits: int, texts: Mapping[float, str]) -> Table:
    """The biases, in total and in parts."""
    first = "" if found.places is None else found.places.systems[0]

    def value(row: Row) -> str:
        if row["part"] in (DIFFERENCE, EQUAL):
            return f"{row['value']} - {first}"
        if row["part"] == "grade":
            return graded(float(row["value"]), texts)
        return row["value"] or ("-" if row["part"] == "total" else "(null)")

    headings = {"reference": found.reference}
    reading = Reading(digits, said={"value": value}, confidence=confidence, headings=headings)
    without = () if len({row["rater"] for row in found.bias}) > 1 else ("rater",)
    table = declared_table(BIAS, Rows(found.bias), reading, without=without)
    return replace(table.without("drawn"), whole_in="json")


ADDED = "--{} is for table, markdown, latex and json, not {{kind}}: it adds tables"
ADDING = {"reference": "reference", "by": "by", "runs": "run"}
"""The arguments that ask for more tables, with their options."""

AGREEMENT = Writing(
    tables=tables_of,
    document=document_of,
    metadata=metadata_of,
    places={name: Place(ADDED.format(option), MORE) for name, option in ADDING.items()}
    | DISPUTED
    | of_rows("trec_eval has no agreement of raters; agreement takes {takes}"),
    own={"latex": write_every_table},
)
