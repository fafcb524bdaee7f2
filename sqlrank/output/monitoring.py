"""Writing control charts: each as of its last day for people, a row for each day else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from sqlrank.columns import Field
from sqlrank.evaluation.metric_result import dicts
from sqlrank.monitoring.columns import CHARTS, ROWS
from sqlrank.monitoring.monitored import Monitored, is_alone
from sqlrank.output.formats import same_digits
from sqlrank.output.tables import Reading, Row, Rows, declared_table, rounded
from sqlrank.output.writing import Destination, Writing, of_rows
from sqlrank.pages.tables import Cell, Table

STATISTICS = {"e": "evidence", "cusum": "sum", "shewhart": "day", "ewma": "ewma", "cs": "mean since"}
"""What the statistic of each rule is called."""
EVIDENCE = ("e", "cusum")
"""The rules whose statistic is not on the scale of the metric."""
MOST_EVIDENCE = 1_000_000
"""Up to which evidence its size tells anything to people."""


def charts_table(result: Monitored, digits: int) -> Table:
    """A row for each chart: its baseline, its last day, and whether it is in alarm."""

    def usual(row: Row) -> str:
        if row["usual_low"] is None:
            return "-"
        return f"{rounded(row['usual_low'], digits)} to {rounded(row['usual_high'], digits)}"

    return made_of(CHARTS, result, Rows(result.charts), digits, {"usual_low": usual, "alarm": alarm})


def days_table(result: Monitored, digits: int) -> Table:
    """A row for each day of each chart."""

    def state(row: Row) -> Cell:
        return Cell("baseline") if row["is_baseline"] else alarm(row)

    return made_of(ROWS, result, Rows(dicts(result.rows)), digits, {"alarm": state})


def made_of(
    fields: Sequence[Field], result: Monitored, rows: Rows, digits: int, said: Mapping[str, Callable[[Row], str | Cell]]
) -> Table:
    """The table of charts or of their days, without what does not tell these charts apart."""
    rule = result.rule

    def evidence(row: Row, name: str) -> str:
        value = row[name]
        return "-" if value is None else f"{value:,.1f}" if value < MOST_EVIDENCE else f">{MOST_EVIDENCE:,}"

    if rule.method in EVIDENCE:
        said = {name: partial(evidence, name=name) for name in ("statistic", "limit")} | dict(said)
    reading = Reading(digits, said=said, headings={"statistic": STATISTICS[rule.method]})
    number = {"system": len(result.systems), "direction": len(rule.sides)}
    return declared_table(fields, rows, reading, result.by, [name for name, found in number.items() if found < 2])


def alarm(row: Row) -> Cell:
    """Whether there is an alarm, and that it is one of the day alone, where it is."""
    if row["alarm"]:
        return Cell("alarm (day)" if is_alone(row) else "alarm", "loss", mark="")
    return Cell("-" if row["statistic"] is None else "no")


def document_of(result: Monitored, _: Destination) -> dict[str, Any]:
    """What a JSON document of charts holds besides the rows."""
    return {
        "method": result.rule.method,
        "direction": result.rule.direction,
        "charts": list(map(same_digits, result.charts)),
        "conventions": result.conventions.to_dict(),
        "notes": result.notes,
        "remarks": result.remarks(),
    }


def tables_of(result: Monitored, to: Destination) -> list[Table]:
    """The charts as of their last day, unless all days are asked for."""
    return [(days_table if "all_days" in to.additions else charts_table)(result, to.digits)]


def remarks_of(result: Monitored, to: Destination) -> list[str]:
    """The lines below; a message is made of Markdown, where nobody reads what is said on stderr."""
    return [*(result.alarms_in_words() if to.kind == "markdown" else []), *result.remarks()]


MONITORED = Writing(
    tables=tables_of,
    remarks=remarks_of,
    document=document_of,
    metadata=lambda result: {"method": result.rule.method, "direction": result.rule.direction},
    places=of_rows("trec_eval has no control charts; monitor takes {takes}"),
)
