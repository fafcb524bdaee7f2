"""Statements of votes: what DuckDB makes of them is what the command gives, and every dialect parses."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest

from sqlrank.choices import DIALECTS
from sqlrank.errors import UsageError
from sqlrank.log import interleave, interleave_sql
from tests.interleaving.drafted import drafted
from tests.statement.test_dialects import PARSERS
from tests.support.cli_helper import completed, run_cli
from tests.support.components import package
from tests.support.tables import hold

COUNTS = ("wins_a", "wins_b", "ties", "without_clicks")
ESTIMATES = ("delta_ab", "stderr")
ENDS = ("ci_low", "ci_high")


def shown() -> pd.DataFrame:
    """A log in which some picks are of both, some lists end early, one is no draft, and some users are not known."""
    data = drafted(users=250, taste=0.06, spread=0.1)
    random = np.random.default_rng(5)
    data["rank_a"], data["rank_b"] = random.integers(1, 9, (2, len(data)))
    data.loc[random.random(len(data)) < 0.3, "rank_b"] = None
    data.loc[(data["impression_id"] % 7 == 0) & (data["position"] > 4), "team"] = "A"
    data.loc[(data["impression_id"] == 5) & (data["position"] < 3), "team"] = "B"
    data["user_id"] = data["user_id"].where(data["user_id"] % 9 > 0)
    data["cart"] = data["clicked"] * (data.index % 3 == 0)
    data["device"] = np.where(data["impression_id"] % 3 == 0, "phone", "desk")
    return data


KNOWN = {"user_id": "user_id"}
CASES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {}),
    ({"columns": {"rank_a": "rank_a"}}, {"ranked": True}),
    ({"unit": "impression", "columns": KNOWN}, {"unit": "impression"}),
    ({"credit": "any"}, {"credit": "any"}),
    ({"credit": "click=1,cart=4"}, {"credit": "click=1,cart=4"}),
    ({"by": "device"}, {"by": "device"}),
    ({"signal": "cart"}, {"signal": "cart"}),
]


def told(options: dict[str, Any], data: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows that the command gives."""
    asked = {name: value for name, value in options.items() if name != "ranked"}
    kept = data if "ranked" in options else data.drop(columns=["rank_a", "rank_b"])
    with interleave(kept, test="t", **asked) as found:
        rows = found.to_dicts()
    return [row for row in rows if not row.get("is_total") or "by" not in options]


def check(found: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    """The counts are the same, and the estimates to many digits."""
    found = sorted(found, key=lambda row: str(row.get("device")))
    for row, each in zip(found, expected, strict=True):
        assert [int(row[name]) for name in COUNTS] == [each[name] for name in COUNTS]
        assert [float(row[name]) for name in ESTIMATES] == pytest.approx([each[name] for name in ESTIMATES], rel=1e-9)
        assert [float(row[name]) for name in ENDS] == pytest.approx([each[name] for name in ENDS], rel=1e-6)


def test_duckdb_gives_the_votes_of_the_command() -> None:
    data = shown()

    def gives(case: tuple[dict[str, Any], dict[str, Any]]) -> None:
        options, same = case
        result = connection.execute(interleave_sql("shown", **options))
        names = [column[0] for column in result.description]
        check([dict(zip(names, row, strict=True)) for row in result.fetchall()], told(same, data))

    with duckdb.connect() as connection:
        connection.register("shown", data)
        hold(CASES, gives)


def parses(case: tuple[str, int]) -> None:
    dialect, place = case
    sql = interleave_sql("shop.lists", teams=("it's", 'a "b'), dialect=dialect, **CASES[place][0])
    sqlglot = package("sqlglot", "test")
    assert sqlglot.parse_one(re.sub(r"\nsettings .*\n\Z", "\n", sql), read=PARSERS[dialect]) is not None


def test_every_dialect_parses() -> None:
    hold([(dialect, place % len(CASES)) for place, dialect in enumerate(DIALECTS)], parses)


@pytest.mark.needs("random")
def test_every_option_parses_in_every_dialect() -> None:
    hold(list(product(DIALECTS, range(len(CASES)))), parses)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"credit": "first"}, "is not in a statement"),
    ({"unit": "household"}, "household"),
    ({"teams": ("A", "B", "C")}, "is of two rankers"),
    ({"dialect": "basic"}, "basic"),
    ({"exclude_bots": True}, "name the column that says it"),
]


def test_what_no_statement_can_say_is_refused() -> None:
    for options, says in WRONG:
        with pytest.raises(UsageError, match=says):
            interleave_sql("shown", **options)


def test_the_command_prints_it() -> None:
    printed = completed("log", "interleave", "shop.lists", "--sql", "--dialect", "spark", "--teams", "old,new").out

    assert printed == interleave_sql("shop.lists", dialect="spark", teams=("old", "new")).rstrip() + "\n"
    assert "has no place for" in run_cli("log", "interleave", "shop.lists", "--sql", "--sequential").err
    assert "--teams is for --sql" in run_cli("log", "interleave", "shop.csv", "--teams", "a,b").err


def test_a_model_of_dbt_reads_its_ref() -> None:
    assert "from {{ ref('lists') }}" in interleave_sql("{{ ref('lists') }}", dialect="postgres")
