"""Progress is for people at a terminal, and for nobody else."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

from tests.cli_helper import environment

SEARCH = Path(__file__).parent.parent / "fixtures" / "search"
# The bar comes after half a second; here at once, whatever the speed of the machine.
CODE = """
import sys
import sqlrank.engines.progress as progress
progress.SECONDS_BEFORE_SHOWN = 0.0
from sqlrank.cli import app
app(sys.argv[1:])
"""


def run_at_terminal(*options: str) -> tuple[str, str]:
    """What an evaluation writes to standard output, and to a terminal as standard error."""
    ours, theirs = pty.openpty()
    arguments = ["eval", str(SEARCH / "keyword.csv"), "--qrels", str(SEARCH / "qrels.csv"), "-m", "rr", *options]
    command = [sys.executable, "-c", CODE, *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env=environment())
    os.close(theirs)
    seen = b""
    try:
        while block := os.read(ours, 1 << 16):
            seen += block
    except OSError:  # how a terminal says that nobody is left to write
        pass
    os.close(ours)
    out, _ = process.communicate()
    assert process.returncode == 0
    return out.decode(), seen.decode(errors="replace")


def test_a_bar_is_shown_on_a_terminal_and_not_in_the_output() -> None:
    out, terminal = run_at_terminal()
    assert "evaluating" in terminal
    assert "%" in terminal
    assert out.startswith("system ")
    assert "\x1b" not in out


def test_quiet_shows_no_bar() -> None:
    out, terminal = run_at_terminal("--quiet")
    assert terminal == ""
    assert out.startswith("system ")
