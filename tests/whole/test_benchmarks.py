"""The benchmarks run, and refuse a tool whose answers are wrong."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli_helper import ROOT, environment
from tests.support.tables import hold


def benchmark(*arguments: str, script: str = "run.py") -> subprocess.CompletedProcess[str]:
    """How a benchmark ended."""
    command = [sys.executable, str(ROOT / "benchmarks" / script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment(), check=False)


@pytest.mark.needs("process")
@pytest.mark.parametrize("shape", ["sparse", "ltr"])
def test_a_small_benchmark_compares_and_saves(shape: str, tmp_path: Path) -> None:
    results = tmp_path / "results.json"
    kept = ["--folder", str(tmp_path), "--results", str(results)]
    done = benchmark("shapes", "--shape", shape, "--peer", "polars", "--scale", "0.003", "--runs", "1", *kept)

    assert done.returncode == 0, done.stderr
    rows = json.loads(results.read_text(encoding="utf-8"))["shapes"][shape]["results"]
    assert {row["tool"] for row in rows} == {"sqlrank", "sqlrank --no-checks", "polars"}
    assert all(row["difference"] < 1e-9 and row["seconds"] > 0 and row["peak_mb"] > 10 for row in rows)


@pytest.mark.needs("process")
def test_a_shape_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert benchmark("shapes", "--shape", "nothing", "--results", str(tmp_path / "r.json")).returncode == 2


def test_a_target_that_was_reached_once_may_be_missed_by_little(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(case: tuple[tuple[float, bool, str], str]) -> None:
        (times, reached, state), limit = case
        monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
        targets = importlib.import_module("targets")
        wanted = targets.Target("shapes.one", "sqlrank", "duckdb", reached=reached, **{limit: 1.0})
        monkeypatch.setattr(targets, "targets", lambda: [wanted])
        rows = [
            {"tool": "sqlrank", "form": "full", "seconds": 2.0 * times},
            {"tool": "sqlrank", "form": "shallow", "seconds": 100.0},
            {"tool": "duckdb", "form": "full", "seconds": 2.0},
        ]
        results: dict[str, Any] = {"shapes": {"one": {"scale": 1.0, "results": rows}}}

        assert [judgment.state for judgment in targets.judgments(results)] == [state]
        assert not list(targets.judgments(results, ["shapes.ltr"]))
        results["shapes"]["one"]["scale"] = 0.5
        assert not list(targets.judgments(results))

    hold(
        product(
            [
                (0.9, True, "reached"),
                (0.9, False, "reached, and not marked so"),
                (1.1, True, "missed by little"),
                (1.2, True, "lost"),
                (1.2, False, "not yet"),
            ],
            ["at_least", "at_most"],
        ),
        check,
    )


def test_every_target_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    measured = json.loads((ROOT / "docs" / "explanation" / "benchmarks.json").read_text(encoding="utf-8"))
    targets = importlib.import_module("targets")

    assert [judgment.target for judgment in targets.judgments(measured)] == targets.targets()


@pytest.mark.needs("process")
def test_compressed_text_has_the_answers_that_it_has_unverified() -> None:
    done = benchmark("--rows", "2000", "--rounds", "1", script="compressed.py")
    assert done.returncode == 0, done.stderr
    assert [line.split(" | ")[0] for line in done.stdout.splitlines()[2:]] == ["| run.csv.gz", "| run.csv.zst"]


@pytest.mark.needs("process")
def test_a_small_benchmark_of_comparisons_finds_what_scipy_finds() -> None:
    done = benchmark("--queries", "300", "--replicates", "300", "--rounds", "1", script="comparisons.py")
    assert done.returncode == 0, done.stderr
    assert [line.split(" | ")[0] for line in done.stdout.splitlines()[2:]] == [
        "| randomization",
        "| bootstrap",
        "| scipy",
    ]
