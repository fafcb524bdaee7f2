"""Settings of a DuckDB connection, validated first: DuckDB accepts some that mean nothing."""

from __future__ import annotations

import os
import re

from sqlrank.errors import UsageError

MEMORY = re.compile(r"(?P<number>[0-9]+(?:\.[0-9]+)?) *(?:(?:[kmgt]i?)?b|bytes|%)\Z", re.IGNORECASE)
"""A number and a unit, as DuckDB reads them."""
MOST_THREADS = 65_536


def check_settings(threads: object, memory_limit: object, temp_dir: object) -> None:
    """Raise UsageError if a setting is malformed: a whole number, a text such as `500MB`, a path; each may be None."""
    if threads is not None and not (type(threads) is int and 1 <= threads <= MOST_THREADS):
        raise UsageError(f"--threads {threads!r}: give a whole number from 1 to {MOST_THREADS:,}")
    if memory_limit is not None:
        found = MEMORY.match(memory_limit.strip()) if isinstance(memory_limit, str) else None
        if found is None or float(found["number"]) == 0:
            raise UsageError(
                f"--memory-limit {memory_limit!r}: DuckDB refuses it, or takes it for no limit; give a number"
                " above 0 with a unit, such as 500MB or 4GB"
            )
    if temp_dir is not None and not (isinstance(temp_dir, str | os.PathLike) and os.fspath(temp_dir)):
        raise UsageError(f"--temp-dir {temp_dir!r}: give the path of a folder")
