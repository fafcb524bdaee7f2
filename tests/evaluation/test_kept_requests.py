"""Calls that ask for the same again render nothing again, on a connection that was passed too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlrank
from sqlrank.evaluation.flow import MOST_REQUESTS, kept_request, requests
from sqlrank.statement.render import statement
from tests.metrics.test_own_metrics import folder
from tests.support.small_data import QRELS, RUN, as_pairs


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The kinds of statements that are rendered."""
    requests.clear()
    kinds: list[str] = []

    def noted(*given: Any, **named: Any) -> str:
        kinds.append("per query")
        return statement(*given, **named)

    monkeypatch.setattr("sqlrank.evaluation.evaluate.statement", noted)
    return kinds


def value(connection: duckdb.DuckDBPyConnection | None, metric: str = "ap", **options: Any) -> float | None:
    """The value of one evaluation of the small data set, which is closed."""
    with sqlrank.evaluate(as_pairs(RUN), as_pairs(QRELS), [metric], connection=connection, **options) as result:
        return result.value(result.measures[0].text)


@pytest.mark.parametrize("passed", [False, True])
def test_what_is_asked_for_again_is_rendered_once(rendered: list[str], passed: bool) -> None:
    with duckdb.connect() as connection:
        given = connection if passed else None
        first, again = ([value(given), value(given, "rr"), value(given, rel=2.0)] for _ in range(2))
    assert again == first
    assert rendered == ["per query"] * 3


def test_results_that_are_open_at_once_stay_apart(rendered: list[str]) -> None:
    with duckdb.connect() as connection:
        first = sqlrank.evaluate(as_pairs(RUN), as_pairs(QRELS), ["ap"], connection=connection)
        second = sqlrank.evaluate(as_pairs(RUN[:3]), as_pairs(QRELS), ["ap"], connection=connection)
        values = first["ap"], second["ap"]
        first.close()
        first.close()
        third = sqlrank.evaluate(as_pairs(RUN), as_pairs(QRELS), ["ap"], connection=connection)
        fourth = sqlrank.evaluate(as_pairs(RUN), as_pairs(QRELS), ["ap"], connection=connection)

        assert (third["ap"], second["ap"], fourth["ap"]) == (values[0], values[1], values[0])
        for result in (second, third, fourth):
            result.close()
        assert connection.sql("select count(*) from duckdb_tables()").fetchall() == [(0,)]
    assert len(rendered) == 3


def test_metrics_of_files_and_tables_among_the_options_are_read_anew(tmp_path: Path) -> None:
    again: list[dict[str, Any]] = [{"metrics_dir": folder(tmp_path)}, {"queries": {"q1": object()}}]

    for options in again:
        assert kept_request(["ap"], options) is not kept_request(["ap"], options)
    assert kept_request(["ap"], {"rel": 1.0}) is kept_request(["ap"], {"rel": 1.0})
    assert kept_request(["ap"], {"rel": 1.0}) is not kept_request(["ap"], {"rel": 2.0})


def test_few_requests_are_kept() -> None:
    requests.clear()
    for k in range(1, 3 * MOST_REQUESTS):
        kept_request([f"ndcg@{k}"], {})
    assert len(requests) == MOST_REQUESTS
