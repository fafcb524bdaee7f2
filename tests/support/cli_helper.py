"""The command line inside this process, for tests: arguments in, exit code and both outputs back."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from typer.testing import CliRunner

from sqlrank.cli import app

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one command ended."""

    code: int
    out: str
    err: str

    @property
    def table(self) -> list[dict[str, str]]:
        """The rows of CSV output."""
        return list(csv.DictReader(io.StringIO(self.out, newline="")))

    @property
    def values(self) -> dict[tuple[str, str], str]:
        """The values of CSV output by system and metric."""
        return {(row["system"], row["metric"]): row["value"] for row in self.table}


def run_cli(*arguments: object, stdin: bytes | None = None) -> Outcome:
    """Run the command in this process; an exception that it did not turn into an exit code is raised."""
    texts = [str(argument) for argument in arguments]
    result = CliRunner().invoke(app, texts, input=stdin, catch_exceptions=False)
    return Outcome(int(result.exit_code), result.stdout_bytes.decode(), result.stderr_bytes.decode())


def completed(*arguments: object, stdin: bytes | None = None) -> Outcome:
    """How a command ended that is to end well."""
    outcome = run_cli(*arguments, stdin=stdin)
    assert outcome.code == 0, outcome.err
    return outcome


def error_of(code: int, *arguments: object, stdin: bytes | None = None) -> str:
    """What a command says on standard error that is to end with this code and write nothing on standard output."""
    outcome = run_cli(*arguments, stdin=stdin)
    assert (outcome.code, outcome.out) == (code, ""), outcome
    return outcome.err


def run_process(*arguments: object, cwd: Path | None = None, stdin: bytes = b"") -> Outcome:
    """Run the command as a process of its own."""
    done = subprocess.run(
        command(*arguments), cwd=cwd, input=stdin, capture_output=True, env=environment(), check=False
    )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


def command(*arguments: object) -> list[str]:
    """The words that start the command as a process."""
    return [sys.executable, "-m", "sqlrank", *(str(argument) for argument in arguments)]


def environment() -> dict[str, str]:
    """An environment in which the package is found from any folder, and streams have buffers as they usually do."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return kept | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
