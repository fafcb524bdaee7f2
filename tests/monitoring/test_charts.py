"""The statement of control charts: worked numbers, on engines that are not ours, and where numbers end."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from functools import cache
from itertools import cycle, product
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray
from scipy import stats

from sqlrank.choices import CHART_METHODS
from sqlrank.dialects import DIALECTS, DUCKDB, SQLITE
from sqlrank.monitoring.rules import (
    MORE_RELATED,
    RATES,
    WEEKLY,
    Rule,
)
from sqlrank.statement.templates import render, sql_text
from tests.monitoring.gold import (
    BASELINE,
    CUSUM,
    DAYS,
    EVIDENCE,
    EWMA,
    EWMA_LIMITS,
    FIRST,
    GOLD,
    RADII,
    WATCHED,
)
from tests.monitoring.simulation import CHANGE, delay
from tests.support.components import package
from tests.support.sessions import SqliteSession
from tests.support.tables import hold

FAR = 1e9
"""A cut that leaves all distances as they are."""
COLUMNS, TYPES = ("name", "day", "value"), (pa.string(), pa.date32(), pa.float64())
Values = NDArray[np.floating[Any]]


def statement(rule: Rule, dialect: str = "duckdb", charts: int = 1, days: int = 14, **changed: Any) -> str:
    """The statement of the charts of a table `daily`, whose series a column `name` tells apart."""
    context = {"first": None, "last": None, "days": days} | rule.context(charts)
    context["rule"] |= changed
    chart = {"daily": sql_text("daily"), "daily_rows": None, "keys": ["name"], "carried": [], "errors": False}
    return render("monitoring/chart.sql", DIALECTS[dialect], **chart, **context)


@cache
def bare() -> duckdb.DuckDBPyConnection:
    """A DuckDB that sqlrank has not touched."""
    return duckdb.connect()


def charted(rows: Sequence[tuple[Any, ...]], text: str) -> list[dict[str, Any]]:
    """The rows of a statement over daily values in a bare DuckDB, in the order of series and days."""
    columns = dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True))
    bare().register("daily", pa.table(columns, schema=pa.schema(zip(COLUMNS, TYPES, strict=True))))
    relation = bare().sql(f"select * from ({text}) order by name, direction, day")
    return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]


def series(values: Iterable[float], name: str | None = "a") -> list[tuple[str | None, date, float]]:
    return [(name, FIRST + timedelta(number), float(value)) for number, value in enumerate(values)]


def watched(rows: Sequence[dict[str, Any]], column: str) -> list[float]:
    return [row[column] for row in rows if not row["is_baseline"]]


ROWS = series([*BASELINE, *WATCHED])


def test_the_second_definition_gives_the_worked_numbers() -> None:
    assert GOLD.mean == pytest.approx(0.609429, abs=5e-7)
    assert GOLD.deviation == pytest.approx(0.005110, abs=5e-7)
    assert GOLD.moving_deviation == pytest.approx(0.007433, abs=5e-7)
    assert GOLD.ewma()[:10] == pytest.approx(EWMA, abs=1e-6)
    assert GOLD.ewma()[-1] == pytest.approx(0.596483, abs=1e-6)
    assert GOLD.ewma_limits(error=False)[:10] == pytest.approx(EWMA_LIMITS, abs=1e-6)
    assert GOLD.cusum()[:10] == pytest.approx(CUSUM, abs=5e-5)
    assert GOLD.cusum()[-1] == pytest.approx(19.8855, abs=5e-5)
    assert GOLD.evidence(GOLD.mean)[:10] == pytest.approx(EVIDENCE, rel=1e-5, abs=5e-5)
    assert GOLD.radii(0.05)[:10] == pytest.approx(RADII, abs=1e-6)
    assert next(day for day, value in enumerate(GOLD.evidence(GOLD.mean), 1) if value >= 1000) == 8
    assert GOLD.running_means()[7] + GOLD.radii(0.05)[7] == pytest.approx(0.609414, abs=1e-6)


def test_the_statement_gives_them_too() -> None:
    mean = charted(ROWS, statement(Rule("e"), reference=0.0, cut=FAR))
    assert watched(mean, "statistic") == pytest.approx(GOLD.evidence(GOLD.mean), rel=1e-9)
    assert [row["baseline_mean"] for row in mean] == pytest.approx([GOLD.mean] * 28, rel=1e-12)
    assert [row["baseline_deviation"] for row in mean] == pytest.approx([GOLD.deviation] * 28, rel=1e-12)
    end = charted(ROWS, statement(Rule("e"), cut=FAR))
    assert watched(end, "statistic") == pytest.approx(GOLD.evidence(GOLD.end), rel=1e-3)  # of an expansion of t
    ewma = charted(ROWS, statement(Rule("ewma"), cut=FAR))
    assert watched(ewma, "statistic") == pytest.approx(GOLD.ewma(), abs=1e-12)
    assert watched(ewma, "limit") == pytest.approx(GOLD.ewma_limits(error=True), abs=1e-12)
    cusum = charted(ROWS, statement(Rule("cusum"), cut=FAR))
    assert watched(cusum, "statistic") == pytest.approx(GOLD.cusum(), abs=1e-9)
    shewhart = charted(ROWS, statement(Rule("shewhart"), cut=FAR))
    assert watched(shewhart, "statistic") == WATCHED
    assert watched(shewhart, "limit") == pytest.approx([GOLD.mean - 3 * GOLD.moving_deviation] * 14, abs=1e-12)
    sequence = charted(ROWS, statement(Rule("cs", alpha=0.1), cut=FAR))
    assert watched(sequence, "statistic") == pytest.approx(GOLD.running_means(), abs=1e-12)
    assert watched(sequence, "limit") == pytest.approx(GOLD.sequence_limits(0.05), abs=2e-6)


def test_each_rule_alarms_on_its_day() -> None:
    days = {"e": 10, "ewma": 8, "cusum": 8, "shewhart": None, "cs": 13}

    def check(method: str) -> None:
        rows = charted(ROWS, statement(Rule(method)))
        alarms = [number for number, alarm in enumerate(watched(rows, "alarm"), 1) if alarm]
        assert (alarms[0] if alarms else None) == days[method]
        assert not any(row["alarm"] for row in rows if row["is_baseline"])

    hold(CHART_METHODS, check)


def test_sqlite_gives_the_same_numbers() -> None:
    random = np.random.default_rng(3)
    related = np.convolve(random.standard_normal(72), [1, 0.8, 0.5])[2:-2]
    weekly = random.standard_normal(70) + 3 * (np.arange(70) % 7 == 5)
    rows = [*series(related, "related"), *series(weekly, "weekly"), *series(random.standard_normal(70), None)]
    session = SqliteSession()
    session.load("daily", [(name, str(day), value) for name, day, value in rows], COLUMNS)

    def check(rule: Rule) -> None:
        expected = charted(rows, statement(rule, days=28))
        names, found = session.query(
            f"select * from ({statement(rule, 'sqlite', days=28)}) order by name nulls last, direction, day"
        )
        assert len(found) == len(expected) == 210 * len(rule.sides)
        assert {row["weekly"] for row in expected if row["name"] == "weekly"} == {True}
        assert {row["inflation"] > 1 for row in expected if row["name"] == "related"} == {True}
        for name, column in zip(names, zip(*found, strict=True), strict=True):
            wanted = [row[name] for row in expected]
            if any(isinstance(value, float) for value in wanted):
                assert [value is None for value in column] == [value is None for value in wanted], name
                there, here = ([value for value in each if value is not None] for each in (column, wanted))
                assert there == pytest.approx(here, rel=1e-9, abs=1e-12), name
            else:
                assert list(column) == [str(value) if isinstance(value, date) else value for value in wanted], name
        assert names == list(expected[0])

    hold([Rule("e", "down"), *(Rule(method, "both") for method in CHART_METHODS)], check)
    session.close()


def parses(case: tuple[str, str]) -> None:
    dialect, method = case
    text = statement(Rule(method, "both"), dialect)
    read = "postgres" if dialect == "datafusion" else dialect
    assert package("sqlglot", "test").parse_one(text, read=read) is not None
    assert "\n\n\n" not in text


def test_every_dialect_can_be_read() -> None:
    hold(list(zip(DIALECTS, cycle(CHART_METHODS), strict=False)), parses)


@pytest.mark.needs("random")
def test_every_rule_can_be_read_in_every_dialect() -> None:
    hold(list(product(DIALECTS, CHART_METHODS)), parses)


def test_four_hundred_quiet_days_do_not_overflow_and_a_fall_is_seen_after_them() -> None:
    quiet = BASELINE * 30
    rows = charted(series([*quiet, *([0.58] * 30)]), statement(Rule("e"), rates=(2.0,), reference=0.0))
    evidence = watched(rows, "statistic")
    assert all(math.isfinite(value) for value in evidence)
    assert max(evidence[:400]) < 1000 < evidence[410]
    assert evidence[-1] <= 1e300
    long = charted(series([*quiet, *([0.1] * 400)]), statement(Rule("e")))
    assert watched(long, "statistic")[-1] == 1e300
    high = charted(series([*quiet, *([9.0] * 400)]), statement(Rule("e"), cut=FAR))
    assert watched(high, "statistic")[-1] == pytest.approx(0, abs=1e-9)


def test_the_closed_forms_are_the_recursions_on_random_series() -> None:
    values = np.random.default_rng(11).standard_normal(100)
    chart = type(GOLD)(list(values[:28]), list(values[28:]))
    wanted = {"e": chart.evidence(chart.mean), "cusum": chart.cusum(), "ewma": chart.ewma()}
    for method, expected in wanted.items():
        rows = charted(
            series(values), statement(Rule(method), days=28, reference=0.0, most_related=0.0, cut=FAR, weekly=1e9)
        )
        assert watched(rows, "statistic") == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_weekdays_that_differ_are_taken_off() -> None:
    noise = np.random.default_rng(5).standard_normal(56)
    week = np.tile([0, 0, 0, 0, 0, 6, 9], 8)
    rows = charted(series(noise + week), statement(Rule("shewhart"), days=28))
    assert {row["weekly"] for row in rows} == {True}
    groups = [(noise + week)[:28][day::7] for day in range(7)]
    within = sum(float(((group - group.mean()) ** 2).sum()) for group in groups)
    assert rows[0]["baseline_deviation"] == pytest.approx(math.sqrt(within / 21), rel=1e-9)
    assert [row["expected"] for row in rows[28:35]] == pytest.approx(
        [float(group.mean()) for group in groups], rel=1e-9
    )
    residuals = (noise + week)[:28] - np.tile([float(group.mean()) for group in groups], 4)
    moving = float(np.abs(np.diff(residuals)).mean()) / 1.128 * math.sqrt(28 / 21)
    scale = moving * math.sqrt(1 + 7 / 28)  # the means of weekdays are estimated too
    inflation = [row["inflation"] for row in rows]
    limits = [row["expected"] - 3 * scale * factor for row, factor in zip(rows, inflation, strict=True)]
    assert watched(rows, "limit") == pytest.approx(limits[28:], rel=1e-9)
    assert not any(row["alarm"] for row in rows)
    flat = charted(series(noise), statement(Rule("shewhart"), days=28))
    assert {row["weekly"] for row in flat} == {False}


def test_the_test_of_weekdays_finds_a_difference_by_chance_once_in_a_hundred_times() -> None:

    quantile = float(stats.f.ppf(0.99, 6, 21))
    cube = quantile ** (1 / 3)
    above, below = 2 / (9 * 6), 2 / (9 * 21)
    assert ((1 - below) * cube - (1 - above)) / math.sqrt(below * cube**2 + above) == pytest.approx(WEEKLY, abs=0.01)


def test_related_days_widen_the_scale_by_a_correlation_without_its_bias() -> None:
    values = np.repeat(np.random.default_rng(2).standard_normal(20), 3)
    rows = charted(series(values), statement(Rule("cusum"), days=28))
    centred = values[:28] - values[:28].mean()
    plain = float((centred[1:] * centred[:-1]).sum() / (centred**2).sum())
    corrected = (28 * plain + 1) / 24
    assert rows[0]["correlation"] == pytest.approx(corrected, rel=1e-9)
    wider = corrected + MORE_RELATED / math.sqrt(28)
    assert rows[0]["inflation"] == pytest.approx(math.sqrt((1 + wider) / (1 - wider)), rel=1e-9)


def test_a_baseline_without_any_variation_has_no_scale_and_no_alarm() -> None:
    rows = charted(series([0.1 + 0.2] * 28 + [0.1] * 5), statement(Rule("e"), days=28))
    assert [row["statistic"] for row in rows] == [None] * 33
    assert not any(row["alarm"] for row in rows)


def test_rises_are_watched_as_drops_of_the_mirrored_series() -> None:
    mirrored = [-value for _, _, value in ROWS]
    for method in CHART_METHODS:
        down = charted(ROWS, statement(Rule(method)))
        up = charted(series(mirrored), statement(Rule(method, "up")))
        assert watched(down, "alarm") == watched(up, "alarm")


def test_a_rule_has_the_rates_that_its_documentation_says() -> None:
    assert RATES == (0.25, 0.5, 1.0, 2.0)
    assert DUCKDB.weekday != SQLITE.weekday
    assert DAYS[-1] == date(2026, 1, 28)


def test_the_simulation_counts_days_after_the_change() -> None:
    after, median = delay(np.array([0, 5, CHANGE + 3, CHANGE + 7, CHANGE + 9]))
    assert (after.tolist(), median) == ([-CHANGE, 3, 7, 9], "8")


def test_weekdays_that_differ_and_do_not_vary_are_told_apart() -> None:
    weeks = [0.3 if day % 7 > 4 else 0.5 for day in range(28)]
    rows = [*series([*weeks, *[0.3] * 14], "drops"), *series([*weeks, *weeks], "stays"), *series([0.3] * 42, "is")]

    def check(method: str) -> None:
        found = charted(rows, statement(Rule(method), days=28))
        of = {name: [row for row in found if row["name"] == name] for name in ("drops", "stays", "is")}
        assert {name: found[0]["weekly"] for name, found in of.items()} == {"drops": True, "stays": True, "is": False}
        assert {name: any(watched(found, "alarm")) for name, found in of.items()} == {
            "drops": True,
            "stays": False,
            "is": False,
        }

    hold(CHART_METHODS, check)
