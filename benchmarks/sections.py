"""The measurements: each gives the figures of one section of the results."""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

from contest import BrokenError, DisagreementError, Result, contest
from process import run
from settings import Settings
from shapes import SHAPES, Data, make, make_rows
from tools import FORMS, HERE, Tool, all_trec, sqlrank, sqlrank_forms

GROWTH_ROWS = (1_000_000, 3_000_000, 10_000_000, 30_000_000, 100_000_000)
GROWTH_BASE = 10_000_000
GROWTH_PEER_ROWS = 30_000_000
TIMES_STARTED = 5
CUTOFFS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100)
CUT = ("ndcg", "recall", "p")
SYSTEMS, ROWS_OF_SYSTEM = 10, 1_000_000


def about(data: Data) -> dict[str, Any]:
    """What was measured on."""
    size = {"rows": data.rows, "queries": data.queries, "judgments": data.judgments}
    return {"shape": data.shape.name, "about": data.shape.about, **size}


def measure_shapes(settings: Settings) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every tool on every shape chosen, one shape after the other."""
    for name in settings.chosen_shapes:
        data = make(settings.folder, name, settings.scale)
        tools, absent = list(sqlrank_forms(data.shape)), []
        for peer in settings.chosen_peers:
            if name not in peer.shapes:
                continue
            if reason := settings.environments.missing(peer):
                print(f"{name}: {peer.name} is skipped, {reason}", file=sys.stderr)
                absent += [{"tool": peer.name, "form": form, "missing": f"skipped: {reason}"} for form in peer.forms]
            else:
                tools += settings.tools_of(peer.name, name)
        yield name, about(data) | {"results": rows_by_form(contest(data, tools, settings.runs)) + absent}


def rows_by_form(results: list[Result]) -> list[dict[str, Any]]:
    """The figures of each tool beside those of sqlrank in the same form."""
    named = {(result.tool.name, result.tool.form): result for result in results}
    return [
        result.row(named["sqlrank", result.tool.form], named["sqlrank --no-checks", result.tool.form])
        for result in results
    ]


def measure_growth(settings: Settings) -> dict[str, Any]:
    """The recommender shape in several sizes, in 4 GB."""
    limit = ("--memory-limit", "4GB")
    rows = []
    for planned in GROWTH_ROWS:
        data = make_rows(settings.folder, round(planned * settings.scale))
        tools = [sqlrank(data.shape, "full", *limit, name="sqlrank", against=None)]
        if planned <= GROWTH_PEER_ROWS:
            tools += settings.tools_of("polars", "recommender", "full")
        results = contest(data, tools, settings.runs)
        rows += [{"planned": planned, "rows": data.rows} | result.row(results[0]) for result in results]
    base_rows = next(row["rows"] for row in rows if row["planned"] == GROWTH_BASE)
    return {"limit": limit[1], "base_rows": base_rows, "results": relative_to_base(rows)}


def relative_to_base(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Add the time per row relative to that of the same tool at ten million rows."""
    per_row = {row["tool"]: row["seconds"] / row["rows"] for row in rows if at_base(row)}
    return [
        row | {"per_row": round(row["seconds"] / row["rows"] / per_row[row["tool"]], 4)}
        if "seconds" in row and row["tool"] in per_row
        else row
        for row in rows
    ]


def at_base(row: dict[str, Any]) -> bool:
    """Whether a figure is that which the others are related to."""
    return row["planned"] == GROWTH_BASE and "seconds" in row


def measure_memory(settings: Settings) -> dict[str, Any]:
    """The log shape in 500 MB and without a limit."""
    data = make(settings.folder, "log", settings.scale)
    limited = sqlrank(data.shape, "full", "--memory-limit", "500MB", name="sqlrank --memory-limit 500MB")
    tools = [sqlrank(data.shape, "full", against=None), limited, *settings.tools_of("polars", "log", "full")]
    results = contest(data, tools, settings.runs)
    return about(data) | {"results": [result.row(results[0]) for result in results]}


def measure_bare(settings: Settings) -> dict[str, Any]:
    """An evaluation with everything that sqlrank looks after beside a bare script that ranks, joins and sums."""
    data = make(settings.folder, "sparse", settings.scale)
    script = (sys.executable, str(HERE / "peers" / "by_bare.py"), data.shape.run, data.shape.qrels or "", "dcg")
    bare = Tool("bare DuckDB script", "dcg", script, ("dcg",), why="the same total of discounted gain")
    results = contest(data, [bare, sqlrank(data.shape, "full", against=None)], settings.runs)
    return about(data) | {"results": [result.row(results[0]) for result in results]}


