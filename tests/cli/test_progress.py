"""Progress is for people at a terminal, and for nobody else."""

from __future__ import annotations

import subprocess
import sys

import pytest

from sqlrank.engines.progress import patience
from tests.support.cli_helper import FIXTURES, environment
from tests.support.pseudo_terminal import pseudo_terminal, read_to_end

SEARCH = FIXTURES / "search"
# The bar comes after half a second; here after the seconds given first, whatever the speed of the machine.
CODE = """
import sys
import sqlrank.engines.progress as progress
progress.SECONDS_BEFORE_SHOWN = progress.SECONDS_OF_A_STATEMENT = float(sys.argv[1])
from sqlrank.cli import app
app(sys.argv[2:])
"""


def run_at_terminal(*options: str, run: str = "eval", seconds: float = 0.0) -> tuple[str, str]:
    """What an evaluation writes to standard output, and to a terminal as standard error."""
    arguments = [str(SEARCH / "keyword.csv"), "--qrels", str(SEARCH / "qrels.csv"), "-m", "rr", *options]
    command = [sys.executable, "-c", CODE, str(seconds), run, *arguments]
    with pseudo_terminal() as (ours, theirs):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env=environment())
        seen = read_to_end(ours, theirs)
    out, _ = process.communicate()
    assert process.returncode == 0
    return out.decode(), seen


@pytest.mark.needs("process")
def test_a_bar_is_shown_on_a_terminal_and_not_in_the_output() -> None:
    out, terminal = run_at_terminal()
    assert "evaluating" in terminal
    assert "%" in terminal
    assert out.startswith("system ")
    assert "\x1b" not in out


@pytest.mark.parametrize(("elapsed", "seconds"), [(0.0, 0.5), (0.3, 0.2), (0.45, 0.1), (60.0, 0.1)])
def test_a_long_evaluation_of_short_statements_shows_a_bar_too(elapsed: float, seconds: float) -> None:
    assert patience(elapsed) == pytest.approx(seconds)


@pytest.mark.needs("process")
def test_a_short_evaluation_shows_no_bar() -> None:
    _, terminal = run_at_terminal(seconds=60.0)
    assert "evaluating" not in terminal


@pytest.mark.needs("process")
def test_quiet_shows_no_bar() -> None:
    out, terminal = run_at_terminal("--quiet")
    assert terminal == ""
    assert out.startswith("system ")


@pytest.mark.needs("process")
def test_the_replicates_of_a_comparison_have_a_bar_of_their_own() -> None:
    out, terminal = run_at_terminal(str(SEARCH / "semantic.csv"), run="compare")
    assert "testing" in terminal
    assert "testing" not in out
