"""Statements of values to take away: the values of the command, from the engines that are here."""

from __future__ import annotations

import math
import re
import sqlite3
from collections.abc import Callable
from itertools import cycle, product
from typing import Any

import duckdb
import pytest

from sqlrank.choices import DIALECTS
from sqlrank.errors import UsageError
from sqlrank.log import value, value_sql
from tests.behaviour.simulated import EXAMINATION, logged
from tests.counterfactual.test_simulated_values import frame, runs
from tests.statement.test_dialects import PARSERS
from tests.support.cli_helper import completed, error_of
from tests.support.components import package
from tests.support.sessions import HERE, Row
from tests.support.tables import hold

WHOLE = {"clickhouse": "Nullable(Int64)", "spark": "bigint", "datafusion": "bigint"}
"""What whole numbers are called."""
NAMES = ("value", "at_most", "supported", "impressions")


def asked(estimator: str) -> dict[str, Any]:
    return {"propensities": "propensities"} if estimator == "pbm" else {}


@pytest.fixture(scope="module")
def tables() -> dict[str, Any]:
    import pandas as pd

    shown = logged("pbm", impressions=2000)
    theta = pd.DataFrame({"position": range(1, 9), "propensity": EXAMINATION})
    orders = runs(shown)
    good = frame(orders["ranker"])
    made = {"shown": shown.frame(), "propensities": theta, "good": good, "bad": frame(orders["reversed"])}
    return made | {"part": good[(good["query_id"] > 0) & (good["score"] > -7)]}


def test_statements_give_the_values_of_the_command(tables: dict[str, Any]) -> None:
    estimators, names = ["item-position", "pbm"], ["good", "bad", "part"]
    wanted: dict[tuple[str, str], dict[str, Any]] = {}
    for run in names:
        options: dict[str, Any] = {"estimators": estimators, "propensities": tables["propensities"], "anyway": True}
        with value(tables[run], tables["shown"], **options) as found:
            wanted |= {(run, row["estimator"]): row for row in found.to_dicts()}
    with duckdb.connect() as connection, sqlite3.connect(":memory:") as other:
        for name, data in tables.items():
            connection.register(name, data)
            data.to_sql(name, other, index=False)

        def gives(case: tuple[str, str]) -> None:
            run, estimator = case
            expected = [wanted[case][name] for name in NAMES]
            if wanted[case]["supported"] < 0.8:
                expected[NAMES.index("value")] = None
            here = connection.execute(value_sql(run, "shown", estimator=estimator, **asked(estimator))).fetchone()
            there = other.execute(value_sql(run, "shown", estimator=estimator, dialect="sqlite", **asked(estimator)))
            for row in (here, there.fetchone()):
                assert row is not None
                assert list(row[1:]) == pytest.approx(expected, abs=1e-9)

        hold(list(product(names, estimators)), gives)


def tied(repeated: int = 120) -> tuple[list[Row], list[Row]]:
    """A log in which document 9 is clicked where it stands first, and 10 never, and a ranking in which they tie.

    By their texts 9 comes before 10, and by their numbers after it.
    """
    shown = [
        (f"i{number}", "q", float(doc), float(place), float(doc == 9 and place == 1))
        for number in range(2 * repeated)
        for place, doc in enumerate((9, 10) if number % 2 else (10, 9), 1)
    ]
    return shown, [("q", 9.0, 1.0), ("q", 10.0, 1.0)]


WITHHELD: dict[str, Callable[[list[Row], list[Row]], tuple[list[Row], list[Row]]]] = {
    "a null score": lambda log, run: (log, [*run[:1], (*run[1][:2], None)]),
    "a score that is no number": lambda log, run: (log, [*run[:1], (*run[1][:2], math.nan)]),
    "a document twice": lambda log, run: (log, [*run, ("q", 9.0, 0.5)]),
    "no document": lambda log, run: (log, [*run, ("q", None, 0.5)]),
    "few impressions": lambda log, run: (log[:80], run),
    "no log": lambda log, run: ([], run),
    "one row": lambda log, run: (log[:1], run),
}
ELSEWHERE = [
    "duckdb",
    "sqlite",
    *(pytest.param(name, marks=pytest.mark.needs("engines")) for name in ("clickhouse", "datafusion")),
    *(pytest.param(name, marks=pytest.mark.needs(name)) for name in ("postgres", "spark")),
]


