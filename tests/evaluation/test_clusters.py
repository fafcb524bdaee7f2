"""Standard errors that are robust to clusters of queries: by hand, beside statsmodels, and by simulation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import statsmodels.api as sm
from scipy import stats

import sqlrank
from sqlrank.output.writing import write_per_query
from tests.pages.stated import assert_stated
from tests.support.cli_helper import completed, error_of
from tests.support.comparisons import METRIC, query_names
from tests.support.small_data import write_csv
from tests.support.tables import each


def tables(
    clusters: Sequence[str | None], values: Sequence[float], other: dict[str, list[Any]] | None = None
) -> tuple[pa.Table, pa.Table]:
    """A run with these clusters of its queries, and judgments that give these values of `METRIC`."""
    names = query_names(len(clusters))
    run = {"query_id": names, "doc_id": ["d"] * len(names), "score": [1.0] * len(names), "topic": list(clusters)}
    judged = {"query_id": names, "doc_id": ["d"] * len(names), "relevance": list(values)}
    return pa.table(run | (other or {})), pa.table(judged)


def total(run: pa.Table, qrels: pa.Table, **options: Any) -> dict[str, Any]:
    """The row of the total."""
    with sqlrank.evaluate(run, qrels, METRIC, **options) as result:
        return next(row for row in result.to_dicts() if row.get("is_total", True))


def test_the_error_is_that_of_the_jackknife_over_clusters_worked_out() -> None:
    # the mean is 3; residuals by cluster: a -2 - 1 = -3, b 0 + 1 = 1, c 2; shares of the queries 2/5, 2/5, 1/5
    row = total(*tables(["a", "a", "b", "b", "c"], [1, 2, 3, 4, 5]), cluster="topic")
    moved = [-3 / (1 - 2 / 5), 1 / (1 - 2 / 5), 2 / (1 - 1 / 5)]
    assert row["stderr"] == pytest.approx(math.sqrt(2 / 3 * sum(each**2 for each in moved)) / 5, rel=1e-12)
    effective = 25 / (4 + 4 + 1)
    margin = stats.t.ppf(0.975, effective - 1) * row["stderr"]
    assert (row["value"], row["queries"]) == (3, 5)
    assert row["ci_high"] == pytest.approx(3 + margin, rel=1e-9)


def drawn(clusters: int, variants: int, seed: int) -> tuple[list[str], list[float]]:
    """Values with a part that the variants of a cluster share."""
    rng = np.random.default_rng(seed)
    values = 8 + np.repeat(rng.normal(size=clusters), variants) + rng.normal(size=clusters * variants)
    return [f"t{place // variants}" for place in range(clusters * variants)], values.tolist()


def test_the_error_of_equal_clusters_is_that_of_robust_regression() -> None:
    names, values = drawn(30, 4, 1)
    fitted = sm.OLS(values, np.ones(len(values))).fit(
        cov_type="cluster", cov_kwds={"groups": [int(name[1:]) for name in names], "use_correction": False}
    )
    row = total(*tables(names, values), cluster="topic")
    assert row["stderr"] == pytest.approx(float(fitted.bse[0]) * math.sqrt(30 / 29), rel=1e-9)


@each([[0.0, 1.0, 1.0, 0.0, 1.0, 1.0], [5.0, 0.1, 0.2, 0.1, 0.1, 0.3]])
def test_clusters_of_one_query_change_nothing(values: list[float]) -> None:
    run, qrels = tables([f"t{place}" for place in range(6)], values)
    clustered, alone = total(run, qrels, cluster="topic"), total(run, qrels)
    for name, value in alone.items():
        assert clustered[name] == (pytest.approx(value, rel=1e-12) if isinstance(value, float) else value), name


def test_a_weighted_query_counts_in_its_cluster_as_it_weighs() -> None:
    # twice the weight is twice the query; where clusters are of equal weight, each is one of three
    run, qrels = tables(["a", "b", "b", "c"], [1, 2, 4, 6], {"traffic": [2.0, 1.0, 1.0, 2.0]})
    doubled = tables(["a", "a", "b", "b", "c", "c"], [1, 1, 2, 4, 6, 6])
    weighed, twice = total(run, qrels, cluster="topic", weight="traffic"), total(*doubled, cluster="topic")
    for name in ("value", "stderr", "ci_low", "ci_high"):
        assert weighed[name] == pytest.approx(twice[name], rel=1e-12)


def test_segments_have_their_own_clusters_and_the_total_keeps_those_that_cross() -> None:
    names, values = ["a", "a", "b", "b", "c", "c"], [1.0, 2.0, 3.0, 5.0, 4.0, 9.0]
    run, qrels = tables(names, values, {"country": ["de", "fr"] * 3})
    with sqlrank.evaluate(run, qrels, METRIC, by="country", cluster="topic") as result:
        rows = {row["country"] or "": row for row in result.to_dicts()}
        assert "topic" not in result.rows.columns
        assert result.per_query.columns[:4] == ["system", "query_id", "country", "topic"]
    assert rows[""]["stderr"] == total(run, qrels, cluster="topic")["stderr"]
    alone = total(*tables(names[::2], values[::2]))
    assert rows["de"]["stderr"] == pytest.approx(alone["stderr"], rel=1e-12)


def test_the_output_says_how_many_clusters_there_are() -> None:
    names = [f"q{place}" for place in range(6)]
    write_csv("run.csv", ("query_id", "doc_id", "score"), [(name, "d", 1) for name in names[:4]])
    write_csv("qrels.csv", ("query_id", "doc_id", "relevance"), [(name, "d", 1) for name in names])
    topics = [(name, f"it's {place // 2}") for place, name in enumerate(names)]
    write_csv("queries.csv", ("query_id", "the topic"), topics)
    asked = "eval run.csv --qrels qrels.csv -m ap --queries queries.csv --cluster".split()
    shown = completed(*asked, "the topic")
    assert "robust to 3 clusters of queries (--cluster 'the topic')" in shown.out
    assert "column of that name" in error_of(2, *asked, "rank")
    assert "it is a segment too" in error_of(2, *asked, "the topic", "--by", "the topic")


def test_a_query_without_results_is_a_cluster_of_its_own_and_a_note_says_so() -> None:
    run, qrels = tables(*drawn(30, 4, 1))
    with sqlrank.evaluate(run.slice(2), qrels, METRIC, cluster="topic") as result:
        assert result.clusters == 32
        assert any(note.startswith("2 queries without results count as clusters") for note in result.notes)


def test_a_query_without_a_cluster_is_an_error() -> None:
    with pytest.raises(sqlrank.DataError, match="1 query has no value in the column topic, such as query 'q00001'"):
        total(*tables(["a", None, "b"], [1, 2, 3]), cluster="topic")


def test_one_cluster_has_no_interval() -> None:
    run, qrels = tables(["a", "a", "a"], [1, 2, 3])
    with sqlrank.evaluate(run, qrels, METRIC, cluster="topic") as result:
        assert [row["ci_low"] for row in result.to_dicts()] == [None]
        assert "1 mean has no interval, as one cluster has nearly all of the weight" in result.notes


def test_stored_rows_are_compared_by_their_clusters(tmp_path: Path) -> None:
    names, values = drawn(20, 3, 2)
    files = []
    for system, shift in (("a", 0.0), ("b", 0.5)):
        run, qrels = tables(names, [value + shift * (place % 2) for place, value in enumerate(values)])
        files.append(tmp_path / f"{system}.parquet")
        with sqlrank.evaluate(systems={system: run}, qrels=qrels, metrics=METRIC, cluster="topic") as result:
            write_per_query(result, "parquet", str(files[-1]))
    with sqlrank.compare(files, cluster="topic") as comparison:
        assert any(line.startswith("20 clusters of queries") for line in comparison.remarks())
    with pytest.raises(sqlrank.DataError, match="without cluster='user'"):
        sqlrank.compare(files, cluster="user")


def test_what_knows_no_clusters_refuses_them() -> None:
    with pytest.raises(sqlrank.UsageError, match="cluster=: a statement takes queries as independent"):
        sqlrank.sql("run", "qrels", ["ap"], cluster="topic")
    with pytest.raises(sqlrank.UsageError, match="cluster=: a macro gives a row for each query"):
        sqlrank.macros(cluster="topic")
    with pytest.raises(sqlrank.UsageError, match="cluster= is not for Spark"):
        sqlrank.evaluate("run.parquet", "qrels.parquet", ["ap"], cluster="topic", engine="local[1]")


@pytest.mark.needs("simulation")
def test_intervals_of_clustered_means_cover_as_often_as_they_say() -> None:
    """2,000 experiments: the standard error of 95 % is half a point, and the bounds three of them away."""
    rng = np.random.default_rng(5)
    trials, clusters, variants = 2000, 12, 5
    shape = (trials, clusters * variants)
    values = 9 + np.repeat(rng.normal(size=(trials, clusters)), variants, axis=1) + rng.normal(size=shape)
    topics = [f"e{trial}t{place // variants}" for trial in range(trials) for place in range(shape[1])]
    experiments = [f"e{trial}" for trial in range(trials) for _ in range(shape[1])]
    run, qrels = tables(topics, np.maximum(0, values).ravel().tolist(), {"experiment": experiments})

    def coverage(**options: Any) -> float:
        with sqlrank.evaluate(run, qrels, METRIC, by="experiment", **options) as result:
            rows = [row for row in result.to_dicts() if not row["is_total"]]
        return float(np.mean([row["ci_low"] <= 9 <= row["ci_high"] for row in rows]))

    clustered = coverage(cluster="topic")
    assert clustered == pytest.approx(0.95, abs=0.015)
    assert_stated(
        100 * clustered, "explanation/comparison.md", "the interval covers the mean in # % of 2,000 experiments"
    )
    assert_stated(100 * coverage(), "explanation/comparison.md", "without `--cluster` it does so in # %")
