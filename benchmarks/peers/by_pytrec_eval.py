"""The metrics with pytrec_eval, from dictionaries: by_pytrec_eval.py RUN QRELS METRIC..."""

from __future__ import annotations

import json
import math
import sys
from collections import defaultdict

import polars as pl
import pytrec_eval

MEASURES = {
    "ndcg@10": "ndcg_cut_10",
    "ap": "map",
    "p@10": "P_10",
    "rr": "recip_rank",
    "recall@100": "recall_100",
}


def dictionaries(path: str, value: pl.Expr) -> dict[str, dict[str, float]]:
    """The values of the documents of each query, as pytrec_eval takes them."""
    values: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for query_id, doc_id, number in pl.read_parquet(path).select("query_id", "doc_id", value).iter_rows():
        values[query_id][doc_id] = number
    return dict(values)


run, qrels, *metrics = sys.argv[1:]
judged = dictionaries(qrels, pl.col("relevance").cast(pl.Int64))
evaluator = pytrec_eval.RelevanceEvaluator(judged, {MEASURES[metric].replace("_1", ".1") for metric in metrics})
queries = evaluator.evaluate(dictionaries(run, pl.col("score"))).values()
# Queries without results are not among those evaluated and count as 0.
print(json.dumps({metric: math.fsum(each[MEASURES[metric]] for each in queries) / len(judged) for metric in metrics}))
