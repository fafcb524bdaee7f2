"""Writing control charts: each as of its last day for people, a row for each day else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from sqlrank.choices import RESULT_FORMATS
from sqlrank.columns import Field
from sqlrank.errors import UsageError
from sqlrank.evaluation.metric_result import dicts
from sqlrank.monitoring.columns import CHARTS, ROWS
from sqlrank.monitoring.monitored import Monitored, is_alone
from sqlrank.output.declared_tables import Reading, declared_table
from sqlrank.output.formats import SIGNIFICANT, write_result
from sqlrank.output.tables import Destination, Row, Rows, Shown, for_people, rounded
from sqlrank.pages.tables import Cell, Table
from sqlrank.version import __version__

STATISTICS = {"e": "evidence", "cusum": "sum", "shewhart": "day", "ewma": "ewma", "cs": "mean since"}
"""What the statistic of each rule is called."""
EVIDENCE = ("e", "cusum")
"""The rules whose statistic is not on the scale of the metric."""
MOST_EVIDENCE = 1_000_000
"""Up to which evidence its size tells anything to people."""


def write_monitored(result: Monitored, destination: Destination, all_days: bool = False) -> None:
    """Write charts in any format but trec; for people each as of its last day, unless `all_days` are asked for."""
    check_kind(destination.kind)

    def shown(first: Sequence[str] = ()) -> Shown:
        table = days_table if all_days else charts_table
        return [table(result, destination.digits)], [*first, *result.remarks()]

    people = for_people(shown, destination.screen)
    # A message is made of it, where nobody reads what is said on stderr.
    people["markdown"] = for_people(lambda: shown(result.alarms_in_words()), destination.screen)["markdown"]
    metadata = {"sqlrank": __version__, "method": result.rule.method, "direction": result.rule.direction}
    write_result(result, result.rows, destination, metadata, people, partial(document_of, result))


def check_kind(kind: str) -> None:
    """Raise UsageError for a format that has no place for charts."""
    if kind == "trec":
        raise UsageError(f"trec_eval has no control charts; monitor takes {', '.join(RESULT_FORMATS)}")


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


def document_of(result: Monitored) -> dict[str, Any]:
    """What a JSON document of charts holds beside the rows."""
    return {
        "method": result.rule.method,
        "direction": result.rule.direction,
        "charts": [{name: plain(value) for name, value in chart.items()} for chart in result.charts],
        "conventions": result.conventions.to_dict(),
        "notes": result.notes,
        "remarks": result.remarks(),
    }


def plain(value: Any) -> Any:
    """A value as JSON has it: a day as its text, numbers with the digits that are the same in every run."""
    if isinstance(value, float):
        return float(f"{value:.{SIGNIFICANT}g}")
    return value if value is None or isinstance(value, str | int) else str(value)
