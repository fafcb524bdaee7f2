"""Run bare.sql in the folder of the data and print what it gives, as a script of one's own would."""

from __future__ import annotations

import sys
from pathlib import Path

import duckdb

connection = duckdb.connect()
for statement in Path(sys.argv[1]).read_text(encoding="utf-8").split(";"):
    if statement.strip():
        print(connection.execute(statement).fetchall()[0][0])
connection.close()
