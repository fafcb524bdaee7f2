"""An error injected at every write, rename, statement and read of one evaluation: the old output stays whole."""

from __future__ import annotations

import builtins
import errno
import io
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb
import pytest

from sqlrank.engines.duckdb import DuckDBEngine
from tests.support.cli_helper import Outcome, run_cli
from tests.support.small_data import write_both
from tests.support.tables import hold

ARGUMENTS = ("-m", "ap", "-o", "out.csv", "--per-query", "q.parquet", "--junit", "j.xml", "--fail-under", "ap=0")
OLD = "as it was"
OUTPUTS = ("out.csv", "q.parquet", "j.xml")
PLACES: dict[str, tuple[Any, str]] = {
    "rename": (os, "replace"),
    "sync": (os, "fsync"),
    "open by handle": (os, "open"),
    "open": (builtins, "open"),
    "temporary folder": (tempfile, "mkdtemp"),
    "statement": (DuckDBEngine, "run"),
    "rows of a statement": (DuckDBEngine, "named"),
    "rows to write": (DuckDBEngine, "relation"),
}
FAULTS: dict[str, tuple[Callable[[], BaseException], tuple[int, ...]]] = {
    "full disk": (lambda: OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), (5,)),
    "broken disk": (lambda: OSError(errno.EIO, os.strerror(errno.EIO)), (5,)),
    "no permission": (lambda: PermissionError(errno.EACCES, os.strerror(errno.EACCES)), (5,)),
    "no memory": (MemoryError, (5,)),
    "unreadable": (lambda: duckdb.IOException("IO Error: it cannot be read"), (3, 5)),
    "Ctrl-C": (KeyboardInterrupt, (130,)),
}
OF_STATEMENTS = ("statement", "rows of a statement", "rows to write")


class Counter:
    """Stands in for a function: counts the calls that are the command's own, and raises at one of them."""

    def __init__(self, real: Callable[..., Any], at: int | None, fault: Callable[[], BaseException]) -> None:
        self.real, self.at, self.fault, self.calls = real, at, fault, 0

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call what stands behind, or raise."""
        if self.is_of_others(str(arguments[0] if arguments else ""), named):
            return self.real(*arguments, **named)
        self.calls += 1
        if self.at is not None and self.calls - 1 == self.at:
            raise self.fault()
        return self.real(*arguments, **named)

    def is_of_others(self, path: str, named: dict[str, Any]) -> bool:
        """Whether a call is one of Jinja's cache, of Python's modules, or of taking a folder away, which may fail."""
        removed = "dir_fd" in named or (os.path.basename(path).startswith("sqlrank-") and os.path.isdir(path))
        ends = (".py", ".pyc", "/dev/null", ".sql", ".toml")
        return removed or "jinja" in path or path.endswith(ends)

    def __get__(self, instance: object, owner: object = None) -> Callable[..., Any]:
        """The same as a method."""
        return lambda *arguments, **named: self(instance, *arguments, **named)


@contextmanager
def injected(place: str, at: int | None, fault: Callable[[], BaseException]) -> Iterator[Counter]:
    """Let a function raise at one of its calls."""
    owner, name = PLACES[place]
    counter = Counter(getattr(owner, name), at, fault)
    with patch.object(owner, name, counter):
        yield counter


def evaluated(place: str, at: int | None, fault: Callable[[], BaseException] = OSError) -> tuple[Outcome, int]:
    """Evaluate onto old outputs with a fault; how it ended, and how many calls there were."""
    for name in OUTPUTS:
        Path(name).write_text(OLD)
    run, qrels = write_both()
    shutil.rmtree("temp", ignore_errors=True)
    Path("temp").mkdir()
    with patch.object(tempfile, "tempdir", str(Path("temp").resolve())), injected(place, at, fault) as counter:
        outcome = run_cli("eval", run, "--qrels", qrels, *ARGUMENTS)
    return outcome, counter.calls


def content() -> dict[str, bytes]:
    """What the outputs hold."""
    return {name: Path(name).read_bytes() for name in OUTPUTS}


def faults_at(place: str) -> list[str]:
    """The faults that a place may have: only DuckDB raises its errors, and none of Python's."""
    apart = ("full disk", "broken disk", "no permission") if place in OF_STATEMENTS else ("unreadable",)
    return [fault for fault in FAULTS if fault not in apart]


@pytest.mark.parametrize("place", PLACES)
def test_a_fault_at_any_call_leaves_whole_outputs_and_no_remains_and_has_its_exit_code(place: str) -> None:
    """Each call and each fault of a place: what is raised at a call goes the way that it goes at all others."""
    whole, calls = evaluated(place, None)
    assert whole.code == 0, whole.err
    assert calls > 0
    new, before = content(), sorted(path.name for path in Path().iterdir())
    faults = faults_at(place)

    def check(number: int) -> None:
        make, codes = FAULTS[faults[number % len(faults)]]
        outcome, _ = evaluated(place, number % calls, make)
        assert outcome.code in codes, outcome
        assert "Traceback" not in outcome.err
        assert outcome.err.count("sqlrank: error: ") == 1
        for name, data in content().items():
            assert data in (OLD.encode(), new[name]), name
        assert sorted(path.name for path in Path().iterdir()) == before
        assert [path.name for path in Path("temp").glob("sqlrank*")] == []

    numbers = range(max(calls, len(faults)))
    hold({f"{faults[number % len(faults)]} at {number % calls}": number for number in numbers}, check)


class Full(io.StringIO):
    """A file that is full after so many writes."""

    def __init__(self, writes: int) -> None:
        super().__init__()
        self.left = writes

    def write(self, text: str) -> int:
        """Write, or fail as a full disk does."""
        self.left -= 1
        if self.left < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(text)


@pytest.mark.parametrize("kind", ["csv", "json", "jsonl", "txt", "md", "tex"])
def test_a_disk_that_is_full_at_any_write_of_the_output_leaves_the_old_one(kind: str) -> None:
    both, target = write_both(), Path(f"out.{kind}")
    target.write_text(OLD)
    real = open
    for writes in range(4):

        def opened(path: Any, mode: str = "r", *rest: Any, left: int = writes, **named: Any) -> Any:
            return Full(left) if str(path).endswith(".part") and mode == "w" else real(path, mode, *rest, **named)

        with patch.object(builtins, "open", opened):
            outcome = run_cli("eval", both[0], "--qrels", both[1], "-o", target)
        if outcome.code == 0:
            continue
        assert outcome.code == 5
        assert "No space left" in outcome.err
        assert target.read_text() == OLD
        assert list(Path().glob(".*.part")) == []
    assert outcome.code in (0, 5)


def test_an_unknown_error_is_exit_1_with_a_line_that_asks_to_report_it(monkeypatch: pytest.MonkeyPatch) -> None:
    both = write_both()
    for raised in (RecursionError("deep"), ValueError("odd"), AssertionError("never")):
        for asked in (False, True):
            monkeypatch.setenv("SQLRANK_TRACEBACK", "1") if asked else None
            with patch.object(DuckDBEngine, "run", side_effect=raised):
                outcome = run_cli("eval", both[0], "--qrels", both[1])
            monkeypatch.delenv("SQLRANK_TRACEBACK", raising=False)

            assert (outcome.code, outcome.out) == (1, "")
            last = outcome.err.splitlines()[-1]
            assert last.startswith(f"sqlrank: error: internal error: {type(raised).__name__}: {raised}")
            assert "please report it" in last
            assert ("Traceback" in outcome.err) == asked
