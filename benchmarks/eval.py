"""Time `sqlrank eval` as a whole process beside a bare DuckDB script, in turn, on the same 7 million rows.

    python benchmarks/eval.py [RUNS] [FOLDER]

Both must agree on the answer, or the benchmark fails. It prints the ratio of each pair and the median ratio; the
times themselves mean little on a shared machine.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import chdir
from pathlib import Path

import duckdb

HERE = Path(__file__).parent
EVALUATE = ["eval", "run.parquet", "--qrels", "qrels.parquet", "--quiet", "--format", "csv"]
DEFAULT = ["-m", "ndcg@10,ap,rr,p@10,recall@100"]


def timed(command: list[str], folder: Path) -> tuple[float, str]:
    """Seconds and output of a whole process."""
    started = time.perf_counter()
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return time.perf_counter() - started, done.stdout


def make(folder: Path, shape: Path) -> None:
    """Write the data of a shape, unless it is there."""
    if (folder / "qrels.parquet").exists():
        return
    statements = shape.read_text(encoding="utf-8")
    with chdir(folder), duckdb.connect() as connection:
        for statement in statements.split(";"):
            if statement.strip():
                connection.execute(statement).fetchall()


def check(folder: Path, bare: str) -> None:
    """Fail unless both find the same total of discounted gain and no duplicate."""
    ours = timed([sys.executable, "-m", "sqlrank.cli", *EVALUATE, "-m", "dcg", "-m", "num_q"], folder)[1]
    values = {line.split(",")[1]: float(line.split(",")[2]) for line in ours.splitlines()[1:]}
    total, duplicates = (float(line) for line in bare.splitlines())
    if duplicates or abs(values["dcg"] * values["num_q"] - total) > 1e-9 * total:
        raise SystemExit(f"the answers differ: {values} and {bare!r}")


def main() -> None:
    """Run the pairs and print the ratios."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(sys.argv[2] if len(sys.argv) > 2 else temporary).resolve()
        make(folder, HERE / "shape.sql")
        script = [sys.executable, str(HERE / "bare.py"), str(HERE / "bare.sql")]
        check(folder, timed(script, folder)[1])
        ratios = []
        for _ in range(runs):
            ours, _ = timed([sys.executable, "-m", "sqlrank.cli", *EVALUATE, *DEFAULT], folder)
            bare, _ = timed(script, folder)
            ratios.append(ours / bare)
            print(f"sqlrank {ours:.2f} s, bare script {bare:.2f} s, ratio {ratios[-1]:.2f}")
    print(f"median ratio {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main()
