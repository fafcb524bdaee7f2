"""Write the data of a shape to the current folder, print its size: make_shape.py SHAPE.sql SCALE RUN QRELS.

A process of its own, as the memory of the one that measures would be counted to what it starts.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import duckdb

shape, scale, run, qrels = sys.argv[1:]
with duckdb.connect() as connection:
    connection.execute("set variable scale = cast(? as double)", [scale])
    connection.execute("set variable run = ?", [run])
    connection.execute("set variable qrels = ?", [qrels])
    connection.execute(Path(shape).read_text(encoding="utf-8"))
    counted = connection.execute(Path(__file__).with_name("size.sql").read_text(encoding="utf-8")).fetchall()[0]
print(json.dumps(dict(zip(("rows", "queries", "judgments"), counted, strict=True))))
