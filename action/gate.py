"""What action.yml runs: sqlrank as its inputs ask, the table in the summary of the job, the outputs, the exit code.

Inputs come as environment variables and reach sqlrank as arguments of a process: no shell reads them. What sqlrank
prints may hold texts of the files that it read, so GitHub is told to take no commands from it.
"""

from __future__ import annotations

import os
import re
import secrets
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

GATE_FAILED = 4
MESSAGE_LIMIT = 4_000
"""How many characters of an error are shown outside the log."""
SUMMARY_LIMIT = 1_000_000
"""How many bytes are put into the summary of a job, of which GitHub takes no more than a MiB from a step."""


def given(name: str) -> str:
    """An input of the action, as it was written."""
    return os.environ.get(f"INPUT_{name.upper().replace('-', '_')}", "")


def lines(name: str) -> list[str]:
    """The lines of an input that hold something."""
    return [line.strip() for line in given(name).splitlines() if line.strip()]


def shared() -> list[str]:
    """The options of the inputs.

    Raises:
        ValueError: the further options have a quote that is not closed.
    """
    options = [f"--qrels={path}" for path in lines("qrels")]
    options += [f"--metric={text}" for text in given("metrics").split()]
    for gate in ("fail-under", "fail-on-drop", "not-worse-than"):
        options += [f"--{gate}={demand}" for demand in given(gate).split()]
    try:
        return options + shlex.split(given("arguments"))
    except ValueError as error:
        raise ValueError(f"arguments: {error}") from None


def command() -> list[str]:
    """The arguments of sqlrank, whose output is the table; a report goes to its file in the same run.

    Raises:
        ValueError: an input cannot be meant.
    """
    runs = [*lines("baseline"), *lines("run")]
    paths = ["--", *runs] if runs else []
    junit = [f"--junit={given('junit')}"] if given("junit") else []
    report = ["--output=-", f"--output={given('report')}"] if given("report") else []
    if report and not given("report").lower().endswith((".html", ".htm")):
        raise ValueError(f"report: a report is .html, not {given('report')}")
    return ["compare" if lines("baseline") else "eval", *shared(), *junit, "--format=markdown", *report, *paths]


def carried_out(arguments: list[str]) -> tuple[int, str, str]:
    """The exit code of sqlrank and what it printed on both outputs, which is shown in the log."""
    done = subprocess.run(
        [str(Path(os.environ["PROGRAMS"]) / "sqlrank"), *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    token = secrets.token_hex(16)
    shown = f"{shlex.join(['sqlrank', *arguments])}\n{done.stdout}{done.stderr}".rstrip("\n")
    tell(f"::stop-commands::{token}\n{shown}\n::{token}::")
    return done.returncode if done.returncode >= 0 else 128 - done.returncode, done.stdout, done.stderr


def tell(text: str) -> None:
    """Write lines to the log, at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def annotate(message: str) -> None:
    """Show an error where GitHub shows those of a job, and next to the changes of a pull request."""
    escaped = message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    tell(f"::error title=sqlrank::{escaped}")


def errors(said: str) -> str:
    """The errors among what sqlrank said on standard error, without its notes and no longer than can be read."""
    text = "\n".join(line for line in said.splitlines() if not line.startswith("sqlrank: note:"))
    return text if len(text) <= MESSAGE_LIMIT else f"{text[:MESSAGE_LIMIT]} ... (the log has all of it)"


def summary(code: int, table: str, message: str) -> str:
    """The Markdown of a result: how it ended, why, and the table."""
    ended = {0: "passed", GATE_FAILED: "a gate failed"}.get(code, f"exit code {code}")
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", message)), default=0))
    why = f"{fence}text\n{message}\n{fence}\n\n" if message else ""
    return f"### sqlrank: {ended}\n\n{why}{table}"


def append(variable: str, text: str) -> None:
    """Add to the file that an environment variable names, as GitHub wants it."""
    with Path(os.environ[variable]).open("a", encoding="utf-8") as file:
        file.write(f"{text}\n")


def main() -> int:
    """Carry out what the inputs ask, and return the exit code."""
    try:
        code, table, said = carried_out(command())
    except ValueError as error:
        annotate(str(error))
        append("GITHUB_OUTPUT", "exit-code=2")
        return 2
    message = errors(said) if code else ""
    text = summary(code, table, message)
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", suffix=".md", dir=os.environ["RUNNER_TEMP"], delete=False
    ) as file:
        file.write(text)
    large = len(text.encode()) > SUMMARY_LIMIT
    append(
        "GITHUB_STEP_SUMMARY", summary(code, "The table is too large to be shown here.\n", message) if large else text
    )
    append("GITHUB_OUTPUT", f"summary={file.name}\nexit-code={code}")
    if code:
        annotate(message or f"exit code {code}")
    return code


if __name__ == "__main__":
    sys.exit(main())
