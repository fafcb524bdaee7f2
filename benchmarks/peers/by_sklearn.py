"""The metrics with scikit-learn, a query at a time, for a labelled table: by_sklearn.py RUN QRELS METRIC..."""

from __future__ import annotations

import json
import sys

import numpy as np
import polars as pl
from sklearn.metrics import average_precision_score, ndcg_score

MEASURES = {
    "ndcg@10": lambda relevance, score: ndcg_score(relevance[np.newaxis], score[np.newaxis], k=10),
    "grouped_ap": lambda relevance, score: average_precision_score(relevance >= 1, score),
}

run, _, *metrics = sys.argv[1:]
queries = pl.scan_parquet(run).group_by("query_id").agg("relevance", "score").select("relevance", "score").collect()
values = [
    [MEASURES[metric](relevance.to_numpy(), score.to_numpy()) for metric in metrics]
    for relevance, score in zip(queries["relevance"], queries["score"], strict=True)
]
print(json.dumps(dict(zip(metrics, np.mean(values, axis=0).tolist(), strict=True))))
