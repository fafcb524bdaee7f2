"""A day that is far off by itself: its limit, that every rule alarms on it, and how seldom it does by chance."""

from __future__ import annotations

import math
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sqlrank
from sqlrank.choices import CHART_METHODS
from sqlrank.monitoring.rules import FEWEST, MORE_RELATED, Rule
from tests.monitoring.gold import BASELINE, DAYS, FIRST, GOLD, SPAN
from tests.monitoring.mirrored import Days, alarms, distances
from tests.monitoring.simulation import CHANGE, INDEPENDENT, RELATED, TAILS, World, alarms_of
from tests.monitoring.test_charts import charted, series, statement, watched
from tests.monitoring.test_distances import BASELINE as LONG
from tests.monitoring.test_distances import CHARTS, LENGTH, family
from tests.monitoring.test_distances import charted as charted_family
from tests.support.cli_helper import run_cli
from tests.support.tables import hold

QUIET = [0.609, 0.606, 0.612]
LIMITS = {"e": 0.563441, "cs": 0.548111, "shewhart": None, "ewma": 0.563441, "cusum": 0.563441}
"""9 and 12 standard deviations of 0.0051098 below the mean of 0.6094286."""


def test_the_limit_of_one_day_is_nine_sigma_from_the_mean() -> None:
    def check(method: str) -> None:
        rows = charted(series([*BASELINE, *QUIET]), statement(Rule(method)))
        wanted = LIMITS[method]
        assert watched(rows, "day_limit") == ([None] * 3 if wanted is None else pytest.approx([wanted] * 3, abs=1e-6))
        assert [row["day_limit"] for row in rows[:14]] == [None] * 14
        assert not any(row["alarm"] for row in rows)

    hold(CHART_METHODS, check)


def test_every_rule_alarms_on_the_day_of_an_outage_and_not_on_the_next() -> None:
    def check(method: str) -> None:
        for value, expected in ((0.545, True), (0.58, method == "shewhart")):
            rows = charted(series([*BASELINE, *QUIET, value, *QUIET]), statement(Rule(method)))
            assert watched(rows, "alarm") == [False, False, False, expected, False, False, False]

    hold(CHART_METHODS, check)


def test_a_rise_is_held_against_the_limit_above() -> None:
    rows = charted(series([*BASELINE, 2 * GOLD.mean - 0.545]), statement(Rule("cs", "both")))
    assert {row["direction"]: row["alarm"] for row in rows if not row["is_baseline"]} == {"down": False, "up": True}
    limits = {row["direction"]: row["day_limit"] for row in rows if not row["is_baseline"]}
    assert limits["up"] + limits["down"] == pytest.approx(2 * GOLD.mean, rel=1e-12)


def test_the_limit_is_wider_where_days_are_related_and_with_more_charts() -> None:
    values = np.repeat(np.random.default_rng(2).standard_normal(20), 3)
    row = charted(series(values), statement(Rule("e"), days=28))[-1]
    wider = math.sqrt(1 + row["correlation"] + MORE_RELATED / math.sqrt(28))
    far = row["baseline_mean"] - 9 * row["baseline_deviation"] * wider
    assert row["day_limit"] == pytest.approx(far, rel=1e-9)
    assert [Rule("e").one_day(charts) for charts in (1, 32)] == pytest.approx([9, 18])
    assert [Rule("cs").one_day(charts) for charts in (1, 32)] == pytest.approx([12, 24])


def test_the_statement_has_the_limits_of_the_rules_in_numpy() -> None:
    random = np.random.default_rng(3)

    def check(case: tuple[str, bool, float]) -> None:
        method, noisy, weekly = case
        days, rule = family(random, weekly), Rule(method)
        days.values[:, ::2, LONG + 5] -= 60.0
        if noisy and days.queries is not None:
            days.queries[..., LONG + 8] = 2
            days.values[..., LONG + 8] -= 60.0
        days = days if noisy else Days(days.values)
        names, rows = charted_family(days, rule)
        alarm, expected, limit = (
            np.reshape(np.array([row[names.index(name)] for row in rows], float), (CHARTS, LENGTH - LONG))
            for name in ("alarm", "expected", "day_limit")
        )
        wanted, found = alarms(days, LONG, rule, CHARTS, True)[0], distances(days, LONG, True)
        assert alarm.tolist() == wanted.tolist()
        assert wanted[::2, 5].all()
        most = rule.one_day(CHARTS)
        if most is None:
            assert np.isnan(limit).all()
            return
        sigma = (days.values[0, :, LONG:] - expected) / found.plain[0, :, LONG:]
        known = np.ones_like(limit, bool) if days.queries is None else days.queries[0, :, LONG:] >= FEWEST
        assert (~np.isnan(limit)).tolist() == known.tolist()
        assert limit[known] == pytest.approx((expected - most * found.single[0][:, None] * sigma)[known], rel=1e-6)

    hold(list(product(CHART_METHODS, (True, False), (0.0, 3.0))), check)


