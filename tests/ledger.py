"""Every test that is collected has run: `python -m tests.ledger FOLDER`, at the end of `.ci/run`.

Where SQLRANK_LEDGER names a folder, each session of pytest writes what it ran and what it skipped there. Together they
are compared with what is collected: a test that ran nowhere is a failure, as is one that was skipped wherever it was
asked.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDER = "SQLRANK_LEDGER"
COLLECTED = "collected.txt"


class Ledger:
    """Writes a line for each test that ended: its id, the reason if it was skipped, and how many seconds it took."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.file = (self.folder / f"{os.getpid()}.jsonl").open("a", encoding="utf-8")
        self.seconds: dict[str, float] = defaultdict(float)
        self.reasons: dict[str, str] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Note what there is, where nothing is to run."""
        if session.config.option.collectonly:
            lines = (f"{item.nodeid}\t{' '.join(needed_by(item))}" for item in session.items)
            (self.folder / COLLECTED).write_text("\n".join(lines), encoding="utf-8")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note how a test ended, and how long it took with what it brought up and took down."""
        self.seconds[report.nodeid] += report.duration
        if report.skipped and isinstance(report.longrepr, tuple):
            self.reasons[report.nodeid] = str(report.longrepr[2])
        if report.when == "teardown":
            skipped = self.reasons.get(report.nodeid)
            self.file.write(json.dumps([report.nodeid, skipped, round(self.seconds[report.nodeid], 3)]) + "\n")

    def pytest_sessionfinish(self) -> None:
        """Close the file."""
        self.file.close()


def needed_by(item: pytest.Item) -> list[str]:
    """What a test needs beyond Python and the package."""
    return sorted({reason for mark in item.iter_markers("needs") for reason in mark.args})


def collected(folder: Path) -> dict[str, list[str]]:
    """All tests of the project, and what each needs."""
    command = [sys.executable, "-m", "pytest", "-n0", "--collect-only", "-m", "needs or not needs"]
    settings = os.environ | {FOLDER: str(folder)}
    subprocess.run(command, cwd=ROOT, env=settings, stdout=subprocess.DEVNULL, check=True)
    lines = (folder / COLLECTED).read_text(encoding="utf-8").splitlines()
    return {test: needed.split() for test, _, needed in (line.partition("\t") for line in lines)}


def lines_of(folder: Path) -> Iterator[tuple[str, str | None, float]]:
    """What was written of each test that ended."""
    for file in sorted(folder.glob("*.jsonl")):
        yield from map(json.loads, file.read_text(encoding="utf-8").splitlines())


def main(arguments: list[str]) -> int:
    """Say how many tests were collected, ran and were skipped, and why; 1 where one did not run."""
    folder, ended = Path(arguments[0]), dict[str, str | None]()
    for test, reason, _ in lines_of(folder):
        ended[test] = reason and ended.get(test, reason)
    asked = collected(folder)
    ran = {test for test, reason in ended.items() if reason is None} & asked.keys()
    skipped = Counter(reason for test, reason in ended.items() if reason is not None and test in asked)
    never = asked.keys() - ended.keys()
    told = f"{len(asked)} collected, {len(ran)} ran, {skipped.total()} skipped, {len(never)} not asked"
    sys.stdout.write(f"tests: {told}\n")
    for reason, number in skipped.most_common():
        sys.stdout.write(f"skipped, {number}: {reason}\n")
    for test in sorted(never):
        sys.stdout.write(f"not asked: {test}\n")
    return 1 if never or skipped else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
