"""Spark gives what DuckDB gives: numbers, findings, outputs; and what it does not do it refuses.

All tests share one session of Spark, in which a small evaluation takes seconds, so each looks at much at once.
"""

from __future__ import annotations

import json
import math
import os
import random
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

import sqlrank
from sqlrank.engines.spark import SparkEngine
from sqlrank.inputs import near_ids, spark_files
from tests.inputs.test_checks import BAD, FINDINGS, UNREADABLE, Case
from tests.inputs.test_partial_matches import WAYS
from tests.support.cases import BROAD, LINEAR, SOME, arrow, random_data, rows_of, texts
from tests.support.cli_helper import FIXTURES, error_of, run_cli
from tests.support.components import package
from tests.support.spark import MASTER, spark_session
from tests.whole.test_worked_examples import GRADED, GRADED_LEFT, HALF, LETTERS, SHIFTED, ranked

pytestmark = [
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]

SEARCH = FIXTURES / "search"
RUN, QRELS = random_data(31)
RUN_COLUMNS = ("query_id", "doc_id", "score")
QRELS_COLUMNS = ("query_id", "doc_id", "relevance")


@pytest.fixture(scope="session")
def spark() -> Any:
    """The session of all tests."""
    return spark_session()


def close(value: Any, wanted: Any) -> bool:
    """Whether two values agree: numbers to 1e-9."""
    if isinstance(value, float) and isinstance(wanted, float):
        return math.isclose(value, wanted, rel_tol=1e-9, abs_tol=1e-9)
    return bool(value == wanted)


def assert_same_rows(found: list[dict[str, Any]], wanted: list[dict[str, Any]]) -> None:
    """Compare rows one by one, in order."""
    assert len(found) == len(wanted) > 0
    different = [
        f"{name}: {one[name]} instead of {value} in {row}"
        for one, row in zip(found, wanted, strict=True)
        for name, value in row.items()
        if not close(one[name], value)
    ]
    assert not different, f"{len(different)} values differ, such as {different[0]}"


def listed(rows: Any) -> list[dict[str, Any]]:
    """The rows of a relation."""
    return [dict(zip(rows.columns, row, strict=True)) for row in rows.iter_rows()]


def left(spark: Any) -> list[str]:
    """The views of sqlrank that are still there."""
    return [row.tableName for row in spark.sql("show tables").collect() if "sqlrank" in row.tableName]


def both(spark: Any, run: Any, qrels: Any, metrics: Any, spark_inputs: Any = None, **options: Any) -> sqlrank.Result:
    """Evaluate on both engines, compare all that they give, and return what Spark gave."""
    theirs = spark_inputs or (run, qrels)
    found = sqlrank.evaluate(theirs[0], theirs[1], metrics, engine=spark, **options)
    with sqlrank.evaluate(run, qrels, metrics, **options) as wanted:
        assert_same_rows(listed(found.rows), listed(wanted.rows))
        assert_same_rows(listed(found.per_query_rows), listed(wanted.per_query_rows))
        assert list(found.counts.items()) == list(wanted.counts.items())
        assert (found.remarks(), found.notes) == (wanted.remarks(), wanted.notes)
    return found


CONVENTIONS: list[dict[str, Any]] = [
    {},
    {"ties": "worst", "unjudged": "remove", "depth": 3, "query_set": "run", "empty": "one"},
    {"order": "asc", "rel": 2, "query_set": "shared", "empty": "skip", "score_type": "float", "ties": "doc-asc"},
]


@pytest.mark.parametrize("conventions", CONVENTIONS, ids=str)
def test_metrics_agree_under_the_conventions(spark: Any, conventions: dict[str, Any]) -> None:
    both(spark, RUN, QRELS, texts(SOME if conventions else BROAD), **conventions).close()


def test_mean_over_the_orders_of_ties_agrees(spark: Any) -> None:
    both(spark, RUN, QRELS, texts(LINEAR[::8]), ties="average").close()


