"""The files of the pages on schedulers and trackers, run by Airflow, Dagster and MLflow themselves."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import pytest

import sqlrank
from tests.recipes.pages import RECIPES, write_files
from tests.recipes.pipelines import run_there
from tests.support.cli_helper import FIXTURES

pytestmark = pytest.mark.slow

SEARCH = FIXTURES / "search"
GOOD, POOR = "2026-11-01", "2026-11-02"
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
    stored = f"select ds::text, query_id, ndcg_at_10 from '{lake}/quality/*/*.parquet'"
    found = {(day, query): value for day, query, value in duckdb.sql(stored).fetchall()}
    wanted = {}
    for day, system in {GOOD: "semantic", POOR: "keyword"}.items():
        with sqlrank.evaluate(SEARCH / f"{system}.parquet", SEARCH / "qrels.parquet", ["ndcg@10"]) as result:
            wanted |= {(day, query): value["ndcg@10"] for query, value in result.to_dict().items()}
    assert found == pytest.approx(wanted)


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
    assert_stored(lake)


def test_dagster_makes_the_asset_of_a_day_and_fails_on_one_that_dropped(project: Path) -> None:
    lake = project.parent / "lake"
    (project.parent / "dagster").mkdir()
    settings = {"DAGSTER_HOME": str(project.parent / "dagster"), "LAKE": str(lake)}
    asked = ["dagster", "asset", "materialize", "-f", "ranking_assets.py", "--select", "ranking_quality", "--partition"]
    good, poor = (run_there(project, *asked, day, **settings) for day in (GOOD, POOR))

    assert (good.returncode, "Asset check 'gate' on 'ranking_quality' passed" in good.stdout) == (0, True), good.stdout
    assert (poor.returncode, f"did not pass. Description: '{WHY}'" in poor.stdout) == (1, True), poor.stdout
    assert_stored(lake)
