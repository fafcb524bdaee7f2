"""nDCG@10 alone with polars, by hand: by_polars_top.py RUN QRELS ndcg@10; QRELS is RUN where one table holds both."""

from __future__ import annotations

import json
import sys

import polars as pl

RELEVANCE = pl.col("relevance")


def ndcg(run: str, qrels: str, depth: int) -> float:
    """The mean of nDCG over all judged queries."""
    labelled = run == qrels
    # Only the first of each query are kept, and in the streaming engine, which was the faster one.
    top = (
        pl.scan_parquet(run)
        .group_by("query_id")
        .agg(pl.col("doc_id", "score", *(["relevance"] if labelled else [])).top_k_by(["score", "doc_id"], depth))
        .explode(pl.exclude("query_id"))
    )
    judged = pl.scan_parquet(qrels).with_columns(RELEVANCE.cast(pl.Float64))
    if not labelled:
        top = top.join(judged, on=["query_id", "doc_id"], how="left")
    order = ["score", "doc_id"]
    gains = RELEVANCE.fill_null(0).sort_by(order, descending=True)
    discounts = pl.int_range(2, pl.len() + 2).log(2)
    found = top.group_by("query_id").agg(found=(gains / discounts).sum())
    ideal = judged.group_by("query_id").agg(ideal=best_possible(depth))
    share = pl.when(pl.col("ideal") > 0).then(pl.col("found") / pl.col("ideal")).fill_null(0).mean()
    return ideal.join(found, on="query_id", how="left").select(share).collect(engine="streaming").item()


def best_possible(depth: int) -> pl.Expr:
    """The discounted gain of the largest relevances."""
    places = pl.int_range(2, pl.min_horizontal(pl.len(), pl.lit(depth)) + 2)
    return (RELEVANCE.sort(descending=True).head(depth) / places.log(2)).sum()


print(json.dumps({"ndcg@10": ndcg(sys.argv[1], sys.argv[2], 10)}))
