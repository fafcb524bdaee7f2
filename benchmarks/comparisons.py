"""Measure the tests of `sqlrank compare` beside those of scipy, as whole processes in turn, with answers compared.

    python benchmarks/comparisons.py [--queries 138000] [--replicates 10000] [--metrics 1] [--rounds 3]

Both read the same stored per-query rows. scipy draws signs of its own: its p value is near ours and not the same.
"""

from __future__ import annotations

import json
import math
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import duckdb
import typer
from process import Done, run

from sqlrank.conventions import Conventions

ROOT = Path(__file__).resolve().parent.parent
STORED = Path(__file__).with_name("stored_values.sql")

SCIPY = """
import json, sys
import duckdb, numpy, scipy.stats
old, new, replicates = sys.argv[1], sys.argv[2], int(sys.argv[3])
found = {}
for column in json.loads(sys.argv[4]):
    both = [duckdb.from_parquet(path).order("query_id").project(column).fetchnumpy()[column] for path in (old, new)]
    values = both[1] - both[0]
    draws = scipy.stats.permutation_test(
        (values,), numpy.mean, permutation_type="samples", n_resamples=replicates, batch=100,
        rng=numpy.random.default_rng(1),
    )
    found[column] = {"difference": float(values.mean()), "p_value": float(draws.pvalue)}
print(json.dumps(found))
"""


def main(
    queries: Annotated[int, typer.Option(help="How many queries.")] = 138_000,
    replicates: Annotated[int, typer.Option(help="How many replicates.")] = 10_000,
    metrics: Annotated[int, typer.Option(help="How many metrics.")] = 1,
    rounds: Annotated[int, typer.Option(help="How often each runs.")] = 3,
) -> None:
    """Run both in turn, compare their answers, and print a table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        columns = make(folder, queries, metrics)
        asked = ["old.parquet", "new.parquet"]
        ours = [sys.executable, "-m", "sqlrank", "compare", *asked, "--format", "json", "--quiet", "--threads", "2"]
        ours += ["--replicates", str(replicates)]
        commands = {
            "randomization": [*ours, "--test", "randomization"],
            "bootstrap": [*ours, "--test", "bootstrap"],
            "scipy": [sys.executable, "-c", SCIPY, *asked, str(replicates), json.dumps(columns)],
        }
        done: dict[str, list[Done]] = {tool: [] for tool in commands}
        for _ in range(rounds):
            for tool, command in commands.items():
                done[tool].append(run(command, folder))
                if done[tool][-1].failure:
                    raise SystemExit(f"{tool} {done[tool][-1].failure}")
        check(done["randomization"][0], done["scipy"][0], replicates)
    typer.echo("| test | seconds | peak MB | times the randomization of sqlrank, round by round |")
    typer.echo("| :-- | --: | --: | --: |")
    for tool, results in done.items():
        ratios = [result.seconds / base.seconds for result, base in zip(results, done["randomization"], strict=True)]
        best = min(result.seconds for result in results)
        peak = max(result.peak_mb for result in results)
        typer.echo(f"| {tool} | {best:.1f} | {peak:.0f} | {min(ratios):.2f} to {max(ratios):.2f} |")


def make(folder: Path, queries: int, metrics: int) -> list[str]:
    """Stored per-query rows of two systems, with a small difference that is not certain."""
    text = STORED.read_text(encoding="utf-8")
    columns = [f"dcg_at_{number}" for number in range(1, metrics + 1)]
    contents = {"metrics": {f"dcg@{number}": f"dcg_at_{number}" for number in range(1, metrics + 1)}}
    contents |= {"by": [], "weight": None, "where": None, "judgments": None}
    for shift, name in enumerate(("old", "new")):
        values = ", ".join(f"random() + {shift} * 0.2 / sqrt({queries}) as {column}" for column in columns)
        metadata = {"sqlrank": "benchmark", "rows": "per query"}
        metadata |= {"conventions": json.dumps(Conventions().to_dict()), "contents": json.dumps(contents)}
        told = ", ".join(f"{key}: '{value}'" for key, value in metadata.items())
        duckdb.execute(
            text.format(system=name, values=values, queries=queries, metadata=told, path=folder / f"{name}.parquet")
        )
    return columns


def check(ours: Done, theirs: Done, replicates: int) -> None:
    """Stop where the answers differ by more than two lots of random signs do."""
    rows = json.loads(ours.output)["rows"]
    for row, (column, found) in zip(rows, json.loads(theirs.output).items(), strict=True):
        if not math.isclose(row["difference"], found["difference"], rel_tol=1e-9, abs_tol=1e-12):
            raise SystemExit(f"{column}: differences {row['difference']} and {found['difference']}")
        chance = found["p_value"]
        # p varies by p (1 - p), and scipy's, which is twice the smaller of both tails, by p (2 - p)
        allowed = 6 * math.sqrt(chance * (3 - 2 * chance) / replicates) + 3 / replicates
        if abs(row["p_value"] - chance) > allowed:
            raise SystemExit(f"{column}: p values {row['p_value']} and {chance}")


if __name__ == "__main__":
    typer.run(main)
