"""Stores of many days made by one evaluation, a day for each of its systems: see docs/reference/store.md."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import sqlrank


def store_days(place: Path, runs: Mapping[str, Any], metrics: str, **options: Any) -> None:
    """Store the values of runs by day, those of one system.

    Args:
        place: the folder of the store, which may have other days.
        runs: what was returned, by day.
        metrics: what is evaluated.
        options: the others of `sqlrank.evaluate`, such as the judgments.
    """
    with tempfile.TemporaryDirectory() as folder:
        with sqlrank.evaluate(systems=runs, metrics=metrics, **options) as result:
            result.store(folder, as_of=min(runs))
        for file in Path(folder).glob("*/*.parquet"):
            table = pq.read_table(file, partitioning=None)
            day = table["system"][0].as_py()
            columns = {name: table[name] for name in table.column_names}
            columns["as_of"] = pa.repeat(pa.scalar(day).cast(pa.date32()), table.num_rows)
            columns["system"] = pa.repeat("run", table.num_rows)
            of_day = pa.table(columns).replace_schema_metadata((table.schema.metadata or {}) | {b"as_of": day.encode()})
            (place / f"as_of={day}").mkdir(parents=True)
            pq.write_table(of_day, place / f"as_of={day}" / "run.parquet")
