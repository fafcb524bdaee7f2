"""How Spark runs a printed statement: how often rows move between machines, and how often each relation is read."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import sqlrank
from sqlrank.engines.spark_jobs import Jobs
from tests.support.cases import arrow, random_data, rows_of
from tests.support.engines import session

pytestmark = [pytest.mark.parametrize("engine", ["spark"], indirect=True)]
RUN, QRELS = random_data(61)
TABLES = {
    "found": (rows_of(RUN), ("query_id", "doc_id", "score")),
    "judged_rows": (rows_of(QRELS), ("query_id", "doc_id", "relevance")),
}
THRESHOLD = "spark.sql.autoBroadcastJoinThreshold"


@pytest.fixture(params=["10MB", "-1"], ids=["with broadcast joins", "without broadcast joins"])
def broadcast(request: pytest.FixtureRequest, engine: str) -> Iterator[None]:
    """Whether a small relation is sent to every machine, where that saves moving the rows of a large one."""
    connection = session(engine)
    connection.run(f"set {THRESHOLD}={request.param}")
    yield
    connection.run(f"reset {THRESHOLD}")


def plan_of(engine: str, statement: str) -> str:
    """The physical plan of a statement."""
    ((text,),) = session(engine, **TABLES).query(f"explain\n{statement}")[1]
    return str(text)


@pytest.mark.parametrize(
    ("metrics", "options", "exchanges"),
    [
        (["ndcg@10", "ap"], {}, 1),
        (["ndcg@10"], {}, 2),
        (["ndcg(gain=exp2)@10", "recall@100", "rr"], {"order": "asc"}, 1),
        (["p@10", "recall@100"], {"ties": "doc-asc"}, 3),
    ],
    ids=lambda value: ", ".join(value) if isinstance(value, list) else "",
)
def test_rows_are_moved_once_for_each_grouping_and_read_once(
    engine: str, broadcast: None, metrics: list[str], options: dict[str, Any], exchanges: int
) -> None:
    plan = plan_of(engine, sqlrank.sql("found", "judged_rows", metrics, dialect="spark", **options))

    assert len(re.findall(r"\bExchange\b|BroadcastExchange", plan)) == exchanges
    assert len(re.findall(r"FileScan", plan)) == 2


def test_a_ranking_is_cut_before_its_rows_are_moved(engine: str) -> None:
    plan = plan_of(engine, sqlrank.sql("found", "judged_rows", "ndcg@10", dialect="spark"))

    before = plan[plan.index("Exchange hashpartitioning") :]
    assert re.search(r"WindowGroupLimit .*row_number\(\), 10, Partial", before[before.rindex("Exchange hashpart") :])


def test_rankings_are_not_sorted_to_be_joined_with_judgments(engine: str) -> None:
    connection: Any = session(engine, **TABLES)
    spark = connection.spark
    with sqlrank.evaluate(spark.table("found"), spark.table("judged_rows"), ["ndcg@10", "ap"], engine=spark) as result:
        ((plan,),) = connection.query(f"explain\n{result.sql}")[1]

    assert re.search(r"ShuffledHashJoin \[query_id\S+, doc_id\S+\], \[[^]]*\], LeftOuter, BuildRight", plan)
    assert not re.search(r"SortMergeJoin \[query_id\S+, doc_id", plan)


def test_an_evaluation_with_checks_reads_its_files_once_and_runs_few_stages(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection: Any = session(engine)
    spark = connection.spark
    paths = [str(tmp_path / f"{name}.parquet") for name in TABLES]
    for path, (rows, columns) in zip(paths, TABLES.values(), strict=True):
        pq.write_table(arrow(rows, *columns), path)
    groups: list[str] = []

    def prepared(jobs: Jobs, group: str, work: Any, before: Any = Jobs.prepared) -> Any:
        groups.append(group)
        return before(jobs, group, work)

    def add(result: sqlrank.Result, *rest: Any, before: Any = sqlrank.Result.add) -> None:
        for path in paths:
            os.remove(path)
        before(result, *rest)

    wanted = dict(sqlrank.evaluate(*paths).rows.select("metric, value").fetchall())
    monkeypatch.setattr(Jobs, "prepared", prepared)
    monkeypatch.setattr(sqlrank.Result, "add", add)
    with sqlrank.evaluate(*paths, engine=spark) as result:
        assert dict(result.rows.select("metric, value").fetchall()) == pytest.approx(wanted, abs=1e-12)
    tracker = spark.sparkContext.statusTracker()
    jobs = [tracker.getJobInfo(job) for group in groups for job in tracker.getJobIdsForGroup(group)]
    stages = [tracker.getStageInfo(stage) for stage in {stage for job in jobs for stage in job.stageIds}]
    assert 10 < sum(stage is not None and stage.numCompletedTasks > 0 for stage in stages) <= 20
