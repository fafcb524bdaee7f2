"""Times that have a zone, in conditions, segments and ids, whatever zone the process has."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlrank
from tests.support.cli_helper import command, completed, environment, error_of
from tests.support.tables import each

ROWS = """
select * from (values
    ('q1', 'a', 2.0, 0, timestamptz '2024-01-01 03:00:00+00'),
    ('q1', 'b', 1.0, 1, timestamptz '2024-01-01 03:00:00+00'),
    ('q2', 'a', 2.0, 1, timestamptz '2024-01-01 12:00:00+00'),
    ('q2', 'b', 1.0, 0, timestamptz '2024-01-01 12:00:00+00')
) as rows (query_id, doc_id, score, relevance, ts)
"""
EVENING_BEFORE = "ts >= timestamp '2024-01-01 00:00:00'"
"""In New York the first query was asked on the evening before."""
SAID = "times that have a zone are read in {}"


@pytest.fixture(autouse=True)
def export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with duckdb.connect() as connection:
        connection.execute(f"copy ({ROWS}) to 'export.parquet'")


@pytest.mark.needs("process")
@each(["America/New_York", "UTC", "Asia/Tokyo", "Europe/Berlin", "Pacific/Apia"])
def test_the_same_bytes_come_out_in_every_zone(zone: str) -> None:
    asked = ("eval", "export.parquet", "-m", "rr", "--where", EVENING_BEFORE, "--by", "ts", "--per-query", "-")
    there = subprocess.run(command(*asked), env=environment() | {"TZ": zone}, capture_output=True, check=True)
    rows = ["system,query_id,ts,rr", "export,q1,2024-01-01 03:00:00+00,0.5", "export,q2,2024-01-01 12:00:00+00,1"]
    assert there.stdout.decode().splitlines() == rows


@pytest.mark.parametrize(("zone", "value"), [(None, 0.75), ("UTC", 0.75), ("America/New_York", 1.0)])
def test_the_zone_decides_and_is_said_with_the_conventions(zone: str | None, value: float) -> None:
    given = () if zone is None else ("--timezone", zone)
    asked = ("eval", "export.parquet", "-m", "rr", "--where", EVENING_BEFORE, *given)
    document = json.loads(completed(*asked, "--format", "json").out)
    assert (document["rows"][0]["value"], document["timezone"]) == (value, zone or "UTC")
    assert SAID.format(zone or "UTC") in completed(*asked).out


def test_ids_that_hold_a_time_are_of_the_zone() -> None:
    def ids(zone: str) -> set[str]:
        columns = {"query_id": ["ts", "query_id"]}
        with sqlrank.evaluate("export.parquet", metrics="rr", columns=columns, timezone=zone) as found:
            return {str(row[0]) for row in found.per_query.project("query_id").fetchall()}

    assert ids("UTC") == {"2024-01-01 03:00:00+00,q1", "2024-01-01 12:00:00+00,q2"}
    assert ids("Asia/Tokyo") == {"2024-01-01 12:00:00+09,q1", "2024-01-01 21:00:00+09,q2"}


@each(
    [
        ({}, False),
        ({"where": "score > 0"}, False),
        ({"where": "cast('2024-01-01' as timestamptz) < now()"}, None),
        ({"where": "ts is not null"}, True),
        ({"by": "ts"}, True),
        ({"cluster": "ts"}, True),
    ]
)
def test_the_zone_is_said_only_where_a_time_takes_part(case: tuple[dict[str, str], bool | None]) -> None:
    options, zoned = case
    if zoned is None:
        options = {"where": "cast('2024-01-01' as timestamptz) < timestamp '2025-01-01'"}
    with sqlrank.evaluate("export.parquet", metrics="rr", **options) as result:  # type: ignore[arg-type]
        assert (SAID.format("UTC") in result.remarks()) is (zoned is not False)
        assert (result.sources[0] == "set TimeZone = 'UTC'\n") is (zoned is not False)


def test_a_connection_that_is_passed_keeps_its_zone_and_no_other_outlasts_the_call() -> None:
    with duckdb.connect() as connection:
        connection.execute("set TimeZone = 'America/New_York'")
        with sqlrank.evaluate("export.parquet", metrics="rr", where=EVENING_BEFORE, connection=connection) as result:
            assert result["rr"] == 1.0
            assert SAID.format("America/New_York") in result.remarks()
        with pytest.raises(sqlrank.UsageError, match="set the TimeZone of the one passed"):
            sqlrank.evaluate("export.parquet", metrics="rr", timezone="UTC", connection=connection)
        assert connection.sql("select current_setting('TimeZone')").fetchall() == [("America/New_York",)]
    with sqlrank.evaluate("export.parquet", metrics="rr", where=EVENING_BEFORE, timezone="America/New_York") as result:
        assert result["rr"] == 1.0
    with sqlrank.evaluate("export.parquet", metrics="rr", where=EVENING_BEFORE) as result:
        assert result["rr"] == 0.75


def test_an_unknown_zone_is_an_error_of_usage() -> None:
    assert "--timezone Mars is not known" in error_of(2, "eval", "export.parquet", "-m", "rr", "--timezone", "Mars")


@pytest.mark.parametrize("call", [lambda **zone: sqlrank.sql("run", "qrels", "rr", **zone), sqlrank.macros])
def test_a_statement_is_of_the_session_that_runs_it(call: Any) -> None:
    with pytest.raises(sqlrank.UsageError, match="set the time zone of your session"):
        call(timezone="UTC")


def test_verdicts_are_filtered_in_the_zone_too() -> None:
    with duckdb.connect() as connection:
        connection.execute(
            f"copy (select query_id, 'good' as verdict, ts from ({ROWS}) where doc_id = 'a') to 'verdicts.parquet'"
        )
    for zone, total in (("UTC", 2), ("America/New_York", 1)):
        with sqlrank.gsb("verdicts.parquet", where=EVENING_BEFORE, timezone=zone) as result:
            assert result.rows.fetchall()[0][result.rows.columns.index("total")] == total
