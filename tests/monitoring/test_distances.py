"""How far a day is from the baseline: its own standard error, distances that are cut, the correlation of families."""

from __future__ import annotations

from itertools import product
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from sqlrank.choices import CHART_METHODS
from sqlrank.dialects import DUCKDB
from sqlrank.metrics.language import parse_measures
from sqlrank.monitoring.daily import PerQueryRows, daily_statement
from sqlrank.monitoring.rules import Rule
from sqlrank.statement.templates import render, sql_text
from tests.monitoring.gold import FIRST
from tests.monitoring.mirrored import Days, Numbers, alarms, distances, statistics
from tests.support.tables import hold

CHARTS, BASELINE, LENGTH = 5, 28, 60


def family(random: np.random.Generator, weekly: float = 0.0) -> Days:
    """The daily values of one family of charts, related from day to day, of few queries and of many."""
    shape = (1, CHARTS, LENGTH)
    values = 0.3 * random.standard_normal(shape).cumsum(-1) + random.standard_normal(shape)
    queries = random.integers(5, 50, shape).astype(float)
    return Days(values + weekly * (np.arange(LENGTH) % 7 == 2), queries, 10 / queries * random.chisquare(4, shape) / 4)


def charted(days: Days, rule: Rule) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The rows of the statement over a family of charts."""
    columns = {
        "series": np.repeat(np.arange(CHARTS), LENGTH),
        "place": np.tile(np.arange(LENGTH), CHARTS),
        "value": days.values.ravel(),
    }
    if days.queries is not None and days.variances is not None:
        columns |= {"queries": days.queries.ravel(), "variance": days.variances.ravel()}
    context = {"first": None, "last": None, "days": BASELINE} | rule.context(CHARTS)
    chart = render(
        "monitoring/chart.sql",
        DUCKDB,
        daily=sql_text("daily"),
        daily_rows=None,
        keys=["series"],
        carried=[],
        errors=days.variances is not None,
        **context,
    )
    with duckdb.connect() as connection:
        connection.register("columns_of_days", pa.table(columns))
        connection.execute(
            f"create table daily as select *, date '{FIRST}' + cast(place as integer) as day from columns_of_days"
        )
        found = connection.sql(f"select * from ({chart}) where not is_baseline order by series, day")
        return found.columns, found.fetchall()


def test_the_statement_gives_the_numbers_of_the_rules_in_numpy() -> None:
    random = np.random.default_rng(3)

    def check(case: tuple[str, bool, float]) -> None:
        method, noisy, weekly = case
        days, rule = family(random, weekly), Rule(method)
        days = days if noisy else Days(days.values)
        names, rows = charted(days, rule)
        found = dict(zip(names, zip(*rows, strict=True), strict=True))
        shape = (CHARTS, LENGTH - BASELINE)
        assert np.reshape(found["alarm"], shape).tolist() == alarms(days, BASELINE, rule, CHARTS, True)[0].tolist()
        wanted = distances(days, BASELINE, True)
        assert np.reshape(found["correlation"], shape)[:, 0] == pytest.approx(wanted.correlation[0], abs=1e-9)
        if method in ("e", "cusum"):
            statistic, _ = statistics(wanted, BASELINE, rule, CHARTS)
            assert np.reshape(found["statistic"], shape) == pytest.approx(statistic[0], rel=1e-3, abs=1e-9)

    hold(list(product(CHART_METHODS, (True, False), (0.0, 3.0))), check)


def test_the_variance_of_a_day_is_the_squared_standard_error_of_its_mean() -> None:
    random = np.random.default_rng(4)
    rows = pa.table(
        {
            "system": ["s"] * 60,
            "query_id": [f"q{number}" for number in range(60)],
            "dt": ["2026-01-01"] * 40 + ["2026-01-02"] * 19 + ["2026-01-03"],
            "weight": random.random(60),
            "ndcg_at_10": random.random(60),
            "num_rel_ret": [1.0] * 60,
        }
    )
    measures = parse_measures(["ndcg@10", "num_rel_ret"])
    columns = tuple(measure.column for measure in measures)

    def check(weighted: bool) -> None:
        source = PerQueryRows(sql_text("per_query"), "rows", "dt", columns, weighted=weighted)
        with duckdb.connect() as connection:
            connection.register("per_query", rows)
            text = daily_statement(DUCKDB, source, measures)
            found = connection.sql(f"select metric, value, variance from ({text}) order by metric, day").fetchall()
        for (metric, value, variance), part in zip(found[:3], (slice(40), slice(40, 59), slice(59, 60)), strict=True):
            values = np.asarray(rows["ndcg_at_10"])[part]
            weights = np.asarray(rows["weight"])[part] if weighted else np.ones(len(values))
            mean, number = np.average(values, weights=weights), len(values)
            squares = (weights**2 * (values - mean) ** 2).sum() / weights.sum() ** 2
            assert (metric, value) == ("ndcg@10", pytest.approx(mean, rel=1e-12))
            assert variance == (None if number == 1 else pytest.approx(squares * number / (number - 1), rel=1e-9))
        assert [variance for *_, variance in found[3:]] == [None] * 3  # a sum is no mean

    hold([True, False], check)


def few(random: np.random.Generator, drop: float = 0.0) -> Days:
    """Days of a baseline of 50 queries each, and of 12 after it."""
    queries = np.broadcast_to(np.where(np.arange(200) < BASELINE, 50.0, 12.0), (300, 1, 200))
    values = random.standard_normal(queries.shape) / np.sqrt(queries)
    values[..., 100:] -= drop / np.sqrt(12)
    return Days(values, queries, random.chisquare(queries - 1) / (queries - 1) / queries)


def share(days: Days, method: str = "e") -> float:
    """How many of a hundred families alarm."""
    return 100 * float(alarms(days, BASELINE, Rule(method), days.values.shape[1]).any((1, 2)).mean())


def test_days_of_fewer_queries_are_no_drop_and_a_drop_in_them_is_found() -> None:
    random = np.random.default_rng(7)
    days = few(random)
    assert share(days) < 8
    assert share(Days(days.values)) > 40  # without the standard errors of the days
    assert share(few(random, drop=3)) > 95


def test_the_same_queries_every_day_keep_the_scale_of_their_days() -> None:
    random = np.random.default_rng(8)
    values = 0.01 * random.standard_normal((1, 1, LENGTH))
    queries = np.full(values.shape, 100.0)
    alike = distances(Days(values, queries, np.full(values.shape, 0.3)), BASELINE)
    assert alike.cut == pytest.approx(distances(Days(values), BASELINE).cut, rel=1e-9)


def test_a_day_that_is_far_off_says_no_more_than_one_that_is_cut() -> None:
    values = np.random.default_rng(9).standard_normal((1, 1, LENGTH))
    values[..., 40] = -9.0
    further = values.copy()
    further[..., 40] = -90.0
    one, other = (statistics(distances(Days(each), BASELINE), BASELINE, Rule("e"), 1)[0] for each in (values, further))
    assert one.tolist() == other.tolist()


def related(random: np.random.Generator, correlation: float, charts: int, families: int) -> Numbers:
    """Families of charts on which nothing changes, with days that are correlated with the one before."""
    shocks = random.standard_normal((families, charts, BASELINE + 335))
    for day in range(1, shocks.shape[-1]):
        shocks[..., day] = correlation * shocks[..., day - 1] + np.sqrt(1 - correlation**2) * shocks[..., day]
    return shocks


def test_families_of_related_days_alarm_no_more_than_single_charts() -> None:
    random = np.random.default_rng(10)
    assert share(Days(related(random, 0.5, charts=20, families=100))) < 8
    assert share(Days(related(random, 0.5, charts=1, families=400))) < 16
    assert share(Days(random.standard_t(5, (400, 1, BASELINE + 335)))) < 12


def test_the_correlation_of_a_chart_is_at_least_that_of_its_family() -> None:
    values = related(np.random.default_rng(11), 0.4, charts=6, families=1)
    alone = np.array([float(distances(Days(values[:, [chart]]), BASELINE).correlation[0, 0]) for chart in range(6)])
    together = distances(Days(values), BASELINE).correlation[0]
    mean = alone.mean()
    assert together == pytest.approx(np.maximum(mean, alone), rel=1e-9)


def test_one_related_chart_among_others_makes_no_false_alarms() -> None:
    random = np.random.default_rng(13)
    values = random.standard_normal((200, 10, BASELINE + 335))
    values[:, :1] = related(random, 0.9, charts=1, families=200)
    assert share(Days(values)) < 20
