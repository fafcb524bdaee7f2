"""Time the plans that find ranks beside each other, to see where one becomes better than another.

    python benchmarks/crossover.py [FOLDER]

Each plan is forced in turn on runs of two million documents; seconds are the best of three within one process. The
limits at the head of sqlrank/evaluation/ranking.py come from here.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import duckdb

import sqlrank
from sqlrank.evaluation import ranking as rank_plans
from sqlrank.evaluation.ranking import Planner

HERE = Path(__file__).parent
DOCUMENTS = 2_000_000
UNLIMITED = {
    "RANKINGS_LONGER_THAN_LIMIT": 0,
    "COMPARISONS_PER_DOCUMENT": 1e9,
    "LOOKUPS_PER_DOCUMENT": 1e9,
    "MOST_FOUND": 1,
    "MOST_IN_BUCKETS": 1,
}
PLANS = {name: (getattr(Planner, name),) for name in ("top", "count", "lists", "buckets")} | {"sort": ()}
HEAP = rank_plans.LARGEST_HEAP

JUDGED = ((100, 2), (100, 5), (100, 10), (100, 40), (1000, 2), (1000, 5), (1000, 10), (1000, 100))
SHARES = (10, 25, 40, 60, 90)
FIVE = "ndcg@10, ap, rr, p@10, recall@100"
LONG = ((1000, 100), (1000, 200), (10_000, 50), (10_000, 100), (10_000, 500), (100_000, 200), (1_000_000, 4000))
CUTOFFS = ((30, 10), (100, 10), (100, 20), (100, 50), (1000, 10), (1000, 20), (1000, 50), (1000, 100))


def write(folder: Path, length: int, judged: int) -> None:
    """Write rankings of one length, with so many judged documents in each, and the same as an export with labels."""
    statements = (HERE / "crossover.sql").read_text(encoding="utf-8").split(";")
    with duckdb.connect() as connection:
        variables = {"rankings": DOCUMENTS // length, "length": length, "judged": judged, "folder": str(folder)}
        for name, value in variables.items():
            connection.execute(f"set variable {name} = $value", {"value": value})
        for statement in filter(str.strip, statements):
            connection.execute(statement)


def seconds(folder: Path, plan: str, metrics: str, heap: bool | None = None, labelled: bool = False) -> float:
    """The best of three evaluations with one plan, of judgments beside the run or of an export with labels.

    `heap` says whether scores are kept in a heap, whatever their number.
    """
    rank_plans.PLANS = PLANS[plan]
    rank_plans.LARGEST_HEAP = HEAP if heap is None else 10**9 if heap else 0
    rank_plans.LOOKUPS_PER_DOCUMENT = 0 if plan == "buckets" else 1e9
    times = []
    for _ in range(3):
        started = time.perf_counter()
        names = ("export",) if labelled else ("run", "qrels")
        with sqlrank.evaluate(
            *(str(folder / f"{name}.parquet") for name in names), metrics=metrics, checks=False
        ) as result:
            assert result.plan.name == plan
        times.append(time.perf_counter() - started)
    return min(times)


def main() -> None:
    """Print the tables."""
    for name, value in UNLIMITED.items():
        setattr(rank_plans, name, value)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(sys.argv[1] if len(sys.argv) > 1 else temporary)
        folder.mkdir(parents=True, exist_ok=True)
        print("| documents | judged in each | count | lists | sort |\n|---|---|---|---|---|")
        for length, judged in JUDGED:
            write(folder, length, judged)
            found = [f"{seconds(folder, plan, 'ndcg, ap'):.2f}" for plan in ("count", "lists", "sort")]
            print(f"| {length} | {judged} | {' | '.join(found)} |")
        print("\n| documents | judged in each | lists, beside | sort, beside | lists, export | sort, export |")
        print("|---|---|---|---|---|---|")
        for judged in SHARES:
            write(folder, 100, judged)
            pairs = [(plan, labelled) for labelled in (False, True) for plan in ("lists", "sort")]
            found = [f"{seconds(folder, plan, FIVE, labelled=labelled):.2f}" for plan, labelled in pairs]
            print(f"| 100 | {judged} | {' | '.join(found)} |")
        print("\n| documents | judged in each | lists | buckets | sort |\n|---|---|---|---|---|")
        for length, judged in LONG:
            write(folder, length, judged)
            listed = "-" if judged > 1000 else f"{seconds(folder, 'lists', FIVE):.2f}"
            found = [listed, *(f"{seconds(folder, plan, FIVE):.2f}" for plan in ("buckets", "sort"))]
            print(f"| {length} | {judged} | {' | '.join(found)} |")
        print("\n| documents | cutoff | top by heap | top by list | lists |\n|---|---|---|---|---|")
        for length, cutoff in CUTOFFS:
            write(folder, length, 10)
            metric = f"ndcg@{cutoff}"
            heap, listed = (seconds(folder, "top", metric, heap) for heap in (True, False))
            print(f"| {length} | {cutoff} | {heap:.2f} | {listed:.2f} | {seconds(folder, 'lists', metric):.2f} |")


if __name__ == "__main__":
    main()
