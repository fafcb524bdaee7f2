"""Clusters of related queries: beside statsmodels' robust errors, by hand, and by simulation."""

from __future__ import annotations

import math
from itertools import product
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
from tests.support.cli_helper import FIXTURES, error_of, run_cli
from tests.support.comparisons import METRIC, experiments, query_names
from tests.support.tables import each

SEARCH = FIXTURES / "search"


def clustered(
    clusters: list[str | None], first: list[float], second: list[float], other: dict[str, list[Any]] | None = None
) -> tuple[dict[str, pa.Table], pa.Table]:
    """Runs and judgments with these values and clusters of the queries, and other columns of the runs."""
    names = query_names(len(clusters))
    runs = {
        system: pa.table(
            {"query_id": names, "doc_id": [system] * len(names), "score": [1.0] * len(names), "topic": clusters}
            | (other or {})
        )
        for system in "ab"
    }
    judged = {"query_id": names * 2, "doc_id": ["a"] * len(names) + ["b"] * len(names), "relevance": [*first, *second]}
    return runs, pa.table(judged)


def found(runs: dict[str, pa.Table], qrels: pa.Table, **options: Any) -> dict[str, Any]:
    """The only row of a comparison."""
    with sqlrank.compare(systems=runs, qrels=qrels, metrics=METRIC, **options) as comparison:
        return comparison[METRIC]


def drawn(clusters: int, variants: int, seed: int) -> tuple[list[str | None], list[float], list[float]]:
    """Values whose differences have a part that the variants of a cluster share."""
    rng = np.random.default_rng(seed)
    names: list[str | None] = [f"t{number}" for number in range(clusters) for _ in range(variants)]
    shared = np.repeat(rng.normal(size=clusters), variants)
    first = 6 + rng.normal(size=len(names))
    second = first + shared + 0.5 * rng.normal(size=len(names))
    return names, np.maximum(0, first).tolist(), np.maximum(0, second).tolist()


def test_the_p_value_is_the_share_of_signs_of_whole_clusters_also_over_two_segments() -> None:
    # the sums of the clusters are 3, 2, -1 and 2
    names: list[str | None] = ["t1", "t1", "t2", "t2", "t3", "t4"]
    countries = {"country": ["de", "fr", "de", "fr", "de", "fr"]}
    runs, qrels = clustered(names, [1, 1, 1, 1, 2, 0], [2, 3, 2, 2, 1, 2], countries)
    sums = [abs(sum(map(math.prod, zip(signs, (3, 2, -1, 2), strict=True)))) for signs in product((1, -1), repeat=4)]
    for more in ({}, {"by": "country"}):
        row = found(runs, qrels, cluster="topic", **more)
        assert row["test"] == "randomization-exact"
        assert row["p_value"] == sum(value >= 6 for value in sums) / 16


def test_the_standard_error_is_that_of_robust_regression() -> None:
    # the jackknife of equal clusters is the robust error with C / (C - 1) of its variance, and C - 1 degrees of freedom
    names, first, second = drawn(30, 4, 1)
    row = found(*clustered(names, first, second), cluster="topic", test="t")
    groups = [int(str(name)[1:]) for name in names]
    differences = np.subtract(second, first)
    by_group = {"groups": groups, "use_correction": False}
    fitted = sm.OLS(differences, np.ones(len(names))).fit(cov_type="cluster", cov_kwds=by_group, use_t=True)
    stderr = float(fitted.bse[0]) * np.sqrt(30 / 29)
    assert row["p_value"] == pytest.approx(2 * stats.t.sf(abs(differences.mean()) / stderr, 29), rel=1e-9)
    margin = stats.t.ppf(0.975, 29) * stderr
    assert row["ci_high"] - row["difference"] == pytest.approx(margin, rel=1e-9)


@each(["randomization", "t", "bootstrap"])
def test_clusters_of_one_query_change_nothing(test: str) -> None:
    _, first, second = drawn(40, 1, 2)
    runs, qrels = clustered([*query_names(40)], first, second)
    alone, together = found(runs, qrels, test=test), found(runs, qrels, test=test, cluster="topic")
    for name in {*alone} - {"sqlrank_key", "sqlrank_two_valued"}:
        value = alone[name]
        assert together[name] == (pytest.approx(value, rel=1e-9) if isinstance(value, float) else value), name


@each(["randomization", "bootstrap"])
def test_randomization_and_bootstrap_are_those_of_the_means_of_equal_clusters_whatever_the_order(test: str) -> None:
    names, first, second = drawn(60, 5, 3)
    runs, qrels = clustered(names, first, second)
    row = found(runs, qrels, cluster="topic", test=test, threads=1)
    means = [np.reshape(values, (60, 5)).mean(axis=1).tolist() for values in (first, second)]
    alone = found(*clustered([*query_names(60)], *means), test=test)
    assert row["difference"] == pytest.approx(alone["difference"], rel=1e-9)
    assert row["p_value"] == pytest.approx(alone["p_value"], abs=0.015)
    assert row["ci_low"] == pytest.approx(alone["ci_low"], abs=0.03)
    turned = {system: table.take(list(range(table.num_rows))[::-1]) for system, table in runs.items()}
    assert found(turned, qrels, cluster="topic", test=test, threads=2)["p_value"] == row["p_value"]


