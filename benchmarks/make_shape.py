"""Write the data of a shape into the current folder and print how large it is: make_shape.py SHAPE.SQL SCALE."""

from __future__ import annotations

import sys
from pathlib import Path

import duckdb

connection = duckdb.connect()
connection.execute("set variable scale = cast(? as double)", [sys.argv[2]])
connection.execute(Path(sys.argv[1]).read_text(encoding="utf-8"))
connection.close()
