"""The files of the pages on schedulers and trackers, run by Airflow, Dagster and MLflow themselves."""

from __future__ import annotations

import hashlib
import re
import shutil
import sqlite3
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import duckdb
import pytest

import sqlrank
from tests.recipes.pages import RECIPES, write_files
from tests.recipes.pipelines import run_there
from tests.support.cli_helper import FIXTURES

SEARCH = FIXTURES / "search"
ENDS = (("", "value"), ("/ci_low", "ci_low"), ("/ci_high", "ci_high"))
GOOD, POOR = "2026-11-01", "2026-11-02"
ALARM = f"ndcg@10 is in alarm on {POOR}: "
WHY = f"ndcg@10 of {POOR} is 0.0566 below {GOOD}, more than 0.05"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The files of the page, and a lake of two days, the second of which is worse."""
    write_files(RECIPES / "airflow.md", tmp_path / "project")
    for day, system in {GOOD: "semantic", POOR: "keyword"}.items():
        (tmp_path / "lake" / "runs" / f"ds={day}").mkdir(parents=True)
        shutil.copy(SEARCH / f"{system}.parquet", tmp_path / "lake" / "runs" / f"ds={day}")
    shutil.copy(SEARCH / "qrels.parquet", tmp_path / "lake" / "qrels.parquet")
    return tmp_path / "project"


def assert_stored(lake: Path) -> None:
    """The rows of both days are stored, whether the gate held or not."""
    stored = f"select as_of::text, query_id, ndcg_at_10 from '{lake}/quality/*/*.parquet'"
    found = {(day, query): value for day, query, value in duckdb.execute(stored).fetchall()}
    wanted: dict[tuple[str, str], float] = {}
    for day, system in {GOOD: "semantic", POOR: "keyword"}.items():
        with sqlrank.evaluate(SEARCH / f"{system}.parquet", SEARCH / "qrels.parquet", ["ndcg@10"]) as result:
            wanted |= {(day, query): value["ndcg@10"] for query, value in result.to_dict().items()}
    assert found == pytest.approx(wanted)


def store_a_month(lake: Path) -> None:
    """Store the month before, on each day of which other queries, a hundredth of all, have no results."""
    for number in range(31):
        day = date(2026, 10, 1) + timedelta(days=number)
        kept = f"select * from '{SEARCH}/semantic.parquet' where hash(query_id || '{number}') % 100 > 0"
        days, metrics = {"production": duckdb.sql(kept)}, ["ndcg@10", "rr"]
        with sqlrank.evaluate(systems=days, qrels=SEARCH / "qrels.parquet", metrics=metrics) as result:
            result.store(lake / "quality", as_of=day)


def test_airflow_runs_a_day_and_fails_on_one_that_dropped(project: Path) -> None:
    lake = project.parent / "lake"
    settings = {
        "AIRFLOW_HOME": str(project.parent / "airflow"),
        "AIRFLOW__CORE__DAGS_FOLDER": str(project),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "LAKE": str(lake),
    }
    made = run_there(project, "airflow", "db", "migrate", **settings)
    assert made.returncode == 0, made.stdout
    good, poor = (
        run_there(project, "airflow", "dags", "test", "ranking_quality", day, **settings) for day in (GOOD, POOR)
    )

    assert good.returncode == 0, good.stdout
    assert (poor.returncode, f"AirflowFailException: {WHY}" in poor.stdout) == (1, True), poor.stdout
    assert ALARM not in poor.stdout
    assert_stored(lake)

    store_a_month(lake)
    poor = run_there(project, "airflow", "dags", "test", "ranking_quality", POOR, **settings)
    assert (poor.returncode, f"AirflowFailException: {ALARM}" in poor.stdout) == (1, True), poor.stdout


def test_dagster_makes_the_asset_of_a_day_and_fails_on_one_that_dropped(project: Path) -> None:
    lake = project.parent / "lake"
    (project.parent / "dagster").mkdir()
    settings = {"DAGSTER_HOME": str(project.parent / "dagster"), "LAKE": str(lake)}
    asked = ["dagster", "asset", "materialize", "-f", "ranking_assets.py", "--select", "ranking_quality", "--partition"]
    good, poor = (run_there(project, *asked, day, **settings) for day in (GOOD, POOR))

    assert (good.returncode, "Asset check 'gate' on 'ranking_quality' passed" in good.stdout) == (0, True), good.stdout
    assert (poor.returncode, f"did not pass. Description: '{WHY}'" in poor.stdout) == (1, True), poor.stdout
    assert_stored(lake)

    store_a_month(lake)
    poor = run_there(project, *asked, POOR, **settings)
    watched = re.search(r"Asset check 'watch' on 'ranking_quality' did not pass. Description: '(.*)'", poor.stdout)
    assert watched is not None, poor.stdout
    assert watched[1].startswith(ALARM)


def test_mlflow_has_a_run_for_each_system_with_all_that_makes_it_comparable(tmp_path: Path) -> None:
    write_files(RECIPES / "mlflow.md", tmp_path)
    shutil.copytree(SEARCH, tmp_path / "search")
    settings = {"MLFLOW_TRACKING_URI": "sqlite:///mlflow.db"}
    asked = [f"search/{name}.parquet" for name in ("qrels", "keyword", "semantic")]
    tracked = run_there(tmp_path, "python", "track.py", *asked, **settings)
    assert tracked.returncode == 0, tracked.stdout
    ranked = run_there(tmp_path, "python", "ranked.py", **settings)

    assert re.findall(r"^ *(\w+) +(0\.\d{4})\d* +([\w-]+)$", ranked.stdout, re.MULTILINE) == [
        ("semantic", "0.6456", "doc-desc"),
        ("keyword", "0.5890", "doc-desc"),
    ], ranked.stdout
    with closing(sqlite3.connect(tmp_path / "mlflow.db")) as store:
        metrics = dict(store.execute("select key, value from latest_metrics natural join runs where name = 'semantic'"))
        params = dict(store.execute("select key, value from params natural join runs where name = 'semantic'"))
        (folder,) = store.execute("select artifact_uri from runs where name = 'semantic'").fetchone()
    with sqlrank.evaluate(SEARCH / "semantic.parquet", SEARCH / "qrels.parquet", ["ndcg@10", "ap", "rr"]) as result:
        wanted = {f"{result.columns[row['metric']]}{end}": row[key] for row in result.to_dicts() for end, key in ENDS}
        conventions = {name: str(value) for name, value in result.conventions.to_dict().items()}
    assert metrics == pytest.approx(wanted)
    assert params.items() >= conventions.items()
    for name in ("qrels", "semantic"):
        data = (SEARCH / f"{name}.parquet").read_bytes()
        assert params[f"sha256/{name}.parquet"] == hashlib.sha256(data).hexdigest()
    stored = Path(folder.removeprefix("file://"))
    assert "<html" in (stored / "report.html").read_text(encoding="utf-8")
    assert duckdb.execute(f"select count(*) from '{stored}/per_query.parquet'").fetchall() == [(300,)]