def test_stored_rows_have_clusters_by_their_segments_and_the_output_says_how_many_there_are(tmp_path: Path) -> None:
    runs, qrels = clustered(*drawn(30, 4, 1))
    files = [tmp_path / f"{system}.parquet" for system in runs]
    for file, (system, table) in zip(files, runs.items(), strict=True):
        run = table.append_column("system", [[system] * table.num_rows])
        with sqlrank.evaluate(run, qrels, METRIC, by="topic") as result:
            write_per_query(result, "parquet", str(file))
    with sqlrank.compare(files, cluster="topic") as comparison:
        stored = comparison[METRIC]
    with sqlrank.compare(systems=runs, qrels=qrels, metrics=METRIC, cluster="topic") as comparison:
        direct = comparison[METRIC]
        assert any(line.startswith("30 clusters of queries (cluster='topic')") for line in comparison.remarks())
        assert "topic" not in comparison.rows.columns
    assert (stored["p_value"], stored["ci_low"]) == (direct["p_value"], direct["ci_low"])


def test_a_query_without_a_cluster_is_an_error_and_one_without_results_a_cluster_of_its_own() -> None:
    names: list[str | None] = ["t1", None, "t2"]
    with pytest.raises(sqlrank.DataError, match=r"1 query has no value in the column topic, such as query 'q00001'"):
        found(*clustered(names, [1, 2, 3], [2, 3, 4]), cluster="topic")
    runs, qrels = clustered(*drawn(30, 4, 1))
    runs = {system: table.slice(2) for system, table in runs.items()}
    with sqlrank.compare(systems=runs, qrels=qrels, metrics=METRIC, cluster="topic") as comparison:
        assert comparison[METRIC]["queries"] == 120
        assert any(line.startswith("32 clusters of queries") for line in comparison.remarks())
        assert sum(note.startswith("2 queries without results count as clusters") for note in comparison.notes) == 1


def test_tests_that_take_no_clusters_are_refused() -> None:
    request = ("compare", SEARCH / "keyword.parquet", SEARCH / "semantic.parquet", "--qrels", SEARCH / "qrels.parquet")
    for test in ("sign", "wilcoxon"):
        assert f"--test {test} takes no clusters" in error_of(2, *request, "--cluster", "topic", "--test", test)
    assert "it is a segment too" in error_of(2, *request, "--cluster", "topic", "--by", "topic")
    assert run_cli(*request, "--cluster", "topic").code == 3


ERRORS = {
    "randomization": "then err in # % (randomization)",
    "t": ", # % (t) and",
    "bootstrap": "and # % (bootstrap; 2,000 each",
}
"""What the documentation says of each test."""


def trials(clusters: int, variants: int, number: int, options: dict[str, Any]) -> float:
    """The share of experiments without a difference in which one is found."""
    rng = np.random.default_rng(clusters)
    shape = (number, clusters * variants)
    shared = np.repeat(rng.normal(size=(number, clusters)), variants, axis=1)
    values = {"a": 8 + rng.normal(size=shape), "b": 8 + rng.normal(size=shape) + shared}
    runs, qrels = experiments({name: np.maximum(0, column).tolist() for name, column in values.items()})
    topics = [f"e{trial}t{place // variants}" for trial in range(number) for place in range(clusters * variants)]
    runs = {name: table.append_column("topic", [topics]) for name, table in runs.items()}
    asked = options | {"by": "experiment", "correction": "none"}
    with sqlrank.compare(systems=runs, qrels=qrels, metrics=METRIC, **asked) as made:
        rows = [row for row in made.all_rows if not row["is_total"]]
    return float(np.mean([row["significant"] for row in rows]))


@pytest.mark.needs("simulation")
@pytest.mark.parametrize("test", ERRORS)
def test_ten_topics_of_five_variants_err_rarely(test: str) -> None:
    """2,000 experiments: the standard error of 5 % is half a point, and the bound of 6 % two of them above."""
    errors = trials(10, 5, 2000, {"test": test, "cluster": "topic", "replicates": 2000})
    assert errors <= 0.06
    assert_stated(100 * errors, "explanation/comparison.md", ERRORS[test])


@pytest.mark.needs("simulation")
def test_without_clusters_they_err_often() -> None:
    """2,000 experiments: the standard error of the share is a point at most."""
    errors = trials(10, 5, 2000, {"test": "t"})
    assert_stated(100 * errors, "explanation/comparison.md", "Student's t test then errs in # % of experiments")
