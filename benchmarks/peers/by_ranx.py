"""The metrics with ranx: by_ranx.py RUN QRELS METRIC..."""

from __future__ import annotations

import json
import sys

import pandas as pd
from ranx import Qrels, Run, evaluate

MEASURES = {
    "ndcg@10": "ndcg@10",
    "ap": "map",
    "p@10": "precision@10",
    "rr": "mrr",
    "recall@100": "recall@100",
}
IDS = {"q_id_col": "query_id", "doc_id_col": "doc_id"}

run, qrels, *metrics = sys.argv[1:]
judged = pd.read_parquet(qrels, columns=["query_id", "doc_id", "relevance"]).astype({"relevance": "int64"})
returned = pd.read_parquet(run, columns=["query_id", "doc_id", "score"])
means = evaluate(
    Qrels.from_df(judged, score_col="relevance", **IDS),
    Run.from_df(returned, score_col="score", **IDS),
    [MEASURES[metric] for metric in metrics],
    make_comparable=True,
)
means = means if isinstance(means, dict) else {MEASURES[metrics[0]]: means}
print(json.dumps({metric: float(means[MEASURES[metric]]) for metric in metrics}))
