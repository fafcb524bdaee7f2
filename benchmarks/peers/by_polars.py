"""The metrics with polars, by hand: by_polars.py RUN QRELS METRIC...; QRELS is RUN where one table holds both."""

from __future__ import annotations

import json
import sys

import polars as pl

RANK, RELEVANCE = pl.col("rank"), pl.col("relevance")
FOUND = {
    "ndcg@10": (RELEVANCE / (RANK + 1).log(2)).filter(RANK <= 10).sum(),
    "ap": (pl.int_range(1, pl.len() + 1) / RANK.sort()).sum(),
    "p@10": (RANK <= 10).sum() / 10,
    "rr": 1 / RANK.min(),
    "recall@100": (RANK <= 100).sum(),
}
IDEAL = RELEVANCE.sort(descending=True).head(10) / pl.int_range(2, pl.min_horizontal(pl.len(), pl.lit(10)) + 2).log(2)
DIVISORS = {
    "ndcg@10": IDEAL.sum().alias("ideal"),
    "ap": (RELEVANCE >= 1).sum().alias("relevant"),
    "recall@100": (RELEVANCE >= 1).sum().alias("relevant"),
}


def evaluate(run: str, qrels: str, metrics: list[str]) -> dict[str, float]:
    """The means of the metrics over all judged queries."""
    # Of the forms tried (sorting all rows, sorting inside a group, counting what stands above), a rank over a struct
    # was the fastest.
    ranked = pl.scan_parquet(run).with_columns(
        rank=pl.struct("score", "doc_id").rank("ordinal", descending=True).over("query_id")
    )
    judged = pl.scan_parquet(qrels).with_columns(RELEVANCE.cast(pl.Float64))
    relevant = judged.filter(RELEVANCE >= 1)
    hits = ranked.filter(RELEVANCE >= 1) if run == qrels else ranked.join(relevant, on=["query_id", "doc_id"])
    found = hits.group_by("query_id").agg(FOUND[metric].alias(metric) for metric in metrics)
    divisors = {DIVISORS[metric].meta.output_name(): DIVISORS[metric] for metric in metrics if metric in DIVISORS}
    per_query = judged.group_by("query_id").agg(*divisors.values()).join(found, on="query_id", how="left")
    means = per_query.select(mean(metric) for metric in metrics).collect()
    return means.row(0, named=True)


def mean(metric: str) -> pl.Expr:
    """The mean over queries, of which one without anything to find counts as 0."""
    value = pl.col(metric)
    if metric in DIVISORS:
        divisor = pl.col(DIVISORS[metric].meta.output_name())
        value = pl.when(divisor > 0).then(value / divisor)
    return value.fill_null(0).mean().alias(metric)


print(json.dumps(evaluate(sys.argv[1], sys.argv[2], sys.argv[3:])))
