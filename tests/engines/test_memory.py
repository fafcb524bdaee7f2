"""What fits in the memory that DuckDB allows itself."""

from __future__ import annotations

import pytest

from sqlrank.engines import duckdb_settings


def gigabytes(number: float) -> duckdb_settings.Limit:
    """A limit that is asked for."""
    return lambda: number * 1e9


def never() -> float:
    raise AssertionError("the limit was asked for")


def test_little_fits_without_a_look_at_the_limit() -> None:
    assert duckdb_settings.parts_of_rows(10_000, never) == 1
    assert duckdb_settings.parts_of_marks(10_000, True, never) == 1
    assert duckdb_settings.lists_fit(10_000, never)


@pytest.mark.parametrize(("rows", "limit", "parts"), [(100_000_000, 40, 3), (50_000_000, 0.5, 8), (1_000_000, 40, 1)])
def test_rows_are_evaluated_in_parts_that_fit(rows: int, limit: float, parts: int) -> None:
    assert duckdb_settings.parts_of_rows(rows, gigabytes(limit)) == parts


@pytest.mark.parametrize(("long", "parts"), [(False, 2), (True, 5)])
def test_marks_of_long_rankings_need_more(long: bool, parts: int) -> None:
    assert duckdb_settings.parts_of_marks(300_000_000, long, gigabytes(2 if long else 1.5)) == parts


@pytest.mark.parametrize(("setting", "found"), [("500.0 MiB", 524_288_000), ("1.5 GiB", 1_610_612_736), ("0 bytes", 0)])
def test_a_limit_is_read_as_duckdb_writes_it(setting: str, found: float) -> None:
    assert duckdb_settings.bytes_of(setting) == found
