"""A progress bar on stderr while a statement runs."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

SECONDS_BEFORE_SHOWN = 0.5
SECONDS_OF_A_STATEMENT = 0.1
SECONDS_BETWEEN_LOOKS = 0.2


def patience(elapsed: float) -> float:
    """How many seconds a statement may run before a bar is shown."""
    return max(SECONDS_BEFORE_SHOWN - elapsed, SECONDS_OF_A_STATEMENT)


@contextmanager
def progress_bar(connection: duckdb.DuckDBPyConnection, text: str, elapsed: float = 0.0) -> Iterator[None]:
    """Show how far the block's statement is once it has taken 0.1 s, and 0.5 s with the `elapsed` seconds before it."""
    from rich.console import Console
    from rich.progress import Progress

    done = threading.Event()

    def look() -> None:
        if done.wait(patience(elapsed)):
            return
        with Progress(console=Console(stderr=True), transient=True) as shown:
            task = shown.add_task(text, total=100)
            while not done.wait(SECONDS_BETWEEN_LOOKS):
                shown.update(task, completed=max(connection.query_progress(), 0))

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def counted(statements: Iterable[str], total: int, text: str) -> Iterable[str]:
    """Statements of about equal length, with a bar that shows how many of them have run."""
    from rich.console import Console
    from rich.progress import track

    return track(statements, text, total, console=Console(stderr=True), transient=True)
