"""Time all measures of trec_eval beside the five default metrics, in turn, on 14 million rows of a recommender.

    python benchmarks/measures.py [RUNS] [FOLDER]

Both must agree on the values they share, or the benchmark fails. It prints the ratio of each pair and the median.
"""

from __future__ import annotations

import csv
import statistics
import sys
import tempfile
from pathlib import Path

from eval import DEFAULT, EVALUATE, HERE, make, timed

EVERY = ["-m", "all_trec"]
SHARED = ("ndcg@10", "ap", "rr", "p@10", "recall@100")


def values(text: str) -> dict[str, float]:
    """The values of CSV output by metric."""
    return {row["metric"]: float(row["value"]) for row in csv.DictReader(text.splitlines())}


def main() -> None:
    """Run the pairs and print the ratios."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(sys.argv[2] if len(sys.argv) > 2 else temporary).resolve()
        make(folder, HERE / "recommender.sql")
        ratios = []
        for _ in range(runs):
            five, some = timed([sys.executable, "-m", "sqlrank.cli", *EVALUATE, *DEFAULT], folder)
            every, all_of_them = timed([sys.executable, "-m", "sqlrank.cli", *EVALUATE, *EVERY], folder)
            few, many = values(some), values(all_of_them)
            if any(abs(few[name] - many[name]) > 1e-12 for name in SHARED):
                raise SystemExit(f"the answers differ: {few} and {many}")
            ratios.append(every / five)
            print(f"{len(many)} measures {every:.2f} s, five metrics {five:.2f} s, ratio {ratios[-1]:.2f}")
    print(f"median ratio {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main()
