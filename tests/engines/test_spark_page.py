"""The program of the page on Spark, run as a reader would run it. For `pytest -m needs`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

import sqlrank
from tests.recipes.pages import RECIPES, write_files
from tests.support.cli_helper import FIXTURES, ROOT
from tests.support.components import package
from tests.support.spark import BRIEF

SEARCH = FIXTURES / "search"
ASKED = ["ndcg@10", "rr"]


def test_the_program_of_the_page_gives_the_numbers_of_duckdb(tmp_path: Path) -> None:
    package("pyspark", "spark")
    write_files(RECIPES / "spark.md", tmp_path)
    run, qrels = SEARCH / "semantic.parquet", SEARCH / "qrels.parquet"
    settings = {"PYTHONPATH": str(ROOT), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    done = subprocess.run(
        [sys.executable, "evaluate.py", str(run), str(qrels), "quality"],
        cwd=tmp_path,
        env=os.environ | settings | BRIEF,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    rows = f"select query_id, ndcg_at_10, rr from '{tmp_path}/quality/*.parquet'"
    found = {query: dict(zip(ASKED, values, strict=True)) for query, *values in duckdb.execute(rows).fetchall()}
    with sqlrank.evaluate(run, qrels, ASKED, where="score > 0") as result:
        wanted = result.to_dict()

    assert found == {query: pytest.approx(values) for query, values in wanted.items()}
    assert "ndcg@10" in done.stdout
