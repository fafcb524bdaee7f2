"""Time the statement that sqlrank prints beside one that an expert would write by hand, with answers compared.

    python benchmarks/statements.py [ENGINE...] [--scale 1.0] [--pairs 7] [--ids native]

Both run in turn in one session, after one run of each for warming up. The expert's statements are in the folder
statements: one text for every engine, unless there is one for the engine. With `--ids native` the ids are whole
numbers, and what stands beside the statement that compares them as they are is the one that makes texts of them.
"""

from __future__ import annotations

import math
import os
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import duckdb
import typer
from statement_sessions import SESSIONS, STATEMENTS, Row, Session

import sqlrank

METRICS = ("ndcg@10", "ap")
KEYS = {"per query": "query_id", "summary": "metric"}
COMPARED = {"per query": ("ndcg_at_10", "ap"), "summary": ("value", "queries", "stderr")}
TOLERANCE = 1e-9


class DisagreementError(Exception):
    """Two statements gave different answers."""


@dataclass(frozen=True)
class Timed:
    """What was found of one form of the statement in one engine; each pair is ours, then the expert's."""

    engine: str
    form: str
    seconds: list[tuple[float, float]]
    lines: tuple[int, int]
    nodes: tuple[dict[str, int], dict[str, int]]

    def row(self) -> str:
        """A row of the table."""
        ratios = [ours / theirs for ours, theirs in self.seconds]
        ours, theirs = (statistics.median(times) for times in zip(*self.seconds, strict=True))
        spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
        nodes = ", ".join(f"{name} {self.nodes[0][name]} / {self.nodes[1][name]}" for name in self.nodes[0])
        cells = [self.engine, self.form, f"{ours:.2f}", f"{theirs:.2f}", f"{statistics.median(ratios):.2f}", spread]
        return f"| {' | '.join([*cells, f'{self.lines[0]} / {self.lines[1]}', nodes])} |"


def main(
    engines: Annotated[list[str] | None, typer.Argument(metavar="[ENGINE]...", help=", ".join(SESSIONS))] = None,
    scale: Annotated[float, typer.Option(min=0.001, help="Size of the data relative to 1.3 million rows.")] = 1.0,
    pairs: Annotated[int, typer.Option(min=1, help="How often each runs, after a run not timed.")] = 7,
    ids: Annotated[
        Literal["text", "native"], typer.Option(help="What ids are: text, or native for whole numbers.")
    ] = "text",
) -> None:
    """Run both statements in turn in each engine, compare their answers, and print a table."""
    if unknown := set(engines or ()) - set(SESSIONS):
        raise typer.BadParameter(f"{unknown.pop()}: there are {', '.join(SESSIONS)}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        make(folder, scale)
        native = ids == "native"
        beside = "as texts" if native else "expert"
        print(
            f"| engine | form | sqlrank, s | {beside}, s | ratio | pair by pair | lines | nodes, sqlrank / {beside} |"
        )
        print("| :-- | :-- | --: | --: | --: | --: | --: | :-- |")
        for engine in engines or SESSIONS:
            session = SESSIONS[engine](folder / "numbers" if native else folder)
            try:
                for form in KEYS:
                    print(measure(session, engine, form, pairs, ids).row(), flush=True)
            except DisagreementError as error:
                print(f"error: {error}", file=sys.stderr)
                raise typer.Exit(1) from error
            finally:
                session.close()
    print(f"\n{os.cpu_count()} cores; load {', '.join(f'{load:.1f}' for load in os.getloadavg())}")


def make(folder: Path, scale: float) -> None:
    """Write the run and its judgments, with texts as ids and with whole numbers."""
    (folder / "numbers").mkdir()
    with duckdb.connect() as connection:
        connection.execute("set variable scale = cast(? as double)", [scale])
        connection.execute("set variable folder = ?", [str(folder)])
        for name in ("data", "numbers"):
            connection.execute((STATEMENTS / f"{name}.sql").read_text(encoding="utf-8"))


def measure(session: Session, engine: str, form: str, pairs: int, ids: str = "text") -> Timed:
    """Time both statements of one form in turn."""
    printed = partial(sqlrank.sql, "run", "qrels", METRICS, dialect=engine.partition("-")[0], summary=form == "summary")
    ours = printed(ids=ids)
    theirs = expert(engine, form) if ids == "text" else printed()
    seconds = []
    for _ in range(pairs + 1):
        our_rows, our_seconds = timed(session, ours)
        their_rows, their_seconds = timed(session, theirs)
        compare(f"{engine}, {form}", our_rows, their_rows, form)
        seconds.append((our_seconds, their_seconds))
    lines = len(ours.splitlines()), len(theirs.splitlines())
    return Timed(engine, form, seconds[1:], lines, (session.nodes(ours), session.nodes(theirs)))


def expert(engine: str, form: str) -> str:
    """The expert's statement: the file of the most exact name that there is."""
    parts = engine.split("-")
    names = ["_".join(["per_query", *parts[:length]]) for length in range(len(parts), -1, -1)]
    file = next(path for name in names if (path := STATEMENTS / f"{name}.sql").exists())
    text = file.read_text(encoding="utf-8")
    if form == "per query":
        return text
    return (STATEMENTS / "summary.sql").read_text(encoding="utf-8").format(per_query=text)


def timed(session: Session, statement: str) -> tuple[list[Row], float]:
    """The rows of a statement and the seconds until they were all here."""
    started = time.perf_counter()
    rows = session.rows(statement)
    return rows, time.perf_counter() - started


def compare(what: str, ours: list[Row], theirs: list[Row], form: str) -> None:
    """Raise DisagreementError where two answers are not the same rows with the same values."""
    key = KEYS[form]
    expected, found = ({row[key]: row for row in rows} for rows in (theirs, ours))
    if not len(ours) == len(theirs) == len(expected) or expected.keys() != found.keys():
        raise DisagreementError(f"{what}: {len(ours)} and {len(theirs)} rows, which are not of the same {key}")
    for name, row in expected.items():
        for column in COMPARED[form]:
            if not math.isclose(found[name][column], row[column], rel_tol=TOLERANCE, abs_tol=TOLERANCE):
                raise DisagreementError(f"{what}, {name}: {column} is {found[name][column]} and {row[column]}")


if __name__ == "__main__":
    typer.run(main)
