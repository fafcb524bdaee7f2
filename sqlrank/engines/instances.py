"""DuckDB instances of our own.

Opening one takes a fifth of the time of a small evaluation, so that of a closed result serves the next call.
"""

from __future__ import annotations

import atexit
import os
from contextlib import suppress
from typing import Any

import duckdb

from sqlrank.dialects import DUCKDB
from sqlrank.engines.duckdb_errors import first_line
from sqlrank.errors import UsageError
from sqlrank.statement.templates import render

idle: list[duckdb.DuckDBPyConnection] = []
"""The instance that waits for the next call, if there is one."""


class Instance:
    """An instance of DuckDB, which spills to a folder and reads no variable of Python, and one connection to it.

    The settings are given to a new instance; one that has some is never reused.
    """

    def __init__(self, scratch: str, settings: dict[str, Any]) -> None:
        self.plain = not settings
        self.root = (reused(scratch) if self.plain else None) or opened(scratch, settings)
        self.connection = self.root.cursor()

    def close(self, reusable: bool) -> None:
        """Close the connection, with what is temporary in it; keep the instance where another call can use it."""
        self.connection.close()
        if reusable and self.plain and not idle:
            idle.append(self.root)
        else:
            self.root.close()


def reused(scratch: str) -> duckdb.DuckDBPyConnection | None:
    """The idle instance, with nothing left of what it read; None if there is none, or if it has spilled."""
    with suppress(IndexError, duckdb.Error):
        root = idle.pop()
        root.execute(render("sources/reuse.sql", DUCKDB, folder=scratch))
        return root
    return None


def opened(scratch: str, settings: dict[str, Any]) -> duckdb.DuckDBPyConnection:
    """A new instance; UsageError if DuckDB refuses the settings."""
    config: dict[str, Any] = {"python_enable_replacements": False, "temp_directory": scratch}
    try:
        return duckdb.connect(config=config | settings)
    except duckdb.Error as error:
        raise UsageError(f"DuckDB refuses these settings: {first_line(error)}") from error


def close_idle() -> None:
    """Close the idle instance."""
    while idle:
        idle.pop().close()


atexit.register(close_idle)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=close_idle)  # the threads of an instance do not survive in the child
