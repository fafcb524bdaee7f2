"""Settings of a project: defaults and named evaluations in sqlrank.toml or pyproject.toml."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.cli.test_completion import offered
from tests.support.cli_helper import FIXTURES, completed, error_of, run_cli
from tests.support.tables import hold

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


def test_an_evaluation_is_run_by_its_name_from_any_folder_of_the_project(project: Path) -> None:
    rows = completed("eval", "--config", "search", "--format", "csv").table
    assert {(row["system"], row["metric"]) for row in rows} == {
        (system, metric) for system in ("keyword", "new") for metric in ("rr", "p@5")
    }
    assert {row["country"] for row in rows} == {"de", "fr", "gb", "us", ""}
    done = run_cli("eval", "--config", "search")
    assert "ties=doc-asc" in done.out


def test_the_command_line_wins_then_the_evaluation_then_the_project(project: Path) -> None:
    shown = completed("eval", "--config", "loose", "--ties", "best", "--show-config").out.splitlines()
    keyword, qrels = os.path.join("..", "..", "keyword.parquet"), os.path.join("..", "..", "qrels.parquet")
    file = os.path.join("..", "..", "sqlrank.toml")
    assert shown == [
        f'run = ["{keyword}"]  # {file} [evaluations.loose]',
        f'qrels = "{qrels}"  # {file} [evaluations.loose]',
        f'column = ["query_id=query_id", "doc_id=doc_id"]  # {file} [evaluations.loose]',
        f'where = "score > 0.2"  # {file} [evaluations.loose]',
        f"no-header = false  # {file} [evaluations.loose]",
        f'metric = ["ap"]  # {file} [evaluations.loose]',
        'ties = "best"  # the command line',
    ]


def test_a_gate_of_an_evaluation_decides_the_exit_code(project: Path) -> None:
    assert run_cli("eval", "--config", "failing").code == 4
    assert run_cli("eval", "--config", "failing", "--fail-under", "rr=0.1").code == 0


def test_defaults_hold_for_every_command_that_has_the_option(project: Path) -> None:
    run, qrels = project / "keyword.parquet", project / "qrels.parquet"
    assert "p@5" in completed("eval", run, "--qrels", qrels).out
    assert "p@5" in completed("compare", f"a={run}", f"b={run}", "--qrels", qrels).out
    assert "not enough evidence" in completed("gsb", "--config", "verdicts").out
    assert "ndcg" in completed("metrics", "ndcg").out


def test_outputs_are_beside_the_settings(project: Path) -> None:
    (project / "out").mkdir()
    completed("report", "--config", "report")
    assert "Weekly" in (project / "out" / "report.html").read_text()


def test_a_pyproject_has_a_table_of_its_own(project: Path) -> None:
    (project / "below" / "pyproject.toml").write_text(
        '[tool.sqlrank]\nmetrics = ["ap"]\n[tool.sqlrank.evaluations.x]\n'
    )
    run, qrels = project / "keyword.parquet", project / "qrels.parquet"
    assert [row["metric"] for row in completed("eval", run, "--qrels", qrels, "--format", "csv").table] == ["ap"]
    (project / "below" / "pyproject.toml").write_text("[tool.other]\n")
    assert [row["metric"] for row in completed("eval", run, "--qrels", qrels, "--format", "csv").table] == ["rr", "p@5"]
    (project / "below" / "pyproject.toml").write_text("[tool.\n")
    assert "rr" in completed("eval", run, "--qrels", qrels).out


def test_settings_that_are_wrong_are_told(project: Path) -> None:
    def check(case: tuple[str, str]) -> None:
        text, said = case
        (project / "sqlrank.toml").write_text(text)
        chosen = ["--config", "x"] if "[evaluations" in text else []
        message = error_of(2, "eval", project / "keyword.parquet", "--qrels", project / "qrels.parquet", *chosen)
        assert said in message
        assert "sqlrank.toml" in message or "--digits" in message

    hold(
        [
            (
                "[tool.sqlrank]\nmetrics = ['ap']",
                "has the options without [tool.sqlrank]: write [evaluations.",
            ),
            ("metrcs = ['ap']", "there is no option metrcs; did you mean metrics?"),
            ("[evaluations.x]\nqrel = 'a'", "qrel is no option of eval; did you mean qrels?"),
            ("[evaluations.x]\nfail_on_drop = 'a'", "fail_on_drop is no option of eval"),
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


def test_an_evaluation_without_settings_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "neither sqlrank.toml nor pyproject.toml holds settings" in error_of(2, "eval", "--config", "x")


def test_names_of_evaluations_are_offered(project: Path) -> None:
    assert offered("sqlrank eval --config se") == ["search"]


def test_a_tool_that_is_no_table_is_no_setting_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def check(tool: str) -> None:
        (tmp_path / "pyproject.toml").write_text(f"{tool}\n")
        monkeypatch.chdir(tmp_path)
        assert completed("eval", FIXTURES / "search" / "export.parquet", "-m", "rr").out

    hold(["tool = 5", "tool = []", "tool = 'sqlrank'"], check)
