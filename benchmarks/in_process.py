"""Time calls of one evaluator in one process beside pytrec_eval, with answers compared.

    python benchmarks/in_process.py [--pairs 15] [--json]

Both are called in turn after three calls of each for warming up: what a training loop sees, once it runs.
"""

from __future__ import annotations

import json
import random
import statistics
import time
from collections.abc import Callable, Iterator
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


def measured(pairs: int) -> Iterator[dict[str, Any]]:
    """The median seconds of both for each size and form, and the ratio of each pair of calls."""
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
            ours_median, theirs_median = (round(statistics.median(each), 6) for each in zip(*times, strict=True))
            what = f"{queries} x {documents} from {name}"
            yield {"what": what, "tool": f"pytrec_eval, {what}", "seconds": theirs_median}
            yield {"what": what, "tool": f"sqlrank, {what}", "seconds": ours_median, "peer_seconds": theirs_median} | {
                "ratio": round(statistics.median(ratios), 3),
                "ratio_low": round(min(ratios), 3),
                "ratio_high": round(max(ratios), 3),
            }


def main(
    pairs: Annotated[int, typer.Option(min=1, help="How often each is called.")] = 15,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Print a line for each form of the data."""
    rows = list(measured(pairs))
    if as_json:
        print(json.dumps(rows))
        return
    for row in rows:
        if "ratio" in row:
            times = f"{1000 * row['seconds']:.1f} ms, pytrec_eval {1000 * row['peer_seconds']:.1f} ms"
            print(
                f"{row['tool']}: {times}, {row['ratio']:.2f} times, {row['ratio_low']:.2f} to {row['ratio_high']:.2f}"
            )


if __name__ == "__main__":
    typer.run(main)
