"""Who notices a change: the default tests that reach the file, asked in a copy of the project until one fails."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import NoReturn

from tests.affected import ROOT, files, recorded
from tests.mutants.changes import Mutant

REACHED = recorded()
WORKED = "tests/whole/test_worked_rows.py"
PATIENCE = 300
"""Seconds after which a test that does not end has noticed."""


@dataclass
class Order:
    """Which files of tests to ask first: those that noticed most for the time they took."""

    noticed: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    def worth(self, test: str) -> float:
        """Notices a second, as if it had noticed one in one second before it was first asked."""
        return (self.noticed[test] + 1) / (self.seconds[test] + 1)

    def asked_for(self, tests: list[str], seconds: float, found: str | None) -> None:
        """Remember how long some tests took, and which of them noticed."""
        for test in tests:
            self.seconds[test] += seconds / len(tests)
        if found:
            self.noticed[found.partition("::")[0]] += 1


class Asker:
    """A process in a copy of the project that has imported what tests import, and asks them in a fork of itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = copied(folder)
        command, settings = [sys.executable, "-m", "tests.mutants", "--serve"], os.environ | {"PYTHONPATH": str(folder)}
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=folder, env=settings, stdin=pipe, stdout=pipe, text=True)

    def noticed(self, mutant: Mutant, order: Order) -> str | None:
        """The test that fails with a change, or None where none does."""
        target, text = self.folder / mutant.path, (ROOT / mutant.path).read_text(encoding="utf-8")
        target.write_text(text[: mutant.start] + mutant.new + text[mutant.start + len(mutant.old) :], encoding="utf-8")
        try:
            return next(filter(None, (self.ask(tests, mutant, order) for tests in asked(mutant, order))), None)
        finally:
            target.write_text(text, encoding="utf-8")

    def ask(self, tests: list[str], mutant: Mutant, order: Order) -> str | None:
        """The first of some tests that fails."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        began = time.monotonic()
        self.process.stdin.write(json.dumps([mutant.path, tests]) + "\n")
        self.process.stdin.flush()
        found: str | None = json.loads(self.process.stdout.readline())
        order.asked_for(tests, time.monotonic() - began, found)
        return found


def asked(mutant: Mutant, order: Order) -> Iterator[list[str]]:
    """The tests to ask for a change, a few at a time: the worked rows of a metric first, then what noticed most."""
    if mutant.path.startswith("sql/metrics/"):
        yield [WORKED, "-k", f"[{Path(mutant.path).stem}]"]
    rest = sorted(REACHED.get(mutant.path, []), key=order.worth, reverse=True)
    yield from ([test] for test in rest[:4])
    yield from (rest[at : at + 10] for at in range(4, len(rest), 10))


def serve() -> int:
    """Answer on standard output which test fails first, for each line of standard input, each in a fork."""
    import sqlrank.cli  # noqa: F401 imported once for all forks

    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        path, tests = json.loads(line)
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.setsid()
            os.close(reader)
            run_tests(path, tests, writer)
        os.close(writer)
        ended, _, _ = select.select([reader], [], [], PATIENCE)
        found = os.read(reader, 10_000).decode() if ended else f"{tests[0]} (no end)"
        os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(reader)
        answers.write(json.dumps(found or None) + "\n")
        answers.flush()
    return 0


def run_tests(path: str, tests: list[str], writer: int) -> NoReturn:
    """Run tests until one fails, and write its name."""
    import pytest

    class First:
        name = ""

        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            if report.failed:
                self.name = self.name or report.nodeid

        def pytest_collectreport(self, report: pytest.CollectReport) -> None:
            if report.failed:
                self.name = self.name or report.nodeid

    if path.endswith(".py"):
        for name in [name for name in sys.modules if name.partition(".")[0] == "sqlrank"]:
            del sys.modules[name]
    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(quiet, stream)
    first = First()
    code = pytest.main(["-n0", "-x", "-qq", "--tb=no", "-p", "no:cacheprovider", *tests], [first])
    os.write(writer, (first.name if code else "").encode() or (b"" if code in (0, 5) else b"no report"))
    os._exit(0)


def tried(mutants: list[Mutant], processes: int) -> Iterator[tuple[Mutant, str | None]]:
    """Who noticed each change, some at a time, each in a copy of the project of its own."""
    order, askers = Order(), SimpleQueue[Asker]()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(processes):
            askers.put(Asker(Path(folder, str(number))))

        def ask(mutant: Mutant) -> str | None:
            asker = askers.get()
            found = asker.noticed(mutant, order)
            askers.put(asker)
            sys.stdout.write(f"{mutant.path}: {mutant.name}: {found or '!!! NOBODY'}\n")
            sys.stdout.flush()
            return found

        with ThreadPoolExecutor(processes) as pool:
            yield from zip(mutants, pool.map(ask, mutants), strict=True)
        for _ in range(processes):
            process = askers.get().process
            process.kill()
            process.communicate()


def copied(target: Path) -> Path:
    """A copy of what git knows of the project."""
    for name in files("."):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target / name)
    return target
