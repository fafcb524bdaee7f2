"""Rows of queries beside the columns of the table of queries, put together by hand."""

from __future__ import annotations

from typing import Any

import pyarrow
import pytest

import sqlrank

RUNS = {"old": {"q": {"d": 2.0, "e": 1.0}, "r": {"e": 1.0}}, "new": {"q": {"e": 2.0, "d": 1.0}, "r": {"e": 1.0}}}
QRELS = {"q": {"d": 1}, "r": {"e": 1}}
TABLE = pyarrow.Table.from_pylist(
    [
        {"query_id": "q", "text": "red shoe", "country": "de", "visits": 7},
        {"query_id": "s", "text": "not asked", "country": "fr", "visits": 1},
    ]
)
ASKED: dict[str, Any] = {"systems": RUNS, "qrels": QRELS, "metrics": "rr"}


def test_every_column_of_the_table_stands_before_the_metrics() -> None:
    with sqlrank.evaluate(**ASKED, queries=TABLE) as result:
        rows = result.described_queries()
        assert rows.columns == ["system", "query_id", "text", "country", "visits", "rr"]
        assert rows.fetchall() == [
            ("old", "q", "red shoe", "de", 7, 1.0),
            ("old", "r", None, None, None, 1.0),
            ("new", "q", "red shoe", "de", 7, 0.5),
            ("new", "r", None, None, None, 1.0),
        ]


def test_a_segment_is_not_there_twice() -> None:
    with sqlrank.evaluate(**ASKED, queries=TABLE, by="country") as result:
        assert result.described_queries().columns == ["system", "query_id", "country", "text", "visits", "rr"]


def test_both_values_of_a_comparison_stand_beside_them() -> None:
    with sqlrank.compare(**ASKED, queries=TABLE) as comparison:
        rows = comparison.described_queries()
        assert rows.columns == [
            *("system", "baseline", "metric", "query_id", "text", "country", "visits"),
            *("baseline_value", "value", "difference"),
        ]
        assert rows.fetchall()[0] == ("new", "old", "rr", "q", "red shoe", "de", 7, 1.0, 0.5, -0.5)


def test_without_a_table_it_is_refused() -> None:
    with (
        sqlrank.evaluate(**ASKED) as result,
        pytest.raises(sqlrank.UsageError, match="there is no table of queries here: evaluate in DuckDB, with queries="),
    ):
        result.described_queries()
