"""The metrics with pandas, by hand: by_pandas.py RUN QRELS METRIC...; QRELS is RUN where one table holds both."""

from __future__ import annotations

import json
import sys

import numpy as np
import pandas as pd

PAIR = ["query_id", "doc_id"]


def ranked_hits(run: pd.DataFrame, qrels: pd.DataFrame | None) -> pd.DataFrame:
    """The relevant documents returned, with their ranks, in order."""
    ordered = run.sort_values(["query_id", "score", "doc_id"], ascending=[True, False, False])
    ordered["rank"] = ordered.groupby("query_id", sort=False).cumcount() + 1
    if qrels is None:
        return ordered[ordered["relevance"] >= 1]
    return ordered.merge(qrels[qrels["relevance"] >= 1], on=PAIR)


def per_query(hits: pd.DataFrame, metric: str) -> pd.Series:
    """The sum of a metric over the relevant documents of each query."""
    rank = hits["rank"]
    match metric:
        case "ndcg@10":
            terms = (hits["relevance"] / np.log2(rank + 1)).where(rank <= 10, 0)
        case "ap":
            terms = (hits.groupby("query_id", sort=False).cumcount() + 1) / rank
        case "p@10":
            terms = (rank <= 10) / 10
        case "rr":
            return 1 / rank.groupby(hits["query_id"]).min()
        case _:
            terms = (rank <= 100).astype(float)
    return terms.groupby(hits["query_id"]).sum()


def divisor(judged: pd.DataFrame, metric: str) -> pd.Series:
    """What the sum of each query is divided by."""
    if metric in ("p@10", "rr"):
        return pd.Series(1, index=judged["query_id"].unique())
    if metric != "ndcg@10":
        return (judged["relevance"] >= 1).groupby(judged["query_id"]).sum()
    best = judged.sort_values(["query_id", "relevance"], ascending=[True, False])
    place = best.groupby("query_id", sort=False).cumcount() + 1
    return (best["relevance"] / np.log2(place + 1)).where(place <= 10, 0).groupby(best["query_id"]).sum()


def evaluate(run: str, qrels: str, metrics: list[str]) -> dict[str, float]:
    """The means of the metrics over all judged queries, of which one without anything to find counts as 0."""
    if run == qrels:
        table = pd.read_parquet(run, columns=[*PAIR, "score", "relevance"])
        judged, hits = table[["query_id", "relevance"]], ranked_hits(table, None)
    else:
        judged = pd.read_parquet(qrels)
        hits = ranked_hits(pd.read_parquet(run), judged)
    means = {}
    for metric in metrics:
        divisors = divisor(judged, metric)
        means[metric] = (per_query(hits, metric) / divisors[divisors > 0]).reindex(divisors.index).fillna(0).mean()
    return means


print(json.dumps(evaluate(sys.argv[1], sys.argv[2], sys.argv[3:])))
