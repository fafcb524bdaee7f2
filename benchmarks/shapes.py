"""The data that is measured: each shape is a file of SQL in the folder shapes."""

from __future__ import annotations

import json
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from process import run

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Shape:
    """What a shape consists of; one without judgments is a labelled export."""

    name: str
    run: str = "run.parquet"
    qrels: str | None = "qrels.parquet"
    base: str | None = None
    """The shape whose rows are written in another way."""

    @property
    def statements(self) -> Path:
        """The SQL that writes the data."""
        return HERE / "shapes" / f"{self.name}.sql"

    @property
    def about(self) -> str:
        """The comment that heads the SQL."""
        head = re.match(r"(?:-- .*\n)+", self.statements.read_text(encoding="utf-8"))
        return " ".join(line.removeprefix("-- ") for line in head[0].splitlines()) if head else ""


SHAPES = {
    shape.name: shape
    for shape in (
        Shape("sparse"),
        Shape("shuffled", base="sparse"),
        Shape("recommender"),
        Shape("recommender_numbers", base="recommender"),
        Shape("ltr", qrels=None),
        Shape("ltr_numbers", qrels=None, base="ltr"),
        Shape("log", qrels=None),
        Shape("one"),
        Shape("long"),
        Shape("text", run="run.txt", qrels="qrels.txt", base="sparse"),
    )
}
RECOMMENDER_ROWS = 138_000 * 100


@dataclass(frozen=True)
class Data:
    """A shape that has been written."""

    shape: Shape
    scale: float
    folder: Path
    rows: int
    queries: int
    judgments: int


def make(folder: Path, name: str, scale: float) -> Data:
    """Write the data of a shape, unless it is there."""
    shape = SHAPES[name]
    base = make(folder, shape.base, scale).folder if shape.base else None
    target = folder / f"{scale:.9g}" / name
    size = target / "size.json"
    if not size.exists():
        partial = target.with_name(f"{name}.partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        print(f"writing {name} at scale {scale:.9g}", file=sys.stderr)
        counted = [
            str((base or partial) / file) for file in ("run.parquet", "qrels.parquet" if shape.qrels else shape.run)
        ]
        script = [sys.executable, str(HERE / "make_shape.py"), str(shape.statements), f"{scale:.9g}", *counted]
        done = run(script, partial, limit=3600)
        if done.failure:
            raise SystemExit(f"{name} was not written: {done.failure}")
        (partial / size.name).write_text(done.output, encoding="utf-8")
        shutil.rmtree(target, ignore_errors=True)
        partial.rename(target)
    return Data(shape, scale, target, **json.loads(size.read_text(encoding="utf-8")))


def make_rows(folder: Path, rows: int) -> Data:
    """Write the recommender shape with about this many rows."""
    return make(folder, "recommender", rows / RECOMMENDER_ROWS)
