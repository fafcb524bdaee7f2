"""The instance of DuckDB that one call leaves serves the next, and keeps nothing of the last."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlrank
from sqlrank.engines import instances
from sqlrank.engines.duckdb import DuckDBEngine
from tests.support.hostile import write_parquet

QRELS = {"q1": {"d2": 1}}


@pytest.fixture(autouse=True)
def _with_no_idle_instance() -> Iterator[None]:
    instances.close_idle()
    yield
    instances.close_idle()


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The instances that are opened, in their order."""
    found: list[Any] = []
    connect = duckdb.connect

    def watched(*arguments: Any, **settings: Any) -> Any:
        found.append(connect(*arguments, **settings))
        return found[-1]

    monkeypatch.setattr(duckdb, "connect", watched)
    return found


def rr(run: Any = None, **options: Any) -> float | None:
    """The reciprocal rank of a run, whose one relevant document is second where none is given."""
    with sqlrank.evaluate(run or {"q1": {"d1": 2.0, "d2": 1.0}}, QRELS, "rr", **options) as result:
        return result["rr"]


def run_with(first: str, second: str) -> str:
    """A Parquet file of always the same size and time that ranks two documents."""
    write_parquet("run.parquet", ("query_id", "doc_id", "score"), [("q1", first, 2.0), ("q1", second, 1.0)])
    os.utime("run.parquet", (1e9, 1e9))
    return "run.parquet"


def test_calls_one_after_the_other_share_an_instance(opened: list[Any]) -> None:
    assert [rr(), rr(), rr()] == [0.5, 0.5, 0.5]
    assert len(opened) == 1


def test_a_result_that_is_dropped_unclosed_gives_its_instance_back(opened: list[Any]) -> None:
    assert [sqlrank.evaluate({"q1": {"d2": 1.0}}, QRELS, "rr")["rr"] for _ in range(3)] == [1.0, 1.0, 1.0]
    gc.collect()
    assert len(opened) == len(instances.idle) == 1


def test_what_a_dropped_result_gave_reads_on_beside_the_next_call() -> None:
    rows = sqlrank.evaluate({"q1": {"d1": 2.0, "d2": 1.0}}, QRELS, "rr").per_query
    gc.collect()

    assert rr({"q1": {"d2": 1.0}}) == 1
    assert rows.fetchall() == [("run", "q1", 0.5)]


def test_results_that_are_open_together_have_instances_of_their_own(opened: list[Any]) -> None:
    run = {"q1": {"d2": 1.0}}
    with sqlrank.evaluate(run, QRELS, "rr"), sqlrank.evaluate(run, QRELS, "rr"):
        assert len(opened) == 2


def test_a_file_that_was_written_again_is_read_again() -> None:
    assert rr(run_with("d1", "d2")) == 0.5
    size = Path("run.parquet").stat().st_size

    assert rr(run_with("d2", "d1")) == 1
    assert Path("run.parquet").stat().st_size == size


@pytest.mark.parametrize("options", [{"threads": 1}, {"memory_limit": "500MB"}, {"where": "doc_id <> 'd1'"}], ids=str)
def test_a_call_with_settings_or_a_condition_leaves_no_instance(options: dict[str, Any], opened: list[Any]) -> None:
    rr(run_with("d1", "d2"), **options)

    assert instances.idle == []
    assert rr(run_with("d1", "d2")) == 0.5


def test_a_call_that_attached_a_database_leaves_no_instance() -> None:
    with duckdb.connect("given.duckdb") as connection:
        connection.execute("create table run as select 'q1' as query_id, 'd2' as doc_id, 1.0 as score")
        connection.execute("create table qrels as select 'q1' as query_id, 'd2' as doc_id, 1 as relevance")

    with sqlrank.evaluate("run", "qrels", "rr", database="given.duckdb") as result:
        assert result["rr"] == 1
    assert instances.idle == []


def test_an_error_of_duckdb_leaves_no_instance() -> None:
    Path("run.parquet").write_bytes(b"PAR1 but no more")

    with pytest.raises(sqlrank.DataError):
        rr("run.parquet")
    assert instances.idle == []


def test_nothing_temporary_of_a_call_is_seen_by_the_next() -> None:
    rr()
    engine = DuckDBEngine()
    try:
        assert engine.named("select * from duckdb_tables()") == []
        assert engine.named("select view_name from duckdb_views() where not internal") == []
    finally:
        engine.close()


def test_an_instance_that_has_spilled_is_not_reused(opened: list[Any]) -> None:
    engine = DuckDBEngine()
    engine.connection.execute("set memory_limit = '50MB'")
    engine.connection.execute("create temp table wide as select md5(range::varchar) as text from range(3000000)")
    engine.close()

    assert rr() == 0.5
    assert len(opened) == 2


def test_a_result_closed_twice_gives_its_instance_back_once() -> None:
    result = sqlrank.evaluate({"q1": {"d2": 1.0}}, QRELS, "rr")
    result.close()
    assert len(instances.idle) == 1
    with sqlrank.evaluate({"q1": {"d2": 1.0}}, QRELS, "rr") as other:
        result.close()

        assert instances.idle == []
        assert other["rr"] == 1


def test_threads_share_no_instance_at_once() -> None:
    runs = [{"q1": {"d2": 1.0}}, {"q1": {"d1": 2.0, "d2": 1.0}}] * 10

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(rr, runs)) == [1.0, 0.5] * 10


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_evaluates_as_its_parent_does() -> None:
    rr()
    child = os.fork()
    if not child:
        os._exit(0 if rr() == 0.5 else 1)

    assert os.waitpid(child, 0)[1] == 0
    assert rr() == 0.5
