"""Measure sqlrank beside other tools, as whole processes in turn, and write what was found to docs.

    python benchmarks/run.py [shapes|growth|memory|startup|bare|measures|evaluator|compare|report|all]

A tool whose answers are not those of sqlrank makes it fail, and so does a target of targets.toml that was reached once
and is missed by more than 15 %.
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from contest import BrokenError, DisagreementError
from results import load, save
from sections import (
    measure_bare,
    measure_compare,
    measure_evaluator,
    measure_growth,
    measure_measures,
    measure_memory,
    measure_shapes,
    measure_startup,
)
from settings import Settings
from shapes import SHAPES
from targets import judgments
from tools import HERE, Environments, peers


class What(StrEnum):
    """What can be measured."""

    SHAPES = "shapes"
    GROWTH = "growth"
    MEMORY = "memory"
    STARTUP = "startup"
    BARE = "bare"
    MEASURES = "measures"
    EVALUATOR = "evaluator"
    COMPARE = "compare"
    REPORT = "report"
    ALL = "all"


WHOLE: dict[What, Callable[[Settings], dict[str, Any]]] = {
    What.BARE: measure_bare,
    What.MEASURES: measure_measures,
    What.STARTUP: measure_startup,
    What.EVALUATOR: measure_evaluator,
    What.COMPARE: measure_compare,
    What.MEMORY: measure_memory,
    What.GROWTH: measure_growth,
}
RESULTS = HERE.parent / "docs" / "explanation" / "benchmarks.json"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def main(
    what: Annotated[What, typer.Argument(help="What to measure; report renders what was measured.")] = What.ALL,
    folder: Annotated[
        Path | None, typer.Option(help="Where the data are kept from one benchmark to the next; else they are removed.")
    ] = None,
    shape: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Only this shape; repeatable.")] = None,
    peer: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Only this peer; repeatable.")] = None,
    runs: Annotated[int, typer.Option(min=1, help="Rounds, of which the best time counts.")] = 3,
    scale: Annotated[float, typer.Option(min=0, help="Size of the data relative to the full one.")] = 1.0,
    ranx_python: Annotated[
        str | None,
        typer.Option(envvar="SQLRANK_RANX_PYTHON", help="The interpreter of an environment that has ranx."),
    ] = None,
    trec_eval: Annotated[
        str | None, typer.Option(envvar="SQLRANK_TREC_EVAL", help="The program trec_eval, else that on the path.")
    ] = None,
    results: Annotated[Path, typer.Option(help="Where the figures are collected; the report goes beside.")] = RESULTS,
) -> None:
    """Measure sqlrank beside other tools, and fail if their answers are not the same."""
    known("--shape", shape, list(SHAPES))
    known("--peer", peer, list(peers()))
    with data_folder(folder) as kept:
        environments = Environments(ranx_python, trec_eval)
        settings = Settings(kept, results, runs, scale, shape or [], peer or [], environments)
        try:
            measured = measure(what, settings)
        except (DisagreementError, BrokenError) as error:
            print(f"error: {error}", file=sys.stderr)
            raise typer.Exit(1) from error
    found = list(judgments(load(results), measured))
    for judgment in found:
        print(judgment, file=sys.stderr)
    if any(judgment.state == "lost" for judgment in found):
        raise typer.Exit(1)


def known(option: str, chosen: list[str] | None, names: list[str]) -> None:
    """Refuse a name that does not exist."""
    if unknown := set(chosen or []) - set(names):
        raise typer.BadParameter(f"{option} {unknown.pop()}: there are {', '.join(names)}")


@contextlib.contextmanager
def data_folder(folder: Path | None) -> Iterator[Path]:
    """The folder of the data; one that was not named is removed afterwards."""
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        yield folder.resolve()
        return
    with tempfile.TemporaryDirectory() as temporary:
        yield Path(temporary).resolve()


def measure(what: What, settings: Settings) -> list[str]:
    """Measure what was asked for and save it, one section after the other; their names."""
    measured = []
    if what in (What.SHAPES, What.ALL):
        for name, figures in measure_shapes(settings):
            save(settings, "shapes", figures, part=name)
            measured.append(f"shapes.{name}")
    for section, function in WHOLE.items():
        if what in (section, What.ALL):
            save(settings, section.value, function(settings))
            measured.append(section.value)
    if what in (What.REPORT, What.ALL):
        # Imported last, as the memory of this process is counted to what it starts.
        from report import write_report

        write_report(settings.results)
    return measured


if __name__ == "__main__":
    app()
