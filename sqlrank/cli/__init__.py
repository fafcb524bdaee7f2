"""The entry point of the command: it hears of signals before anything heavy is loaded."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from sqlrank.process import signals

if TYPE_CHECKING:
    from sqlrank.cli.application import EXIT_CODES as EXIT_CODES
    from sqlrank.cli.application import app as app


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
    code = run()
    if signals.State.first is not None:
        os._exit(code)  # all is said and taken away; modules in C complain where what they made is still in use
    sys.exit(code)


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
