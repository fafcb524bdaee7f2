"""The metrics with DuckDB and a plain statement: by_duckdb.py RUN QRELS METRIC...; QRELS is RUN where it has both."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import duckdb

HERE = Path(__file__).parent
run, qrels, *metrics = sys.argv[1:]

with duckdb.connect() as connection:
    connection.execute("set variable run = ?", [run])
    connection.execute("set variable qrels = ?", [qrels])
    for name in ("duckdb-labelled.sql" if run == qrels else "duckdb-joined.sql", "duckdb.sql"):
        connection.execute((HERE / name).read_text(encoding="utf-8"))
    means = (
        connection.view("means")
        .select(*(duckdb.ColumnExpression(metric.replace("@", "_")) for metric in metrics))
        .fetchall()
    )
print(json.dumps(dict(zip(metrics, means[0], strict=True))))
