"""Run a whole process and measure it from outside."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

LIMIT = 600.0
MAXRSS_BYTES = 1 if sys.platform == "darwin" else 1024


@dataclass(frozen=True)
class Done:
    """What a process took and printed, and why it failed if it did."""

    seconds: float
    peak_mb: float
    """Peak resident memory; it starts at that of the parent, which for this reason imports little."""
    output: str
    failure: str | None


def run(command: Sequence[str], folder: Path, limit: float = LIMIT) -> Done:
    """Run a command in a folder; it is stopped after `limit` seconds."""
    stopped = threading.Event()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        started = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, stdout=out, stderr=errors)

        def stop() -> None:
            stopped.set()
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)

        timer = threading.Timer(limit, stop)
        timer.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        finally:
            timer.cancel()
        seconds = time.perf_counter() - started
        # wait4 has taken the status away, and Popen would look for it.
        process.returncode = os.waitstatus_to_exitcode(status)
        failure = None
        if stopped.is_set():
            failure = f"stopped after {limit:g} seconds"
        elif process.returncode:
            failure = f"failed with {process.returncode}: {last_line(read(errors))}"
        return Done(seconds, usage.ru_maxrss * MAXRSS_BYTES / 1e6, read(out), failure)


def read(file: IO[bytes]) -> str:
    """The whole text of a file that another process has written."""
    file.seek(0)
    return file.read().decode(errors="replace")


def last_line(text: str) -> str:
    """What an error message ends with."""
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "nothing was said")
