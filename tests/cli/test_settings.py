"""Settings of a project: defaults and named evaluations in sqlrank.toml or pyproject.toml."""

from __future__ import annotations

import json
import os
import shutil
from itertools import product
from pathlib import Path

import pytest

from tests.cli.test_completion import offered
from tests.support.cli_helper import FIXTURES, completed, error_of, run_cli
from tests.support.tables import each, hold

SEARCH = """
metrics = ["rr", "p@5"]
ties = "doc-asc"

[evaluations.search]
run = ["keyword.parquet", "new=semantic.parquet"]
qrels = "qrels.parquet"
queries = "queries.parquet"
by = "country"
fail_under = {"rr" = 0.1}

[evaluations.loose]
run = "keyword.parquet"
qrels = "qrels.parquet"
metrics = "ap"
header = true
where = "score > 0.2"
column = {query_id = ["query_id"], doc_id = "doc_id"}

[evaluations.failing]
run = "keyword.parquet"
qrels = "qrels.parquet"
fail-under = ["rr=0.99"]

[evaluations.verdicts]
verdicts = "verdicts.csv"
by = ["country"]

[evaluations.report]
run = "keyword.parquet"
qrels = "qrels.parquet"
title = "Weekly"
output = "out/report.html"
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with settings and inputs, and one below it, which is the current one."""
    for file in ("keyword.parquet", "semantic.parquet", "qrels.parquet", "queries.parquet", "verdicts.csv"):
        shutil.copy(FIXTURES / "search" / file, tmp_path)
    (tmp_path / "sqlrank.toml").write_text(SEARCH)
    (tmp_path / "below" / "deep").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "below" / "deep")
    return tmp_path


UP = os.path.join("..", "..", "")
JUDGED = (f"{UP}keyword.parquet", "--qrels", f"{UP}qrels.parquet")


def test_an_evaluation_is_run_by_its_name_from_any_folder_of_the_project(project: Path) -> None:
    document = json.loads(completed("eval", "--config", "search", "--format", "json").out)
    rows = document["rows"]
    assert {(row["system"], row["metric"]) for row in rows} == {*product(("keyword", "new"), ("rr", "p@5"))}
    assert {row["country"] for row in rows} == {"de", "fr", "gb", "us", None}
    assert document["conventions"]["ties"] == "doc-asc"


def test_the_command_line_wins_then_the_evaluation_then_the_project(project: Path) -> None:
    shown = completed("eval", "--config", "loose", "--ties", "best", "--show-config").out.splitlines()
    place = f"# {UP}sqlrank.toml [evaluations.loose]"
    assert shown == [
        f'run = ["{UP}keyword.parquet"]  {place}',
        f'qrels = "{UP}qrels.parquet"  {place}',
        f'column = ["query_id=query_id", "doc_id=doc_id"]  {place}',
        f'where = "score > 0.2"  {place}',
        f"no-header = false  {place}",
        f'metric = ["ap"]  {place}',
        'ties = "best"  # the command line',
    ]


def test_a_gate_of_an_evaluation_decides_the_exit_code(project: Path) -> None:
    for more, code in (((), 4), (("--fail-under", "rr=0.1"), 0)):
        assert run_cli("eval", "--config", "failing", *more).code == code


def test_defaults_hold_for_every_command_that_has_the_option(project: Path) -> None:
    assert "p@5" in completed("eval", *JUDGED).out
    assert "p@5" in completed("compare", f"a={JUDGED[0]}", f"b={JUDGED[0]}", *JUDGED[1:]).out
    assert "not enough evidence" in completed("gsb", "--config", "verdicts").out
    assert "ndcg" in completed("metrics", "ndcg").out


def test_outputs_are_beside_the_settings(project: Path) -> None:
    (project / "out").mkdir()
    completed("eval", "--config", "report")
    assert "Weekly" in (project / "out" / "report.html").read_text()


def test_a_pyproject_has_a_table_of_its_own(project: Path) -> None:
    for text, metrics in (
        ('[tool.sqlrank]\nmetrics = ["ap"]\n[tool.sqlrank.evaluations.x]\n', ["ap"]),
        ("[tool.other]\n", ["rr", "p@5"]),
        ("[tool.\n", ["rr", "p@5"]),
    ):
        (project / "below" / "pyproject.toml").write_text(text)
        assert [row["metric"] for row in completed("eval", *JUDGED, "--format", "csv").table] == metrics


def test_settings_that_are_wrong_are_told(project: Path) -> None:
    def check(case: tuple[str, str]) -> None:
        text, said = case
        (project / "sqlrank.toml").write_text(text)
        chosen = ["--config", "x"] if "[evaluations" in text else []
        message = error_of(2, "eval", *JUDGED, *chosen)
        assert said in message
        assert "sqlrank.toml" in message or "--digits" in message

    hold(
        [
            ("[tool.sqlrank]\nmetrics = ['ap']", "has the options without [tool.sqlrank]: write [evaluations."),
            ("metrcs = ['ap']", "there is no option metrcs; did you mean metrics?"),
            ("[evaluations.x]\nqrel = 'a'", "qrel is not an option of eval; did you mean qrels?"),
            ("[evaluations.x]\nfail_on_drop = 'a'", "fail_on_drop is not an option of eval"),
            ("[evaluations.y]\n", "has no such evaluation (it has y)"),
            ("quiet = 'yes'", "quiet is true or false, not 'yes'"),
            ("like = ['a', 'b']", "like is one value"),
            ("by = true", "by is a text, a number, or several, not True"),
            ("by = 2026-01-01", "by is a text, a number, or several"),
            ("digits = 3.5", "'3.5' is not a whole number"),
            ("evaluations = 3", "evaluations are tables"),
            ("by = [", "cannot be read as TOML"),
        ],
        check,
    )


def test_names_of_evaluations_are_offered(project: Path) -> None:
    assert offered("sqlrank eval --config se") == ["search"]


def test_an_evaluation_without_settings_is_told() -> None:
    assert "neither sqlrank.toml nor pyproject.toml holds settings" in error_of(2, "eval", "--config", "x")


@each(["tool = 5", "tool = []", "tool = 'sqlrank'"])
def test_a_tool_that_is_no_table_is_no_setting_of_ours(tool: str) -> None:
    Path("pyproject.toml").write_text(f"{tool}\n")
    assert completed("eval", FIXTURES / "search" / "export.parquet", "-m", "rr").out
