"""Votes of interleaved lists as a model of dbt itself."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from sqlrank.log import interleave_sql
from tests.interleaving.test_statements import check, shown, told
from tests.support.components import program
from tests.support.dbt import HINT, dbt, project


@pytest.fixture(scope="module", autouse=True)
def installed() -> None:
    """Dbt, without which no test here need begin."""
    program("dbt", HINT, "SQLRANK_DBT")


def test_a_model_holds_the_votes_of_the_command(tmp_path: Path) -> None:
    data, folder = shown(), tmp_path / "project"
    project(folder, {"lists": "select * from log", "votes": interleave_sql("{{ ref('lists') }}", by="device")})
    with duckdb.connect(str(folder / "dev.duckdb")) as connection:
        connection.register("given", data)
        connection.execute("create table log as from given")
    done = dbt(folder, "run", variables={})
    assert done.returncode == 0, done.stdout + done.stderr
    with duckdb.connect(str(folder / "dev.duckdb")) as connection:
        found = connection.execute("from votes")
        names = [column[0] for column in found.description]
        rows = [dict(zip(names, row, strict=True)) for row in found.fetchall()]

    check(rows, told({"by": "device"}, data))
