"""Writing control charts: each as of its last day for people, a row for each day else."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from sqlrank.choices import RESULT_FORMATS
from sqlrank.errors import UsageError
from sqlrank.evaluation.metric_result import dicts
from sqlrank.monitoring.monitored import Monitored, is_alone
from sqlrank.output.formats import SIGNIFICANT, write_result
from sqlrank.output.tables import Destination, Row, Rows, Shown, for_people, rounded
from sqlrank.pages.tables import Cell, Column, Table
from sqlrank.version import __version__

SPARE = ("limit", "statistic", "baseline_days", "baseline_deviation", "usual", "since", "baseline_mean")
"""The columns that are left out where a terminal has no room, the first one first."""
EVIDENCE = ("e", "cusum")
"""The rules whose statistic is not on the scale of the metric."""


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
    rows = Rows(result.charts)

    def usual(row: Row) -> str:
        if row["usual_low"] is None:
            return "-"
        return f"{rounded(row['usual_low'], digits)} to {rounded(row['usual_high'], digits)}"

    return Table(
        [
            *keys(result, rows),
            rows.numbers("baseline_mean", lambda row: rounded(row["baseline_mean"], digits), "baseline"),
            rows.numbers("baseline_deviation", lambda row: rounded(row["baseline_deviation"], digits), "sd"),
            rows.numbers("baseline_days", title="days"),
            rows.numbers("usual", usual, "usual range"),
            rows.words("day", title="last day"),
            rows.numbers("value", lambda row: rounded(row["value"], digits)),
            *held(result, rows, digits),
            rows.words("alarm", alarm),
            rows.words("since", lambda row: row["since"] or "-"),
        ],
        spare=SPARE,
    )


def days_table(result: Monitored, digits: int) -> Table:
    """A row for each day of each chart."""
    rows = Rows(dicts(result.rows))

    def state(row: Row) -> Cell:
        return Cell("baseline") if row["is_baseline"] else alarm(row)

    return Table(
        [
            *keys(result, rows),
            rows.words("day"),
            rows.numbers("value", lambda row: rounded(row["value"], digits)),
            rows.numbers("queries"),
            rows.numbers("expected", lambda row: rounded(row["expected"], digits)),
            *held(result, rows, digits),
            rows.words("alarm", state),
        ],
        spare=("queries", "expected", "limit"),
    )


def keys(result: Monitored, rows: Rows) -> list[Column]:
    """What tells charts apart."""
    return [
        *([rows.words("system")] if len(result.systems) > 1 else []),
        *rows.segments(result.by),
        rows.words("metric"),
        *([rows.words("direction")] if len(result.rule.sides) > 1 else []),
    ]


def held(result: Monitored, rows: Rows, digits: int) -> list[Column]:
    """The statistic of a rule, and its limit."""

    def number(name: str, row: Row) -> str:
        if result.rule.method in EVIDENCE and row[name] is not None:
            return f"{row[name]:,.1f}" if row[name] < 1e6 else f"{row[name]:.1e}"
        return rounded(row[name], digits)

    title = {"e": "evidence", "cusum": "sum", "shewhart": "day", "ewma": "ewma", "cs": "mean since"}[result.rule.method]
    return [
        rows.numbers("statistic", partial(number, "statistic"), title),
        rows.numbers("limit", partial(number, "limit")),
    ]


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
