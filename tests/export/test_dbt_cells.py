"""Counts of a log by day in dbt itself: a model that grows, and the labels of all days."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from sqlrank.log import judgments, judgments_sql
from tests.behaviour.simulated import logged
from tests.behaviour.test_statements import check, rows_of_duckdb, values
from tests.support.components import program
from tests.support.dbt import HINT, dbt, project


@pytest.fixture(scope="module", autouse=True)
def installed() -> None:
    """Dbt, without which no test here need begin."""
    program("dbt", HINT, "SQLRANK_DBT")


def shown() -> Any:
    found = logged("pbm", impressions=1200).frame()
    found["ds"] = [f"2026-10-{1 + number * 5 // 1200:02}" for number in found["impression_id"]]
    return found


def test_days_that_come_later_are_added_and_the_last_one_is_made_again(tmp_path: Path) -> None:
    data, folder = shown(), tmp_path / "project"
    models = {
        "shown": "{{ config(materialized='table') }} select * from log",
        "click_cells": judgments_sql("{{ ref('shown') }}", step="cells", day="ds"),
        "labels": "{{ config(materialized='table') }}\n" + judgments_sql("{{ ref('click_cells') }}", step="labels"),
    }
    project(folder, models)

    def built(rows: Any) -> None:
        with duckdb.connect(str(folder / "dev.duckdb")) as connection:
            connection.register("given", rows)
            connection.execute("create or replace table log as from given")
        done = dbt(folder, "run", variables={})
        assert done.returncode == 0, done.stdout + done.stderr

    # The third day comes in two halves, and then two more days.
    half = data["impression_id"] < 600
    built(data[half])
    built(data[data["ds"] <= "2026-10-03"])
    built(data)
    with duckdb.connect(str(folder / "dev.duckdb")) as connection:
        rows = rows_of_duckdb(connection, "from labels")
        days = connection.execute("select count(distinct ds), sum(impressions) from click_cells").fetchall()[0]
    with judgments(data) as found:
        expected = {(row["query_id"], row["doc_id"]): values(row) for row in found.to_dicts()}

    assert days == (5, len(data))
    check(rows, expected)
