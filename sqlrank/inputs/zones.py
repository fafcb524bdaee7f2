"""The time zone in which times that have one become text, dates and hours."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sqlrank.engines.protocol import Engine
from sqlrank.inputs.reading import Reading, bare_name
from sqlrank.inputs.table import Table
from sqlrank.statement.syntax_trees import parsed

IN_SQL = re.compile(r"timestamptz|timetz|with\s+time\s+zone|timezone", re.IGNORECASE)
"""What a condition on columns of text says where it makes times of them that have a zone."""


def zone_used(engine: Engine, reading: Reading, tables: Iterable[Table], named: Iterable[str]) -> str | None:
    """The time zone of the session, where a time that has a zone takes part; `named` are columns that are read."""
    expressions = [text for _, text in reading.own_sql]
    read = {name.lower() for name in named} | {bare_name(name).lower() for name in asked(reading)}
    read |= {parts[0].lower() for text in expressions for parts in parsed(text).columns}
    zoned = any(engine.zoned(kind) for table in tables for name, kind in table.columns.items() if name.lower() in read)
    return engine.timezone if zoned or any(map(IN_SQL.search, expressions)) else None


def asked(reading: Reading) -> list[str]:
    """The columns of segments, clusters and weights."""
    return [*reading.by, *filter(None, [reading.cluster, reading.weight])]


def in_words(zone: str) -> str:
    """What is printed below the numbers."""
    return f"times that have a zone are read in {zone}"
