"""Measure what it costs that compressed text is verified to its end, as whole processes in turn, with answers compared.

    python benchmarks/compressed.py [--rows 30000000] [--rounds 3]

The evaluation of a gzip and a zstd file of about 300 MB, beside one in which DuckDB unpacks the file, unverified.
"""

from __future__ import annotations

import gzip
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import duckdb
import typer
from backports import zstd
from process import Done, run

STATEMENTS = Path(__file__).with_suffix(".sql")

EVALUATE = "from sqlrank.cli import main; main()"
UNVERIFIED = f"""
import gzip, sqlrank.inputs.headings, sqlrank.inputs.formats
from backports import zstd
sqlrank.inputs.formats.plain_files = lambda engine, files, encoding: list(files)
sqlrank.inputs.formats.with_one_end = lambda engine, file: file
sqlrank.inputs.headings.opened = lambda file: (gzip if file.endswith(".gz") else zstd).open(file)
{EVALUATE}
"""


def main(
    rows: Annotated[int, typer.Option(help="How many rows the run has.")] = 30_000_000,
    rounds: Annotated[int, typer.Option(help="How often each runs.")] = 3,
) -> None:
    """Run both in turn, compare their answers, and print a table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(folder, rows)
        typer.echo("| file | MB | seconds | peak MB | seconds, unverified | verified / unverified, round by round |")
        typer.echo("| :-- | --: | --: | --: | --: | --: |")
        for file in ("run.csv.gz", "run.csv.zst"):
            ways: dict[str, list[Done]] = {EVALUATE: [], UNVERIFIED: []}
            for _ in range(rounds):
                for script, done in ways.items():
                    asked = ["eval", file, "--qrels", "qrels.parquet", "--format", "csv", "--quiet", "--threads", "2"]
                    done.append(run([sys.executable, "-c", script, *asked], folder))
                    if done[-1].failure:
                        raise SystemExit(f"{file} {done[-1].failure}")
            if len({done.output for way in ways.values() for done in way}) > 1:
                raise SystemExit(f"{file}: the answers differ")
            report(folder / file, *ways.values())


def report(file: Path, ours: list[Done], unverified: list[Done]) -> None:
    """One row of the table."""
    ratios = [one.seconds / other.seconds for one, other in zip(ours, unverified, strict=True)]
    best, bare = (min(done.seconds for done in way) for way in (ours, unverified))
    peak = max(done.peak_mb for done in ours)
    ends = f"{min(ratios):.2f} to {max(ratios):.2f}"
    typer.echo(f"| {file.name} | {file.stat().st_size / 1e6:.0f} | {best:.1f} | {peak:.0f} | {bare:.1f} | {ends} |")


def make(folder: Path, rows: int) -> None:
    """The run, plain and compressed, and its judgments."""
    for statement in STATEMENTS.read_text(encoding="utf-8").format(rows=rows).split(";\n"):
        duckdb.execute(statement.replace("to '", f"to '{folder}/"))
    with open(folder / "run.csv", "rb") as plain:
        with gzip.open(folder / "run.csv.gz", "wb", compresslevel=3) as file:
            shutil.copyfileobj(plain, file, 1 << 20)
        plain.seek(0)
        with zstd.open(folder / "run.csv.zst", "wb") as packed:
            shutil.copyfileobj(plain, packed, 1 << 20)
    (folder / "run.csv").unlink()


if __name__ == "__main__":
    typer.run(main)
