"""A progress bar while statements run: on stderr, or in the cell of a notebook."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

SECONDS_BEFORE_SHOWN = 0.5
SECONDS_OF_A_STATEMENT = 0.1
SECONDS_BETWEEN_LOOKS = 0.2

Update = Callable[[float | None], None]
"""Moves a bar to a percentage; None where nobody knows how far it is."""


def patience(elapsed: float) -> float:
    """How many seconds a statement may run before a bar is shown."""
    return max(SECONDS_BEFORE_SHOWN - elapsed, SECONDS_OF_A_STATEMENT)


@contextmanager
def progress_bar(percent: Callable[[], float] | None, text: str, elapsed: float = 0.0) -> Iterator[None]:
    """Show how far the block's statement is once it has taken 0.1 s, and 0.5 s with the `elapsed` seconds before it.

    `percent` says how far; None where the engine does not.
    """
    done = threading.Event()

    def look() -> None:
        if done.wait(patience(elapsed)):
            return
        with bar(text) as update:
            while not done.wait(SECONDS_BETWEEN_LOOKS):
                update(None if percent is None else max(percent(), 0))

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def counted(statements: Iterable[str], total: int, text: str) -> Iterator[str]:
    """Statements of about equal length, with a bar that shows how many of them have run."""
    with bar(text) as update:
        for number, statement in enumerate(statements):
            update(100 * number / total)
            yield statement


@contextmanager
def bar(text: str) -> Iterator[Update]:
    """A bar that is gone at the end of the block."""
    if in_notebook():
        with notebook_bar(text) as update:
            yield update
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(text, total=100)
        yield lambda percent: shown.update(task, total=None if percent is None else 100, completed=percent or 0)


def in_notebook() -> bool:
    """Whether this process is the kernel of a notebook."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return hasattr(shell, "kernel")


@contextmanager
def notebook_bar(text: str) -> Iterator[Update]:
    """A bar in the cell that runs, which needs no extension of Jupyter; it takes its time where no percentage is known.

    It is shown with the first percentage, so that a block that ends at once leaves nothing in the notebook.
    """
    from html import escape

    from IPython.display import HTML, display

    started = time.monotonic()
    shown: list[Any] = []

    def update(percent: float | None) -> None:
        far = f"{percent:.0f} %" if percent is not None else f"{time.monotonic() - started:.0f} s"
        value = "" if percent is None else f' value="{percent:.0f}"'
        page = HTML(f'<progress max="100"{value}></progress> {escape(text)} {far}')
        if shown:
            shown[0].update(page)
        else:
            shown.append(display(page, display_id=True))

    try:
        yield update
    finally:
        for handle in shown:
            handle.update(HTML(""))