def measure_measures(settings: Settings) -> dict[str, Any]:
    """All measures of trec_eval beside five metrics, and twenty cutoffs beside the last of them."""
    data = make(settings.folder, "recommender", settings.scale)
    cut = {
        "sqlrank, one of each": tuple(f"{name}@{CUTOFFS[-1]}" for name in CUT),
        "sqlrank, 20 cutoffs of three metrics": tuple(f"{name}@{cutoff}" for name in CUT for cutoff in CUTOFFS),
    }
    tools = [sqlrank(data.shape, "full", against=None), all_trec(data.shape)]
    tools += [sqlrank(data.shape, "full", name=name, metrics=metrics, against=None) for name, metrics in cut.items()]
    results = contest(data, tools, settings.runs)
    return about(data) | {"results": [result.row(results[0]) for result in results]}


def measure_startup(settings: Settings) -> dict[str, Any]:
    """What an installed sqlrank adds to the start of its libraries, in turn."""
    data = make_rows(settings.folder, 1000)
    with tempfile.TemporaryDirectory() as packages:
        pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", packages, str(HERE.parent))
        started("the installation", pip, data)
        return started_in_turn(settings, data, packages)


def started_in_turn(settings: Settings, data: Data, packages: str) -> dict[str, Any]:
    """The median starts, with a package that is installed in a folder."""
    commands = {
        "sqlrank --help": (sys.executable, "-m", "sqlrank", "--help"),
        "import typer": (sys.executable, "-c", "import typer"),
        "sqlrank eval of 1,000 rows": sqlrank(SHAPES["recommender"], "full").command,
        "import duckdb, jinja2, typer": (sys.executable, "-c", "import duckdb, jinja2, typer"),
    }
    (first, first_base, second, second_base) = commands
    fresh = "the first sqlrank eval after an install"
    seconds: dict[str, list[float]] = {name: [] for name in (*commands, fresh)}
    for _ in range(settings.runs * TIMES_STARTED):
        for name, command in commands.items():
            seconds[name].append(started(name, ("env", f"PYTHONPATH={packages}", *command), data))
        with tempfile.TemporaryDirectory() as empty:
            first_run = ("env", f"PYTHONPATH={packages}", f"TMPDIR={empty}", *commands[second])
            seconds[fresh].append(started(fresh, first_run, data))
    medians = {name: statistics.median(times) for name, times in seconds.items()}
    pairs = [(first, first_base), (second, second_base), (fresh, second)]
    rows = [
        {
            "tool": name,
            "seconds": round(medians[name], 4),
            "base": base,
            "base_seconds": round(medians[base], 4),
            "ratio": round(medians[name] / medians[base], 4),
        }
        for name, base in pairs
    ]
    return {"runs": settings.runs * TIMES_STARTED, "results": rows}


def started(name: str, command: tuple[str, ...], data: Data) -> float:
    """How long a process takes; BrokenError if it fails."""
    done = run(command, data.folder)
    if done.failure:
        raise BrokenError(f"{name}: {done.failure}")
    return done.seconds


def measure_evaluator(settings: Settings) -> dict[str, Any]:
    """Calls of one evaluator in one process beside pytrec_eval."""
    done = run((sys.executable, str(HERE / "in_process.py"), "--json"), HERE)
    if done.failure:
        raise DisagreementError(f"the evaluator: {done.failure}")
    return {"results": json.loads(done.output)}


def measure_compare(settings: Settings) -> dict[str, Any]:
    """A comparison of ten systems beside ten times an evaluation of one, both without the start."""
    data = make_rows(settings.folder, round(ROWS_OF_SYSTEM * settings.scale))
    metrics = ("-m", ",".join(FORMS["full"]), "--qrels", data.shape.qrels or "", "--format", "csv", "--quiet")
    files = [str(data.folder / (file or "")) for file in (data.shape.run, data.shape.qrels)]
    started("the systems", (sys.executable, str(HERE / "make_shape.py"), str(HERE / "systems.sql"), "1", *files), data)
    names = [f"system_{number}=systems/number={number}" for number in range(SYSTEMS)]
    program = (sys.executable, "-m", "sqlrank")
    commands = {
        "sqlrank eval of one": (*program, "eval", names[0], *metrics),
        "sqlrank compare of ten systems": (*program, "compare", *names, *metrics),
    }
    small = make_rows(settings.folder, 1000)
    seconds = {name: [started(name, command, data) for _ in range(settings.runs)] for name, command in commands.items()}
    start = min(started("the start", sqlrank(small.shape, "full").command, small) for _ in range(TIMES_STARTED))
    one, ten = (min(times) for times in seconds.values())
    figures = {name: min(times) for name, times in seconds.items()} | {
        "ten times sqlrank eval of one, without the start": SYSTEMS * (one - start),
        "sqlrank compare of ten systems, without the start": ten - start,
    }
    return about(data) | {"results": [{"tool": name, "seconds": round(each, 4)} for name, each in figures.items()]}