@pytest.mark.parametrize("dialect", ELSEWHERE)
def test_ties_go_by_text_and_what_the_command_refuses_has_no_value(dialect: str) -> None:
    session = HERE[dialect]()
    theta = [(1.0, 1.0), (2.0, 0.5)]

    def values_of(log: list[Row], run: list[Row], number: str, estimator: str) -> Any:
        session.load("propensities", theta, ("position", "propensity"))
        session.load("log_given", log, ("impression_id", "query_id", "rank", "position", "clicked"))
        session.load("run_given", run, ("query_id", "rank", "score"))
        doc, place = f"cast(rank as {number}) as doc_id", f"cast(position as {number}) as position"
        session.view("shown", f"select impression_id, query_id, {doc}, {place}, clicked = 1 as clicked from log_given")
        session.view("theta", f"select {place}, propensity from propensities")
        session.view("ranking", f"select query_id, {doc}, score from run_given")
        told: dict[str, Any] = {"propensities": "theta"} if estimator == "pbm" else {}
        text = value_sql("ranking", "shown", estimator=estimator, dialect=dialect, **told)
        return session.query(text)[1][0]

    def check(case: tuple[str, str]) -> None:
        name, estimator = case
        log, run = WITHHELD[name](*tied()) if name else tied()
        if not log and dialect == "datafusion":  # its tables have a row at least
            return
        row = values_of(log, run, WHOLE.get(dialect, "integer"), estimator)
        if name:
            assert row[1] is None
        else:
            assert row[1] == pytest.approx(1.0 if estimator == "item-position" else 2 / 3)

    hold(list(product(("", *WITHHELD), ("item-position", "pbm"))), check)
    session.close()


def parses(case: tuple[str, str]) -> None:
    dialect, estimator = case
    columns = {"query_id": 'a "b'}
    sql = value_sql("search.run", "shop.log", estimator=estimator, dialect=dialect, columns=columns, **asked(estimator))
    sqlglot = package("sqlglot", "test")
    assert sqlglot.parse_one(re.sub(r"\nsettings .*\n\Z", "\n", sql), read=PARSERS[dialect]) is not None


def test_every_dialect_parses() -> None:
    hold(list(zip(DIALECTS, cycle(["item-position", "pbm"]), strict=False)), parses)


@pytest.mark.needs("random")
def test_every_estimator_parses_in_every_dialect() -> None:
    hold(list(product(DIALECTS, ["item-position", "pbm"])), parses)


def test_the_command_prints_the_statement() -> None:
    out = completed("log", "value", "search.run", "--log", "shop.log", "--sql", "--dialect", "spark").out

    assert out == value_sql("search.run", "shop.log", dialect="spark")


WRONG = {
    "DuckDB alone estimates document": ["--estimator", "document"],
    "pbm, and it alone, needs --propensities": ["--estimator", "pbm"],
    "leave out --interval": ["--interval", "bootstrap"],
    "leave out -o": ["-o", "values.csv"],
    "--sql values one ranking": ["--estimator", "pbm", "--estimator", "item-position"],
    "--signal best is for DuckDB alone": ["--signal", "best"],
}


def test_what_no_statement_can_say_is_refused() -> None:
    for said, options in WRONG.items():
        assert said in error_of(2, "log", "value", "run", "--log", "shop.log", "--sql", *options)


def test_a_relation_is_no_text() -> None:
    with pytest.raises(UsageError):
        value_sql("run; drop table x", "shown")
