"""Tables as Parquet files of several writers, of which some leave out statistics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import duckdb
import polars
import pyarrow as pa
import pyarrow.parquet as pq

WRITERS: dict[str, Callable[[pa.Table, str], Any]] = {
    "pyarrow": lambda table, path: pq.write_table(table, path),
    "pyarrow without statistics": lambda table, path: pq.write_table(table, path, write_statistics=False),
    "pyarrow in row groups of one": lambda table, path: pq.write_table(table, path, row_group_size=1),
    "polars": lambda table, path: polars.DataFrame(table).write_parquet(path),
    "polars without statistics": lambda table, path: polars.DataFrame(table).write_parquet(path, statistics=False),
    "duckdb": lambda table, path: duckdb.from_arrow(table).write_parquet(path),
}
"""What writes a table to a path, by who does."""
