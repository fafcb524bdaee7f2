"""Time calls of one evaluator in one process beside pytrec_eval, with answers compared.

    python benchmarks/in_process.py [--pairs 15]

Both are called in turn after three calls of each for warming up: what a training loop sees, once it runs.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

import polars as pl
import pyarrow as pa
import pytrec_eval
import typer

import sqlrank

METRICS = {"ndcg@10": "ndcg_cut_10", "ap": "map", "rr": "recip_rank", "p@10": "P_10", "recall@100": "recall_100"}
MEASURES = {"ndcg_cut.10", "map", "recip_rank", "P.10", "recall.100"}
SIZES = ((50, 100), (300, 1000))
TOLERANCE = 1e-9

Table = dict[str, dict[str, float]]


class DisagreementError(Exception):
    """Two tools gave different answers."""


def data(queries: int, documents: int) -> tuple[Table, Table]:
    """Rankings of one length, of which half of the documents that there are were judged from 0 to 3.

    Scores are fractions that the 32 bits of pytrec_eval hold.
    """
    generator = random.Random(queries)
    ids = [f"d{document}" for document in range(documents * 2)]
    run = {
        f"q{query}": {
            document: score / 2**20
            for document, score in zip(
                generator.sample(ids, documents), generator.sample(range(2**20), documents), strict=True
            )
        }
        for query in range(queries)
    }
    qrels = {query: {d: generator.randint(0, 3) for d in generator.sample(ids, documents)} for query in run}
    return run, qrels


def rows(table: Table, value: str) -> dict[str, list[Any]]:
    """The columns of a table."""
    pairs = [(query, document, number) for query, found in table.items() for document, number in found.items()]
    return dict(zip(("query_id", "doc_id", value), map(list, zip(*pairs, strict=True)), strict=True))


def evaluated(score: sqlrank.Evaluator, run: Any) -> list[float | None]:
    """The means of one run."""
    with score(run) as result:
        return [result[metric] for metric in METRICS]


def peer(evaluator: Any, run: Table, queries: int) -> list[float]:
    """The same of pytrec_eval, whose means the caller takes."""
    found = evaluator.evaluate(run)
    return [sum(values[name] for values in found.values()) / queries for name in METRICS.values()]


def seconds(call: Callable[[], list[Any]], wanted: list[float]) -> float:
    """How long a call takes; DisagreementError if its values are others."""
    begin = time.perf_counter()
    found = call()
    taken = time.perf_counter() - begin
    if any(abs(one - other) > TOLERANCE for one, other in zip(found, wanted, strict=True)):
        raise DisagreementError(f"{found} and not {wanted}")
    return taken


def main(pairs: Annotated[int, typer.Option(min=1, help="How often each is called.")] = 15) -> None:
    """Print the table."""
    print("| queries x documents | from | sqlrank, ms | pytrec_eval, ms | ratio | pair by pair |")
    print("| :-- | :-- | --: | --: | --: | --: |")
    for queries, documents in SIZES:
        run, qrels = data(queries, documents)
        columns = rows(run, "score"), rows(qrels, "relevance")
        forms = {
            "dictionaries": (run, qrels),
            "polars": tuple(map(pl.DataFrame, columns)),
            "Arrow": tuple(map(pa.table, columns)),
        }
        theirs = pytrec_eval.RelevanceEvaluator(qrels, MEASURES)
        wanted = peer(theirs, run, queries)
        for name, (given, judged) in forms.items():
            score = sqlrank.Evaluator(judged, list(METRICS))
            ours, others = partial(evaluated, score, given), partial(peer, theirs, run, queries)
            times = [(seconds(ours, wanted), seconds(others, wanted)) for _ in range(pairs + 3)][3:]
            ratios = [one / other for one, other in times]
            medians = [f"{1000 * statistics.median(each):.1f}" for each in zip(*times, strict=True)]
            spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
            cells = [f"{queries} x {documents}", name, *medians, f"{statistics.median(ratios):.2f}", spread]
            print(f"| {' | '.join(cells)} |")


if __name__ == "__main__":
    typer.run(main)
