"""Times an A/B test on a log beside a group by by hand, with the answers compared.

python benchmarks/arms.py --impressions 5000000 --memory 4GB --runs 3 --folder DIR
"""

from __future__ import annotations

import argparse
import re
import resource
import time
from pathlib import Path
from statistics import median
from typing import Any

import duckdb

from sqlrank.log import arms

THREADS = 2
STATEMENTS = dict(
    re.findall(r"-- name: (\w+)\n(.*?)(?=\n-- name:|\Z)", Path(__file__).with_suffix(".sql").read_text(), re.S)
)


def by_hand(path: str, memory: str) -> tuple[float, list[tuple[Any, ...]]]:
    """Seconds and means of each arm by a plain group by."""
    settings = {"memory_limit": memory, "threads": THREADS, "temp_directory": f"{path}.tmp"}
    with duckdb.connect(config=settings) as connection:
        begun = time.perf_counter()
        rows = connection.execute(STATEMENTS["by_hand"].replace("$path", path)).fetchall()
        return time.perf_counter() - begun, rows


def ours(path: str, memory: str) -> tuple[float, list[tuple[Any, ...]]]:
    """Seconds and means of each arm by the test, with all that is looked at."""
    begun = time.perf_counter()
    with arms(path, baseline="A", threads=THREADS, memory_limit=memory, temp_dir=str(Path(path).parent)) as found:
        seconds = time.perf_counter() - begun
        rows = {row["metric"]: row for row in found.all_rows}
    first = rows["ctr"]
    sides = (("A", "baseline_queries", "baseline_value"), ("B", "queries", "value"))
    return seconds, [(arm, first[units], *(row[value] for row in rows.values())) for arm, units, value in sides]


def main() -> None:
    """Print the seconds, their ratio, and the memory of the process at its most."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--impressions", type=int, default=5_000_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--memory", default="4GB")
    parser.add_argument("--folder", default=".")
    given = parser.parse_args()
    path = str(Path(given.folder) / f"arms-{given.impressions}.parquet")
    if not Path(path).exists():
        duckdb.execute(STATEMENTS["log"].replace("$impressions", str(given.impressions)).replace("$path", path))
    plain, own = [], []
    for _ in range(given.runs):
        seconds, answer = by_hand(path, given.memory)
        of_test, found = ours(path, given.memory)
        for one, other in zip(answer, found, strict=True):
            assert one[:2] == other[:2], (one, other)
            assert all(abs(a - b) < 1e-12 for a, b in zip(one[2:], other[2:], strict=True)), (one, other)
        plain.append(seconds)
        own.append(of_test)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"{10 * given.impressions:,} rows, {THREADS} threads, {given.memory}: {median(own):.1f} s, by hand"
          f" {median(plain):.1f} s, ratio {median(own) / median(plain):.1f}; at most {most:.1f} GB")  # fmt: skip


if __name__ == "__main__":
    main()
