"""The measurements: each gives the figures of one section of the results."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator
from typing import Any

from contest import BrokenError, Result, contest
from process import run
from settings import Settings
from shapes import SHAPES, Data, make, make_rows
from tools import HERE, Tool, all_trec, sqlrank, sqlrank_forms

GROWTH_ROWS = (1_000_000, 3_000_000, 10_000_000, 30_000_000, 100_000_000)
GROWTH_BASE = 10_000_000
GROWTH_PEER_ROWS = 30_000_000
TIMES_STARTED = 5


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
    """All measures of trec_eval beside five metrics."""
    data = make(settings.folder, "recommender", settings.scale)
    tools = [sqlrank(data.shape, "full", against=None), all_trec(data.shape)]
    results = contest(data, tools, settings.runs)
    return about(data) | {"results": [result.row(results[0]) for result in results]}


def measure_startup(settings: Settings) -> dict[str, Any]:
    """What sqlrank adds to the start of its libraries, in turn."""
    data = make_rows(settings.folder, 1000)
    commands = {
        "sqlrank --help": (sys.executable, "-m", "sqlrank.cli", "--help"),
        "import typer": (sys.executable, "-c", "import typer"),
        "sqlrank eval of 1,000 rows": sqlrank(SHAPES["recommender"], "full").command,
        "import duckdb, jinja2, typer": (sys.executable, "-c", "import duckdb, jinja2, typer"),
    }
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(settings.runs * TIMES_STARTED):
        for name, command in commands.items():
            done = run(command, data.folder)
            if done.failure:
                raise BrokenError(f"{name}: {done.failure}")
            seconds[name].append(done.seconds)
    medians = {name: statistics.median(times) for name, times in seconds.items()}
    (first, first_base, second, second_base) = commands
    pairs = [(first, first_base), (second, second_base)]
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
