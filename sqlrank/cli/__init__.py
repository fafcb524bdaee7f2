"""The entry point of the command: it hears of signals before anything heavy is loaded."""

from __future__ import annotations

import atexit
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sqlrank.process import signals

if TYPE_CHECKING:
    from sqlrank.cli.application import app as app
    from sqlrank.cli.commands import EXIT_CODES as EXIT_CODES


def __getattr__(name: str) -> Any:
    if name in ("EXIT_CODES", "app"):
        from sqlrank.cli import application

        return getattr(application, name)
    raise AttributeError(f"module 'sqlrank.cli' has no attribute {name!r}")


def main() -> None:
    """Run the command and end the process with its exit code."""
    signals.install()
    # A process that ends soon: looking for cycles while modules load is a twentieth of a small evaluation.
    import gc

    gc.disable()
    end(run())


def end(code: int) -> None:
    """End the process without taking apart what is loaded, which takes time that a small evaluation would notice.

    After a signal all is said and taken away already: modules in C would complain where what they made is still in use.
    """
    if signals.State.first is None:
        atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # which was said where it was written
            stream.flush()
    os._exit(code)


def run() -> int:
    """The exit code of the command, whatever goes wrong and whenever."""
    from sqlrank.process import streams

    streams.prepare()
    from sqlrank.cli.handler import exit_code_of

    try:
        return exit_code_of(whole_command)
    finally:
        signals.switch_off()
        signals.remove_remains()


def whole_command() -> Any:
    """Load the commands and run the one asked for."""
    from sqlrank.cli.application import app

    return app(standalone_mode=False)
