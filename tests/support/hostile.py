"""Names and values that end a text, a line, a comment or a statement, steer a terminal or are markup."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import Any

NAMES = [
    'a"; drop table x; --',
    "a'; drop table x; --",
    "select",
    "{{ 7*7 }}",
    "two\nlines",
    "car\rriage",
    'quo"te',
    "quo'te",
    "back\\slash",
    "-- comment",
    "?",
    "a.b",
    "*",
]

MORE_NAMES = [
    "{% raw %}",
    "{# c #}",
    "semi;colon",
    "per cent %s",
    "/* comment",
    "$1",
    "1",
    "ünï",
]

VALUES = [
    "'",
    '"',
    "'; drop table run_input; --",
    "two\nlines",
    "tab\tbed",
    "car\r\nriage",
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "\x9b31m",
    "a|b",
    "a&b",
    "<script>alert(1)</script>",
    "back\\slash",
    "{{ 7*7 }}",
    "50 %",
    "under_score",
    "_italic_ *bold* `code` [link](x)",
    "$math$ #1 ~ ^",
    "\\input{/etc/passwd}",
    "line\u2028separator",
    "right\u202eto left",
    "=1+1",
]


def controls(text: str) -> list[str]:
    """The control characters of a text, but for line ends."""
    return [mark for mark in text if (ord(mark) < 32 and mark != "\n") or 127 <= ord(mark) < 160]


def write_csv(path: str, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Write a CSV file, quoted where need be."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
        writer.writerow(names)
        writer.writerows(rows)
    return path


def write_parquet(path: str, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Write a Parquet file whose columns may have any name."""
    import pyarrow
    from pyarrow import parquet

    columns = {name: [row[number] for row in rows] for number, name in enumerate(names)}
    parquet.write_table(pyarrow.table(columns), path)
    return path