def test_a_day_of_few_queries_is_held_against_a_limit_of_its_own() -> None:
    queries = np.where(np.arange(40) == 35, 4.0, 100.0).reshape(1, 1, -1)
    values = np.random.default_rng(4).standard_normal(queries.shape) / 10
    values[..., 35] -= 2.5  # 25 standard deviations of a usual day, and 5 of its own
    days = Days(values, queries, 1 / queries)
    assert float(distances(days, LONG).plain[0, 0, 35]) == pytest.approx(-5, abs=2)
    assert not alarms(days, LONG, Rule("e"), 1)[0, 0, 35 - LONG]
    assert alarms(Days(values), LONG, Rule("e"), 1)[0, 0, 35 - LONG]


def test_two_queries_are_no_outage() -> None:
    random = np.random.default_rng(5)
    queries = np.broadcast_to(np.where(np.arange(100) < LONG, 20, 2), (200, 1, 100))
    values = random.binomial(queries, 0.98) / queries
    values = values[(values[..., :LONG] < 1).any((1, 2))]  # a baseline that varies
    queries = queries[: len(values)].astype(float)
    variances = values * (1 - values) / (queries - 1)
    assert alarms(Days(values, queries, variances), LONG, Rule("e"), 1).any((1, 2)).mean() < 0.02


def test_outages_are_found_on_their_day() -> None:
    def check(case: tuple[str, World]) -> None:
        method, world = case
        first = alarms_of(world, method, CHANGE + 1, 20.0, number=200, lasting=1)
        assert (first > 0).mean() > 0.95

    hold([(method, world) for method in CHART_METHODS for world in (INDEPENDENT, RELATED)], check)


def test_single_days_alone_raise_hardly_any_false_alarm() -> None:
    def check(case: tuple[str, World, int, float]) -> None:
        method, world, charts, most = case
        assert 100 * (alarms_of(world, method, 335, charts=charts, number=400) > 0).mean() <= most

    heavy = [("e", TAILS, 1, 13.0), ("cs", TAILS, 1, 2.5), ("e", TAILS, 10, 6.0), ("cs", TAILS, 10, 2.5)]
    hold([*heavy, ("e", INDEPENDENT, 1, 8.5), ("cs", INDEPENDENT, 1, 1.0)], check)


def export(path: Path, days: int = 17) -> Path:
    """An export of a thousand queries a day, whose results are gone on the 17th day."""
    shares = [*BASELINE, 0.609, 0.606, 0.1, 0.612][:days]
    rows: dict[str, list[Any]] = {name: [] for name in ("query_id", "doc_id", "score", "relevance", "dt")}
    for number, share in enumerate(shares):
        for query in range(1000):
            values = (f"q{query}", "d", 1.0, int(query < round(1000 * share)), FIRST + timedelta(number))
            for name, value in zip(rows, values, strict=True):
                rows[name].append(value)
    pq.write_table(pa.table(rows), path)
    return path


@pytest.mark.parametrize("method", ["e", "cs"])
def test_the_command_says_that_the_day_alone_alarms(tmp_path: Path, method: str) -> None:
    asked = ["--day", "dt", "-m", "p@1", "--baseline-days", SPAN, "--rule", method]
    outcome = run_cli("monitor", export(tmp_path / "export.parquet"), *asked)
    assert outcome.code == 4
    assert "alarm (day)" in outcome.out
    assert f"; one day alone alarms beyond {9 if method == 'e' else 12}.0 sigma" in outcome.out
    said = "p@1 is in alarm on 2026-01-17: 0.509 below the baseline; the last day alone is outside its limit"
    assert said in outcome.err
    after = run_cli("monitor", export(tmp_path / "later.parquet", 18), *asked)
    assert (after.code, "p@1 was in alarm on 2026-01-17, but is not now" in after.err) == (0, True)


def test_python_has_the_limit_of_the_day(tmp_path: Path) -> None:
    path = str(export(tmp_path / "export.parquet"))
    with sqlrank.monitor(path, metrics="p@1", day="dt", baseline_days=SPAN) as result:
        (chart,) = result.alarms
        assert chart["since"] == DAYS[16]
        assert chart["value"] < chart["day_limit"] < GOLD.mean
        assert "day_limit" in result.rows.columns
