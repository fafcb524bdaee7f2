"""The metrics with ir_measures, from data frames: by_ir_measures.py RUN QRELS METRIC..."""

from __future__ import annotations

import json
import sys

import ir_measures
import pandas as pd

MEASURES = {"ndcg@10": "nDCG@10", "ap": "AP", "p@10": "P@10", "rr": "RR", "recall@100": "R@100"}

run, qrels, *metrics = sys.argv[1:]
judged = pd.read_parquet(qrels, columns=["query_id", "doc_id", "relevance"]).astype({"relevance": "int64"})
returned = pd.read_parquet(run, columns=["query_id", "doc_id", "score"])
measures = {metric: ir_measures.parse_measure(MEASURES[metric]) for metric in metrics}
values = ir_measures.calc_aggregate(list(measures.values()), judged, returned)
print(json.dumps({metric: values[measure] for metric, measure in measures.items()}))
