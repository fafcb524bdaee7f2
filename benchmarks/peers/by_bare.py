"""The total of discounted gain and nothing else, with bare.sql and no convention: by_bare.py RUN QRELS dcg."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import duckdb

with duckdb.connect() as connection:
    connection.execute("set variable run = ?", [sys.argv[1]])
    connection.execute("set variable qrels = ?", [sys.argv[2]])
    totals, duplicates = connection.extract_statements(Path(__file__).with_name("bare.sql").read_text(encoding="utf-8"))
    mean = connection.execute(totals).fetchall()[0][0]
    if connection.execute(duplicates).fetchall()[0][0]:
        raise SystemExit("a document stands twice in a ranking")
print(json.dumps({"dcg": mean}))
