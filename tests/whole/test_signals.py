"""Signals at every moment of a run: the old outputs or the new ones, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from pathlib import Path

import duckdb
import pytest

from tests.support.cli_helper import FIXTURES, command, environment

pytestmark = pytest.mark.needs("process")

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
ARGUMENTS = (
    "eval", FIXTURES / "search" / "keyword.csv", "--qrels", FIXTURES / "search" / "qrels.csv", "--quiet",
    "-o", "out.csv", "--per-query", "q.parquet",
)  # fmt: skip
OLD = "as it was"


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended, and what it left."""

    code: int
    err: str
    files: dict[str, str]
    spilled: list[str]


def run(moment: float | None, *numbers: signal.Signals) -> Ending:
    """Run the command, and send it signals that many seconds after its start."""
    Path("out.csv").write_text(OLD)
    Path("q.parquet").write_text(OLD)
    Path("temp").mkdir(exist_ok=True)
    process = subprocess.Popen(
        command(*ARGUMENTS),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment() | {"TMPDIR": str(Path("temp").resolve())},
        preexec_fn=listening,
    )
    if moment is not None:
        time.sleep(moment)
        for number in numbers:
            process.send_signal(number)
    _, err = process.communicate(timeout=60)
    spilled = [path.name for path in Path("temp").glob("sqlrank-*")]
    return Ending(process.returncode, err.decode(), {path.name: content(path) for path in Path().iterdir()}, spilled)


def listening() -> None:
    """Hear of every signal, whatever the shell that started the tests has switched off."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)


def content(path: Path) -> str:
    """What is in a file, whatever its format."""
    if path.is_dir():
        return ""
    data = path.read_bytes()
    if data.startswith(b"PAR1"):
        with duckdb.connect() as connection:
            return str(connection.read_parquet(str(path)).fetchall())
    return data.decode()


@cache
def duration() -> tuple[float, Ending]:
    """How long an undisturbed run takes where nothing else delays it, and what it writes."""
    return min((timed() for _ in range(4)), key=itemgetter(0))


def timed() -> tuple[float, Ending]:
    """How long an undisturbed run takes now, and what it writes."""
    begin = time.monotonic()
    ending = run(None)
    return time.monotonic() - begin, ending


def assert_whole(ending: Ending, undisturbed: Ending, number: signal.Signals) -> None:
    """The outputs are the old ones or the new ones, nothing is left, and the exit code tells the signal."""
    assert ending.spilled == []
    assert sorted(ending.files) == ["out.csv", "q.parquet", "temp"]
    for name, text in ending.files.items():
        assert text in (OLD, undisturbed.files[name])
    if ending.code == -number or "KeyboardInterrupt" in ending.err:  # Python itself was not up yet
        assert "sqlrank/cli/application.py" not in ending.err
        ignored = ending.code == 0 and ending.err.startswith("Exception ignored")  # by a callback of an import
        assert ending.files == undisturbed.files if ignored else set(ending.files.values()) == {OLD, ""}
        return
    assert ending.code in (0, 128 + number), ending.err
    assert "Traceback" not in ending.err
    assert "Exception ignored" not in ending.err
    if ending.code:
        assert ending.err.count("\n") == 1
        assert ending.err.startswith("sqlrank: error: interrupted")
    else:
        assert ending.files == undisturbed.files


def test_a_signal_at_each_of_100_moments_leaves_the_old_outputs_or_the_new_ones_and_nothing_else() -> None:
    """The signals by turns: one handler hears of them all."""
    interrupted = 0
    for moment in range(100):
        if moment % 10 == 0:  # other work on the machine comes and goes
            seconds, undisturbed = timed()
        number = SIGNALS[moment % len(SIGNALS)]
        ending = run(seconds * 1.05 * moment / 100, number)
        assert_whole(ending, undisturbed, number)
        interrupted += ending.code == 128 + number

    assert interrupted > 50


def test_a_second_signal_leaves_nothing_either() -> None:
    seconds, undisturbed = duration()
    for share in (0.3, 0.6, 0.9):
        assert_whole(run(seconds * share, signal.SIGINT, signal.SIGINT), undisturbed, signal.SIGINT)


def test_what_nohup_has_switched_off_stays_off() -> None:
    Path("out.csv").write_text(OLD)
    process = subprocess.Popen(
        command(*ARGUMENTS), env=environment(), preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)
    )
    time.sleep(0.3)
    process.send_signal(signal.SIGHUP)

    assert process.wait(timeout=60) == 0
    assert Path("out.csv").read_text() != OLD


def test_a_signal_before_the_modules_are_loaded_is_one_line(tmp_path: Path) -> None:
    slow = tmp_path / "slow"
    slow.mkdir()
    (slow / "typer.py").write_text("import time\nprint('loading', flush=True)\ntime.sleep(30)\n")
    path = os.pathsep.join([str(slow), environment()["PYTHONPATH"]])
    for number in SIGNALS:
        process = subprocess.Popen(
            command("metrics"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment() | {"PYTHONPATH": path},
            preexec_fn=listening,
        )
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(number)
        _, err = process.communicate(timeout=20)

        assert process.returncode == 128 + number
        assert err.decode().startswith("sqlrank: error: interrupted")
        assert err.decode().count("\n") == 1


IN_A_FINALISER = """
import os, signal, sys, weakref
from sqlrank.process import signals

class Kept:
    pass

signals.install()
signals.remains.add(sys.argv[1])
kept = Kept()
watched = weakref.ref(kept, lambda _: os.kill(os.getpid(), signal.SIGTERM) or [number for number in range(1000)])
del kept
print("not reached")
"""


def test_a_signal_whose_exception_python_drops_ends_the_command_too(tmp_path: Path) -> None:
    spilled = tmp_path / "spilled"
    spilled.mkdir()

    done = subprocess.run(
        [sys.executable, "-c", IN_A_FINALISER, str(spilled)], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout) == (143, "")
    assert done.stderr == "sqlrank: error: interrupted by SIGTERM; nothing was written\n"
    assert not spilled.exists()
