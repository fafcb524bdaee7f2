"""Settings of a DuckDB connection, and what fits in the memory that it allows itself.

Settings are validated first, as DuckDB accepts some that mean nothing; the limit is asked for only where it matters.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable

from sqlrank.errors import UsageError
from sqlrank.spelling import spelt

MEMORY = re.compile(r"(?P<number>[0-9]+(?:\.[0-9]+)?) *(?:(?:[kmgt]i?)?b|bytes|%)\Z", re.IGNORECASE)
"""A number and a unit, as DuckDB reads them."""
MOST_THREADS = 65_536
ROWS_AT_ONCE = 44_000_000
"""How many rows of the inputs are evaluated at once, at most: more take more memory, fewer more looks at the files."""
SMALL_NEED = 1_000_000
"""Bytes that are there whatever the memory limit: DuckDB itself takes more."""
BYTES_PER_ROW = 64
"""Bytes that a row of the inputs takes while it is evaluated and cannot be spilled."""
SHARE_FOR_ROWS = 0.8
"""How much of the memory limit such rows may take."""
BYTES_PER_NUMBER = 32
"""Bytes that a number takes while lists are built and sorted."""
BYTES_PER_MARK, BYTES_PER_LONG_MARK = 4, 16
"""Bytes that the mark of a document takes in lists: those of short rankings are spilled, those of long ones hardly."""
SHARE_FOR_LISTS = 0.5
"""How much of the memory limit lists may take."""
UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB")
"""As DuckDB writes its memory limit, each 1,024 of the one before."""

Limit = Callable[[], float]
"""Asks how many bytes DuckDB allows itself."""


def check_settings(threads: object, memory_limit: object, temp_dir: object) -> None:
    """Raise UsageError if a setting is malformed: a whole number, a text such as `500MB`, a path; each may be None."""
    if threads is not None and not (type(threads) is int and 1 <= threads <= MOST_THREADS):
        raise UsageError(f"{spelt('threads', threads)}: give a whole number from 1 to {MOST_THREADS:,}")
    if memory_limit is not None:
        found = MEMORY.match(memory_limit.strip()) if isinstance(memory_limit, str) else None
        if found is None or float(found["number"]) == 0:
            raise UsageError(
                f"{spelt('memory_limit', memory_limit)}: DuckDB refuses it, or takes it for no limit; give a number"
                " above 0 with a unit, such as 500MB or 4GB"
            )
    if temp_dir is not None and not (isinstance(temp_dir, str | os.PathLike) and os.fspath(temp_dir)):
        raise UsageError(f"{spelt('temp_dir', temp_dir)}: give the path of a folder")


def bytes_of(setting: str) -> float:
    """The bytes of a memory limit as DuckDB writes it, such as `1.5 GiB`."""
    number, unit = setting.split()
    return float(number) * float(1024 ** UNITS.index(unit))


def parts_of_rows(rows: int, limit: Limit) -> int:
    """In how many parts so many rows are evaluated, each the rows of some of the queries."""
    if rows * BYTES_PER_ROW <= SMALL_NEED and rows <= ROWS_AT_ONCE:
        return 1
    return math.ceil(rows / max(min(ROWS_AT_ONCE, SHARE_FOR_ROWS * limit() / BYTES_PER_ROW), 1))


def parts_of_marks(marks: int, long: bool, limit: Limit) -> int:
    """In how many parts so many marks of documents are sorted, of `long` rankings or others."""
    needed = marks * (BYTES_PER_LONG_MARK if long else BYTES_PER_MARK)
    return 1 if needed <= SMALL_NEED else math.ceil(needed / max(SHARE_FOR_LISTS * limit(), 1))


def lists_fit(numbers: int, limit: Limit) -> bool:
    """Whether lists of so many numbers, which cannot be spilled, fit in memory with the rest."""
    needed = numbers * BYTES_PER_NUMBER
    return needed <= SMALL_NEED or needed <= SHARE_FOR_LISTS * limit()