def test_ids_that_match_in_part_are_counted_and_shown_as_on_duckdb(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    run, qrels = dict[str, dict[str, float]](), dict[str, dict[str, int]]()
    for way, (ids_of, spoil) in WAYS.items():
        ids = [ids_of(number) for number in range(10)]
        run[way] = {spoil(text) if place < 3 else text: 1.0 / (place + 1) for place, text in enumerate(ids)}
        qrels[way] = dict.fromkeys(ids, 1)
    with both(spark, run, qrels, "rr") as found:
        (note,) = [note for note in found.notes if "would match" in note]
        assert f": {3 * len(WAYS)} judged documents are not in the run" in note
    monkeypatch.setattr(near_ids, "MOST_FETCHED", 80)
    with sqlrank.evaluate(run, qrels, "rr", engine=spark) as found:
        assert ": at least " in "".join(found.notes)


def test_worked_examples_have_their_values(spark: Any) -> None:
    cases = [
        (LETTERS, [], "dcg@5", 15.455477895111388),
        (LETTERS, [], "ndcg(gain=exp2, ideal=retrieved)@5", 0.5225012262334338),
        (GRADED, GRADED_LEFT, "ndcg@6", 0.8183541904922859),
        (GRADED, GRADED_LEFT, "ndcg(gain=exp2, discount=letor)@6", 0.7412574023460289),
        (SHIFTED, [], "ndcg(gain=exp2)@5", 0.8645478846264829),
        (HALF, [], "p@3", 0.6666666666666666),
        ([0, 1, 0, 1, 0], [1, 1], "ap", 0.25),
        ([0, 1, 0, 1, 0], [1, 1], "ap(norm=retrieved)", 0.5),
    ]
    pairs = {f"q{number}": ranked(found, missed) for number, (found, missed, _, _) in enumerate(cases)}
    run = {query: scores for query, (scores, _) in pairs.items()}
    qrels = {query: judgments for query, (_, judgments) in pairs.items()}

    with sqlrank.evaluate(run, qrels, sorted({case[2] for case in cases}), engine=spark) as result:
        values = result.to_dict()

    assert [values[f"q{number}"][text] for number, (_, _, text, _) in enumerate(cases)] == pytest.approx(
        [value for *_, value in cases], rel=1e-12
    )


def test_views_may_be_called_as_steps_are(spark: Any) -> None:
    run = arrow([("q1", "a", 2.0), ("q1", "b", 1.0), ("q2", "a", 1.0)], *RUN_COLUMNS)
    qrels = arrow([("q1", "b", 1.0), ("q2", "c", 1.0)], *QRELS_COLUMNS)
    with sqlrank.evaluate(run, qrels, "rr") as expected:
        values = sorted(row[1:] for row in expected.per_query.fetchall())
    spark.createDataFrame(run.to_pandas()).createOrReplaceTempView("run_rows")
    spark.createDataFrame(qrels.to_pandas()).createOrReplaceTempView("per_query")
    statement = sqlrank.sql("run_rows", "PER_QUERY", "rr", dialect="spark")
    assert [tuple(row) for row in sorted(spark.sql(statement).collect())] == values
    with sqlrank.evaluate(spark.table("run_rows"), spark.table("per_query"), "rr") as result:
        assert sorted(tuple(row)[1:] for row in result.per_query.collect()) == values
    for name in ("run_rows", "per_query"):
        spark.catalog.dropTempView(name)


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_queries_of_several_columns_agree(spark: Any, form: str, tmp_path: Path) -> None:
    rows = [(query, f"{len(query)},%", *rest) for query, *rest in rows_of(RUN)]
    judged = [(query, f"{len(query)},%", *rest) for query, *rest in rows_of(QRELS)]
    for name, names, data in (("run", RUN_COLUMNS, rows), ("qrels", QRELS_COLUMNS, judged)):
        frame = arrow(data, "user", "day", *names[1:]).to_pandas()
        path = tmp_path / f"{name}.{form}"
        if form == "jsonl":
            frame.to_json(path, orient="records", lines=True)
        else:
            getattr(frame, f"to_{form}")(path, index=False)
    columns = {"query_id": "user,day"}
    with both(spark, tmp_path / f"run.{form}", tmp_path / f"qrels.{form}", ["ndcg@5", "ap"], columns=columns) as result:
        assert result.per_query.columns[1:4] == ["query_id", "user", "day"]


def test_pairs_in_place_of_judgments_agree(spark: Any, tmp_path: Path) -> None:
    pairs = [(query, doc) for query, doc, relevance in rows_of(QRELS) if relevance > 0]
    arrow([*pairs, *pairs[::3]], "query_id", "doc_id").to_pandas().to_parquet(tmp_path / "pairs.parquet", index=False)
    both(spark, RUN, None, ["ndcg@5", "ap"], positives=tmp_path / "pairs.parquet").close()


def test_documents_that_weigh_agree(spark: Any, tmp_path: Path) -> None:
    judged = [(*row, len(row[1]) % 3 + 0.5, "de" if len(row[0]) % 2 else "fr") for row in rows_of(QRELS)]
    qrels = tmp_path / "qrels.parquet"
    pyarrow.parquet.write_table(arrow(judged, *QRELS_COLUMNS, "item_weight", "market"), qrels)
    weighed = ["ndcg(weight=item)@5", "ap(weight=item)", "pairwise_accuracy(weight=item)", "p(weight=item)@5", "ndcg@5"]
    both(spark, RUN, qrels, weighed, by="qrels.market").close()
    bad = tmp_path / "bad.parquet"
    pyarrow.parquet.write_table(arrow([(*judged[0][:3], float("nan"))], *QRELS_COLUMNS, "item_weight"), bad)
    with pytest.raises(sqlrank.DataError, match="not a number from 0 to 1e100"):
        sqlrank.evaluate(RUN, bad, weighed, engine=spark)


@pytest.mark.parametrize("kind", ["lists", "structs", "texts"])
def test_lists_of_documents_agree(spark: Any, kind: str, tmp_path: Path) -> None:
    kept = {query: {doc: score for doc, score in found.items() if doc == doc.strip()} for query, found in RUN.items()}
    ranked = [(query, sorted(found.items())) for query, found in kept.items()]
    rows: list[dict[str, Any]] = [
        {"query_id": query, "doc_ids": [doc for doc, _ in found], "scores": [score for _, score in found]}
        for query, found in ranked
    ]
    options = {}
    if kind == "structs":
        rows = [
            {"query_id": query, "results": [{"doc_id": doc, "score": score} for doc, score in found]}
            for query, found in ranked
        ]
    if kind == "texts":
        rows = [row | {name: "∥".join(map(str, row[name])) for name in ("doc_ids", "scores")} for row in rows]
        options = {"separator": "∥"}
    path = tmp_path / "run.parquet"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist([*rows, rows[0] | {"query_id": "none"}]), path)
    both(spark, path, QRELS, ["ndcg@5", "ap"], **options).close()


def test_data_frames_with_systems_segments_and_weights_agree(spark: Any) -> None:
    rng = random.Random(4)
    rows = [("one", *row, "de" if len(row[0]) % 2 else "it's") for row in rows_of(RUN)]
    rows += [("two é", query, doc, rng.randint(0, 4) / 8, market) for _, query, doc, _, market in rows]
    judged = [(*row, len(row[0]) % 3 + 0.5) for row in rows_of(QRELS)]
    run, qrels = arrow(rows, "system", *RUN_COLUMNS, "market"), arrow(judged, *QRELS_COLUMNS, "weight")
    frames = (spark.createDataFrame(run), spark.createDataFrame(qrels))
    options: dict[str, Any] = {"by": "market", "weight": "weight", "query_set": "shared"}

    result = both(spark, run, qrels, [*texts(SOME), "ap(mean=geometric)", "num_ret"], frames, **options)

    of_judged = sum(query in QRELS for _, query, _, _, market in rows[len(rows) // 2 :] if market == "it's")
    assert result.value("num_ret", "two é", market="it's") == of_judged > 0
    assert result.per_query.columns[:3] == ["system", "query_id", "market"]
    assert result.per_query.where("system = 'one'").count() == len(set(RUN) & set(QRELS))
    result.close()
    assert left(spark) == []


def test_frames_and_tables_need_no_engine_to_be_named(spark: Any) -> None:
    run, qrels = (spark.read.parquet(str(SEARCH / f"{name}.parquet")) for name in ("keyword", "qrels"))
    qrels.write.saveAsTable("judged_here")
    run.createOrReplaceTempView("found_here")
    metrics = ["ndcg@10", "entropy@10", "personalization@10"]

    with (
        sqlrank.evaluate(str(SEARCH / "keyword.parquet"), str(SEARCH / "qrels.parquet"), metrics) as wanted,
        sqlrank.evaluate(run, qrels, metrics) as framed,
        sqlrank.evaluate("found_here", "default.judged_here", metrics, engine=spark) as named,
    ):
        values = [row["value"] for row in listed(wanted.rows)]
        assert [row["value"] for row in listed(framed.rows)] == pytest.approx(values, rel=1e-9)
        assert [row["value"] for row in listed(named.rows)] == pytest.approx(values, rel=1e-9)
        assert (framed.systems, named.systems) == (["run"], ["found_here"])
        assert "row_number() over" in named.sql
        with pytest.raises(sqlrank.UsageError, match="explain runs in DuckDB"):
            named.explain("q0001")
        with pytest.raises(sqlrank.UsageError, match="charts and reports are made in DuckDB"):
            named.plot.distribution()
        assert [row["value"] for row in named.to_dicts()] == pytest.approx(values, rel=1e-9)
        assert "found_here" in named._repr_html_()


def test_frames_of_other_libraries_are_inputs(spark: Any) -> None:
    import pandas
    import polars

    run = polars.DataFrame(arrow(rows_of(RUN), *RUN_COLUMNS))
    qrels = pandas.DataFrame(rows_of(QRELS), columns=list(QRELS_COLUMNS)).astype({"query_id": "category"})
    queries = arrow([(query, "de" if len(query) % 2 else None) for query in QRELS], "query_id", "market")

    both(spark, run, qrels, ["ndcg@10"], queries=queries, by="market").close()
    with pytest.raises(sqlrank.UsageError, match="a set cannot be read by Spark"):
        sqlrank.evaluate({1}, qrels, engine=spark)


def written(folder: Path) -> None:
    """The same rows in every text format, with values that need quotes."""
    rows = [("q,1", 'd "x"', 2.0), ("q,1", "007", 1.5), ("007", " padded", 0.25), ("007", "7", -1.0)]
    judged = [("q,1", "007", 1.0), ("007", "7", 2.0)]
    for name, table in (("run", rows), ("qrels", judged)):
        value = "score" if name == "run" else "relevance"
        quoted = [f'"{query}","{doc.replace(chr(34), chr(34) * 2)}",{number}' for query, doc, number in table]
        for kind, mark in (("csv", ","), ("tsv", "\t")):
            lines = [mark.join(("query_id", "doc_id", value)), *(line.replace('",', f'"{mark}') for line in quoted)]
            (folder / f"{name}.{kind}").write_text("\r\n".join(lines) + "\r\n", encoding="utf-8")
        records = [json.dumps({"query_id": query, "doc_id": doc, value: number}) for query, doc, number in table]
        (folder / f"{name}.jsonl").write_text("\n\n".join(records) + "\n", encoding="utf-8")
        (folder / f"{name}_lines.csv").write_text(
            (folder / f"{name}.csv").read_text(encoding="utf-8").replace("padded", "pad\nded"), encoding="utf-8"
        )
    (folder / "run.trec").write_text("# a run\nq1 Q0 d1 1 2.5 tag\nq1\tQ0  d2 2 1.5 tag \n\n", encoding="utf-8")
    (folder / "qrels.trec").write_text("q1 0 d2 1\nq1 0 d1 0\n", encoding="utf-8")


@pytest.mark.parametrize("run", ["run.csv", "run.tsv", "run.jsonl", "run_lines.csv", "run.trec"])
def test_formats_are_read_alike(spark: Any, run: str, tmp_path: Path) -> None:
    written(tmp_path)
    qrels = str(tmp_path / run.replace("run", "qrels"))

    both(spark, str(tmp_path / run), qrels, ["ndcg@10", "rr", "num_ret"]).close()


def test_a_folder_of_partitions_a_glob_and_a_condition_agree(spark: Any, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    rows = rows_of(RUN)
    for number in range(3):
        (tmp_path / "run" / f"market=m{number}").mkdir(parents=True)
        part = arrow([row for row in rows if len(row[0]) % 3 == number], *RUN_COLUMNS)
        pq.write_table(part, tmp_path / "run" / f"market=m{number}" / "part-0.parquet")
        lines = [f"{query}\t{doc}\t{float(relevance)}" for query, doc, relevance in rows_of(QRELS)[number::3]]
        text = "\n".join(["query_id\tdoc_id\trelevance", *(line for line in lines if '"' not in line)])
        (tmp_path / f"qrels-{number}.tsv").write_text(text + "\n", encoding="utf-8")
    judged = str(tmp_path / "qrels-*.tsv")
    condition = "\"market\" <> 'm1' and score > -5"

    both(spark, str(tmp_path / "run"), judged, "ndcg@10", where=condition, by="market", query_set="run").close()


@pytest.mark.parametrize(
    ("folder", "file"), [("query_id=q9", "run.parquet"), ("Score=9", "run.parquet"), ("score=9", "run.csv")]
)
def test_a_partition_that_is_called_as_a_column_of_its_files_is_refused(
    spark: Any, folder: str, file: str, tmp_path: Path
) -> None:
    import pyarrow.parquet as pq

    (tmp_path / "run" / folder).mkdir(parents=True)
    path = tmp_path / "run" / folder / file
    if file.endswith(".csv"):
        path.write_text("query_id,doc_id,score\nq1,a,2\nq1,b,1\n", encoding="utf-8")
    else:
        pq.write_table(arrow([("q1", "a", 2.0), ("q1", "b", 1.0)], *RUN_COLUMNS), path)

    with pytest.raises(sqlrank.DataError, match=f"the folder {folder} and the column"):
        sqlrank.evaluate(str(tmp_path / "run"), {"q1": {"b": 1}}, "rr", engine=spark)
    with sqlrank.evaluate(str(path), {"q1": {"b": 1}}, "rr", engine=spark) as result:
        assert result["rr"] == 0.5


@pytest.mark.parametrize(("first", "second"), [("int64", "float64"), ("float64", "int64"), ("float32", "float64")])
def test_files_whose_scores_would_lose_something_in_one_type_are_refused(
    spark: Any, first: str, second: str, tmp_path: Path
) -> None:
    import pyarrow.parquet as pq

    for name, kind, documents in (("a", first, {"a": 3}), ("b", second, {"x": 2, "c": 1})):
        found = arrow([(f"q{name}", doc, float(score)) for doc, score in documents.items()], *RUN_COLUMNS)
        typed = found.set_column(2, "score", found.column("score").cast(kind))
        pq.write_table(typed, tmp_path / f"{name}.parquet")

    with pytest.raises(sqlrank.DataError, match=r"b\.parquet"):
        sqlrank.evaluate(str(tmp_path / "*.parquet"), {"qb": {"c": 1}}, "rr", engine=spark)


def test_a_statement_with_a_condition_is_stopped_after_its_time(spark: Any) -> None:
    from pyspark.sql.functions import udf

    def slowly(number: int) -> float:
        time.sleep(0.3)
        return float(number)

    slow = udf(lambda number: slowly(number), "double")
    rows = spark.range(60).selectExpr("'q' as query_id", "cast(id as string) as doc_id", "id")
    run = rows.withColumn("score", slow("id"))

    began = time.monotonic()
    with pytest.raises(sqlrank.UsageError, match="ran for more than 2 seconds; raise the limit"):
        sqlrank.evaluate(run, {"q": {"1": 1}}, "rr", engine=spark, where="id >= 0", sql_time_limit=2)
    assert time.monotonic() - began < 10
    assert spark.range(3).count() == 3, "the session is of use as before"


SPARKS_WORDS = {"the gzip stream is cut short": "end of input stream"}
"""What Spark says where the words are those of the engine."""
NOT_ON_SPARK = {
    "run_place_without_id.jsonl --qrels qrels.csv",
    "run.csv --qrels qrels_one_end.csv",
    "run.csv --qrels qrels_label_outside.csv",
    "run.csv --qrels qrels.csv --items items_bad_vector.csv -m ild@2",
    "run.csv --qrels qrels.csv --items items_uneven_vectors.csv -m ild@2",
}
"""Spark reads no lists of JSON, draws no labels from their intervals, and is given no vectors."""
BAD_CASES = [
    pytest.param(case, id=case.arguments)
    for case in FINDINGS + UNREADABLE
    if "--cluster" not in case.arguments and case.arguments not in NOT_ON_SPARK
]
"""Every case but those of clusters, which Spark refuses whatever the files hold."""


@pytest.mark.parametrize("case", BAD_CASES)
def test_bad_input_is_refused_with_what_where_and_what_to_do(
    spark: Any, case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(BAD)

    said = error_of(case.code, "eval", *case.arguments.split(), "--spark", MASTER)

    assert said.startswith("sqlrank: error: ")
    assert said.count("\n") == 1
    for fragment in case.fragments:
        assert SPARKS_WORDS.get(fragment, fragment) in said


def test_a_session_that_refuses_what_a_condition_needs_ends_the_call(
    spark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    conf = type(spark.conf)
    before = conf.set

    def refused(self: Any, name: str, value: Any) -> None:
        if name.endswith(("doubleQuotedIdentifiers", "autoBroadcastJoinThreshold")):
            raise RuntimeError(f"{name} cannot be changed")
        before(self, name, value)

    monkeypatch.setattr(conf, "set", refused)
    both(spark, RUN, QRELS, "ndcg@10").close()
    rows = spark.createDataFrame(arrow(rows_of(RUN), *RUN_COLUMNS))
    with pytest.raises(RuntimeError, match="doubleQuotedIdentifiers cannot be changed"):
        sqlrank.evaluate(rows, QRELS, "ap", where='"score" > 0')


def test_files_have_the_usual_tasks_unless_they_are_small_or_a_task_would_read_more_than_8_mb(spark: Any) -> None:
    engine, usual = SparkEngine(spark), int(spark.conf.get("spark.sql.shuffle.partitions"))

    assert engine.tasks([100, 200]) == 1
    assert engine.tasks([100, None]) == usual
    assert engine.tasks([usual << 20]) == usual
    assert engine.tasks([7 * usual << 20, 8 * usual << 20]) == 15 * usual // 8


def test_a_row_is_told_by_its_place_in_the_file_and_an_id_by_its_type(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sqlrank.engines.spark.SMALL_PIECE", 64)
    lines = ["query_id,doc_id,score", *(f"q{row * 7 % 41},d{row},{row}" for row in range(400))]
    lines[256] = "q3,d255,high"
    (tmp_path / "run.csv").write_text("\n".join(lines), encoding="utf-8")
    judged = arrow([("q1", "d1", 1.0)], *QRELS_COLUMNS)
    with pytest.raises(
        sqlrank.DataError, match=r"line 257: 1 of 400 scores .* document 'd255' of query 'q3' has 'high'"
    ):
        sqlrank.evaluate(str(tmp_path / "run.csv"), spark.createDataFrame(judged), "ap", engine=spark)
    with pytest.raises(sqlrank.DataError, match=r"the run has '7' \(bigint\), the judgments have 'x' \(varchar\)"):
        sqlrank.evaluate(
            spark.createDataFrame([(7, "a", 1.0)], RUN_COLUMNS),
            spark.createDataFrame([("x", "a", 1.0)], QRELS_COLUMNS),
            "ap",
        )


OWN = """{#
title = "rank of the first relevant document"
params = { rel = 1 }
reads = ["hit"]
summary = "mean"
formula = "smallest rank of a hit"
citation = "house rule 7"
#}
min(case when {{ hit | ident }} > 0 then place end)
"""
REFUSED = [
    (["-"], "standard input is not for Spark; name a file or a table"),
    (["run.csv", "--database", "x.duckdb"], "--database is not for Spark"),
    (["run.csv", "--ties", "input"], "--ties input is not for Spark; rows in Spark have no order"),
    (["run.csv", "--like", "ranx"], "--ties input is not for Spark"),
    (["run.csv", "--duplicates", "first"], "--duplicates first is not for Spark"),
    (["run.csv", "--threads", "2"], "--threads is not for Spark; name the cores with --spark 'local[4]'"),
    (["run.csv", "--memory-limit", "1GB"], "--memory-limit is not for Spark; set spark.driver.memory"),
    (["run.csv", "--temp-dir", "/tmp"], "--temp-dir is not for Spark; set spark.local.dir"),
    (["run.csv", "--show-sql"], "sqlrank sql RUN --dialect spark"),
    (["run.csv", "--engine", "duckdb"], "is for --engine spark"),
    (["run.csv", "--engine", "sparc"], "did you mean spark?"),
    (["run.csv", "--metrics-dir", "mine", "-m", "first_hit"], "--metrics-dir is not for Spark; only DuckDB can keep"),
    (["run.csv", "--per-query", "run.csv"], "run.csv is an input or another output and will not be overwritten"),
    (["data/*.csv", "--per-query", "data"], "data is an input or another output"),
    (["run.csv", "--per-query", "here"], "here exists already, and is not a folder that Spark wrote"),
]


@pytest.mark.parametrize(("arguments", "said"), REFUSED, ids=lambda value: " ".join(value[1:])[:30])
def test_what_only_duckdb_does_is_refused_before_spark_is_started(
    arguments: list[str], said: str, tmp_path: Path
) -> None:
    package("pyspark", "spark")
    (tmp_path / "here").write_text("mine", encoding="utf-8")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "first_hit.sql").write_text(OWN, encoding="utf-8")

    assert said in error_of(2, "eval", *arguments, "--qrels", "qrels.csv", "--spark", "local[3]")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("run.json", '{"q1": {"d1": 0.9}, "q2": {"d1": 0.8}}\n', "Spark does not read JSON of dictionaries"),
        ("run.txt", "2 qid:1 1:0.1 2:0.3\n", r"Spark does not read LETOR \(svmlight\)"),
        ("run.trec", "2 qid:1 1:0.1 2:0.3 3:0 4:1\n", r"Spark does not read LETOR \(svmlight\)"),
        ("u.data", "1\t2\t3\t881250949\n", "Spark does not read ratings of MovieLens"),
        ("a.inter", "user_id:token\titem_id:token\n1\t2\n", "Spark does not read an atomic file of RecBole"),
        ("run.csv", "Query Text,Doc ID,Doc Position\nq1,d1,1\n", "Spark does not read an export of Quepid"),
        ("run.lz4", "x", "Spark does not read ranx"),
        ("a.json", '{"requests": [{"id": "q", "ratings": []}]}', "Spark does not read a request of _rank_eval"),
        ("run.csv", "sep=;\nquery_id;doc_id;score\nq1;d1;2\n", "'sep=;' is above the header, which Spark does not"),
        ("run.csv", "# of Monday\nquery_id,doc_id,score\nq1,d1,2\n", "'# of Monday' is above the header"),
        ("run.csv", "query_id;doc_id;score\nq1;d1;2,5\n", "document 'd1' of query 'q1' has '2,5'"),
        ("run.csv", ",query_id,doc_id,score\n0,q1,d1,2\n", "a column without a name, which Spark does not read"),
    ],
)
def test_text_of_other_tools_is_refused_by_name_on_spark_too(
    name: str, text: str, said: str, spark: Any, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(sqlrank.SqlrankError, match=said):
        sqlrank.evaluate(str(tmp_path / name), {"q1": {"d1": 1}}, "rr", engine=spark)


def test_the_order_of_rows_is_no_rank_on_spark(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "run.csv").write_text("query_id,doc_id\nq1,d9\nq1,d1\n")
    with pytest.raises(
        sqlrank.UsageError, match=r"run\.csv is read by Spark, where rows have no order; give it a column"
    ):
        sqlrank.evaluate(str(tmp_path / "run.csv"), {"q1": {"d1": 1}}, "rr", engine=spark, columns={"rank": "(row)"})


def test_scores_of_lines_are_refused_on_spark(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text("1 qid:1 1:0.5\n")
    with pytest.raises(sqlrank.UsageError, match=r"train\.txt: Spark does not read LETOR, of whose lines scores= are"):
        sqlrank.evaluate(str(tmp_path / "train.txt"), metrics="rr", scores=[1.0], engine=spark)


def test_a_format_that_spark_does_not_read_is_refused_by_name(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(spark_files.READERS, "trec")

    with pytest.raises(sqlrank.UsageError, match=r"keyword.trec: Spark does not read TREC \(it reads parquet, csv"):
        sqlrank.evaluate(str(SEARCH / "keyword.trec"), str(SEARCH / "qrels.csv"), "rr", engine=spark)


@pytest.mark.parametrize("engine", ["pandas", 3, "local", "spark://127.0.0.1:1"])
def test_an_engine_that_is_not_there_is_refused(engine: Any, spark: Any) -> None:
    with pytest.raises(sqlrank.UsageError, match=r"is not known|this process has a session at local|nothing answers"):
        sqlrank.evaluate(RUN, QRELS, engine=engine)


def test_sql_that_spark_cannot_run_is_told_without_its_stack(spark: Any) -> None:
    with pytest.raises(sqlrank.UsageError, match=r"where='nope > 1': .*`nope` cannot be resolved") as raised:
        sqlrank.evaluate(RUN, QRELS, where="nope > 1", engine=spark)

    assert raised.value.__suppress_context__
    assert "Project" not in str(raised.value)
    assert "at org.apache" not in str(raised.value)


def test_the_command_line_writes_what_duckdb_writes(spark: Any, tmp_path: Path) -> None:
    asked = [SEARCH / "keyword.parquet", "--qrels", SEARCH / "qrels.parquet", "-m", "ndcg@10", "-m", "ap"]
    gate = ["--fail-under", "ap=0.9"]
    ours = ["--per-query", tmp_path / "queries.parquet", "-o", tmp_path / "spark.txt", *gate]

    outcome = run_cli("eval", *asked, "--spark", MASTER, *ours)

    assert run_cli("eval", *asked, "-o", tmp_path / "duckdb.txt", *gate) == outcome
    assert (outcome.code, (tmp_path / "spark.txt").read_text()) == (4, (tmp_path / "duckdb.txt").read_text())
    assert (tmp_path / "queries.parquet" / "_SUCCESS").exists()
    assert not list(tmp_path.glob(".*"))
    wanted = run_cli("eval", *asked, "--per-query", "-", "--quiet")
    rows = spark.read.parquet(str(tmp_path / "queries.parquet")).collect()
    assert sorted(row.query_id for row in rows) == [row["query_id"] for row in wanted.table]
    assert run_cli("eval", *asked, "--spark", MASTER, "--per-query", "-", "--quiet").out == wanted.out


def test_per_query_rows_are_written_whole_or_not_at_all(spark: Any, tmp_path: Path) -> None:
    with sqlrank.evaluate({"q,1": {"d": 1.0}, 'r"': {"d": 1.0}}, {"q,1": {"d": 1}}, "ap", engine=spark) as result:
        for kind, content in (("csv", 'run,"q,1",1.0'), ("jsonl", '{"system":"run","query_id":"q,1","ap":1.0}')):
            for _ in range(2):
                assert result.save_per_query(kind, str(tmp_path / kind))
            parts = [path.read_text() for path in (tmp_path / kind).glob("part-*")]
            assert content in "".join(parts)
        with pytest.raises(sqlrank.UsageError, match="does not write latex"):
            result.save_per_query("latex", str(tmp_path / "latex"))
        with pytest.raises(sqlrank.ResourceError, match=r"the folder .* is not there"):
            result.save_per_query("csv", str(tmp_path / "nowhere" / "csv"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["csv", "jsonl"]


def test_trec_output_is_that_of_duckdb(spark: Any, tmp_path: Path) -> None:
    written(tmp_path)
    asked = ["eval", tmp_path / "run.trec", "--qrels", tmp_path / "qrels.trec", "--format", "trec", "-m", "map"]

    outcome = run_cli(*asked, "-m", "relstring@5", "--per-query", "-", "--spark", MASTER)

    assert outcome == run_cli(*asked, "-m", "relstring@5", "--per-query", "-")


def big(spark: Any, rows: int, path: Path) -> tuple[str, str]:
    """A run of so many rows, nearly all of them in one query, and judgments."""
    query = "case when id % 1000 = 0 then concat('q', id % 7000) else 'big' end as query_id"
    run = spark.range(rows).selectExpr(
        query, "concat('d', id) as doc_id", "cast(id * 7919 % 100003 as double) as score"
    )
    judged = spark.range(0, rows, 499).selectExpr(query, "concat('d', id) as doc_id", "id % 3 as relevance")
    run.write.parquet(str(path / "run.parquet"))
    judged.write.parquet(str(path / "qrels.parquet"))
    return str(path / "run.parquet"), str(path / "qrels.parquet")


def test_ctrl_c_cancels_the_jobs(spark: Any, tmp_path: Path) -> None:
    run, qrels = big(spark, 1_000_000, tmp_path)
    frames = [spark.read.parquet(path) for path in (run, qrels)]
    tracker = spark.sparkContext.statusTracker()
    told: list[Any] = []

    def tell() -> None:
        before: list[int] = []
        while not told:
            # a job that was there at the last look is not one that ends by itself before it is cancelled
            jobs = list(tracker.getActiveJobsIds())
            if jobs and jobs == before:
                told.extend([time.monotonic(), *jobs])
                os.kill(os.getpid(), signal.SIGINT)
            before = jobs
            time.sleep(0.1)

    # PySpark's own handling would cancel every job of the session.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=tell, daemon=True).start()
    try:
        with pytest.raises(KeyboardInterrupt):
            sqlrank.evaluate(frames[0], frames[1], "ap", checks=False)
    finally:
        signal.signal(signal.SIGINT, before)

    assert time.monotonic() - told[0] < 30
    assert {tracker.getJobInfo(job).status for job in told[1:]} == {"FAILED"}
    assert list(tracker.getActiveJobsIds()) == []
    assert spark.sql("select 1 as one").collect()[0].one == 1
    assert left(spark) == []


def test_a_query_of_millions_of_rows_is_survived(spark: Any, tmp_path: Path) -> None:
    run, qrels = big(spark, 2_000_000, tmp_path)

    both(spark, run, qrels, ["ndcg@10", "ap", "recall@100"]).close()


def test_a_session_that_was_passed_stays_as_it_was(spark: Any) -> None:
    before = dict(spark.conf.getAll)
    engine = SparkEngine(spark)
    engine.close()
    engine.close()

    assert dict(spark.conf.getAll) == before
    assert spark.range(3).count() == 3
