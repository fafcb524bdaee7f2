"""The action of GitHub: what action.yml says, and what its scripts do."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from tests.recipes.github import ACTION, EXPRESSION, STEPS, Done, evaluated, run_step
from tests.recipes.pages import RECIPES, assert_follows_schema, files, programs, write_files
from tests.support.cli_helper import FIXTURES, ROOT

PAGE = RECIPES / "github-actions.md"
RUN = "query_id,doc_id,score\nq1,d1,2\nq1,d2,1\nq2,d3,1\n"
WORSE = "query_id,doc_id,score\nq1,d2,2\nq1,d1,1\nq2,d3,1\n"
QRELS = "query_id,doc_id,relevance\nq1,d1,1\nq2,d3,1\n"
BARE = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A checkout with two rankings and judgments."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    for name, text in {"run": RUN, "worse": WORSE, "qrels": QRELS}.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return folder


def gate(workspace: Path, **inputs: str) -> Done:
    """The step that evaluates, with sqlrank as it is here."""
    folder = workspace.parent / "programs"
    made = {"install": {"programs": str(folder if folder.exists() else programs(workspace.parent))}}
    asked = {name.replace("_", "-"): text for name, text in inputs.items()}
    return run_step("gate", workspace, {"qrels": "qrels.csv"} | asked, made, BARE)


def test_it_follows_the_schema_of_github() -> None:
    assert_follows_schema("github-actions", ROOT / "action.yml")


def test_no_expression_stands_in_a_script_and_all_others_name_what_there_is() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    assert text.count("${{") == len(EXPRESSION.findall(text))
    assert not [name for name, step in STEPS.items() if "${{" in step.get("run", "")]
    inputs = {name for name, _, _ in EXPRESSION.findall(text) if name}
    assert inputs == ACTION["inputs"].keys()
    assert {step for _, step, _ in EXPRESSION.findall(text) if step} == STEPS.keys()


def test_the_page_has_its_inputs_and_outputs() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w-]+)` \|", text, re.MULTILINE)
    assert rows == [*ACTION["inputs"], *ACTION["outputs"]]


def test_a_gate_that_holds_passes_with_the_table_in_the_summary(workspace: Path) -> None:
    done = gate(workspace, run="run.csv", metrics="ndcg@10\n  rr", fail_under="ndcg@10=0.9 rr=0.9")

    assert done.code == 0, done.log
    assert done.summary.startswith("### sqlrank: passed\n\n| system | queries | ndcg@10 | rr |\n")
    assert "| run | 2 | 1.0000 +" in done.summary
    assert done.outputs["exit-code"] == "0"
    assert Path(done.outputs["summary"]).read_text(encoding="utf-8") + "\n" == done.summary
    assert done.commands == []


def test_a_gate_that_fails_ends_with_the_exit_code_of_sqlrank_and_says_why(workspace: Path) -> None:
    done = gate(workspace, run="worse.csv", metrics="rr", fail_under="rr=0.9", junit="gates.xml")

    why = "sqlrank: error: rr of worse is 0.75, below 0.9"
    assert (done.code, done.outputs["exit-code"]) == (4, "4")
    assert done.summary.startswith(f"### sqlrank: a gate failed\n\n```text\n{why}\n```\n\n| system |")
    assert done.commands == [f"::error title=sqlrank::{why}"]
    suite = ElementTree.parse(workspace / "gates.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("1", "1")


def test_a_baseline_makes_it_a_comparison(workspace: Path) -> None:
    inputs = {"run": "worse.csv", "baseline": "run.csv", "metrics": "rr"}

    assert gate(workspace, **inputs, fail_on_drop="rr=0.3").code == 0
    done = gate(workspace, **inputs, fail_on_drop="rr=0.2")
    assert (done.code, "rr of worse drops by 0.25 from run" in done.summary) == (4, True)
    assert gate(workspace, **inputs, not_worse_than="rr=0.2").code == 4


def test_a_report_is_written_whether_the_gate_holds_or_not(workspace: Path) -> None:
    done = gate(workspace, run="worse.csv", metrics="rr", fail_under="rr=0.9", report="report.html")

    assert done.code == 4
    assert "rr" in (workspace / "report.html").read_text(encoding="utf-8")


def test_a_report_that_cannot_be_written_is_an_error(workspace: Path) -> None:
    done = gate(workspace, run="run.csv", metrics="rr", report="report.txt")

    assert (done.code, done.outputs["exit-code"]) == (2, "2")
    assert done.commands == ["::error title=sqlrank::report: a report is .html, not report.txt"]


@pytest.mark.parametrize(
    ("inputs", "code", "fragment"),
    [
        ({"run": "nothing.csv"}, 3, "nothing.csv: no such file"),
        ({"run": ""}, 2, "argument RUN is missing"),
        ({"run": "run.csv", "fail_on_drop": "rr=0.1"}, 2, "no such option: --fail-on-drop"),
        ({"run": "run.csv", "arguments": "--where 'a"}, 2, "arguments: No closing quotation"),
    ],
)
def test_what_is_wrong_keeps_its_exit_code(
    workspace: Path, inputs: Mapping[str, str], code: int, fragment: str
) -> None:
    done = gate(workspace, **inputs)

    assert (done.code, done.outputs["exit-code"]) == (code, str(code))
    assert fragment in done.commands[0]


def test_further_options_are_words_as_in_a_shell(workspace: Path) -> None:
    asked = "--where \"doc_id <> 'd2'\"\n--format json --quiet"
    done = gate(workspace, run="worse.csv", metrics="rr", arguments=asked)

    assert "| worse | 2 | 1.0000 +" in done.summary, done.log


HOSTILE = (
    "$(touch pwned)",
    "`touch pwned`",
    "; touch pwned #",
    "'; touch pwned; '",
    '"; touch pwned; "',
    "&& touch pwned",
)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize(
    "name", [name for name in ACTION["inputs"] if name in "run qrels metrics arguments junit".split()]
)
def test_no_shell_reads_an_input(workspace: Path, name: str, text: str) -> None:
    done = gate(workspace, **({"run": "run.csv", "fail_under": "ap=0"} | {name: text}))

    assert done.code in (0, 2, 3), done.log
    assert not (workspace / "pwned").exists()


@pytest.mark.parametrize("name", ['it\'s "odd" $(touch pwned).csv', "-q.csv", "--config", "100%.csv", "a=b.csv"])
def test_a_path_is_a_path_whatever_it_is_called(workspace: Path, name: str) -> None:
    file = workspace / name.rpartition("=")[2]
    shutil.copy(workspace / "worse.csv", file)
    done = gate(workspace, run=name, metrics="rr", arguments="--input-format csv", fail_under="rr=0.9")

    assert (done.code, "| 0.7500" in done.summary) == (4, True), done.log
    assert sorted(path.name for path in workspace.iterdir()) == sorted({file.name, "qrels.csv", "run.csv", "worse.csv"})


def test_github_takes_no_command_from_what_is_in_the_data(workspace: Path) -> None:
    evil = "\n::error::evil\n::add-mask::evil\n````\n%0A::error::evil"
    rows = f'query_id,doc_id,score,system\nq1,d1,1,"{evil}"\nq1,d2,1,other\n'
    (workspace / "run.csv").write_text(rows, encoding="utf-8")
    done = gate(workspace, run="run.csv", metrics="rr", fail_under="rr=1")

    assert done.code == 4, done.log
    assert "evil" in done.log
    assert [line.partition(" ")[0] for line in done.commands] == ["::error"]


def test_github_takes_no_command_from_what_is_printed(workspace: Path) -> None:
    said = "::error::evil\n::stop-commands::evil\n````\n"
    (programs(workspace.parent) / "sqlrank").write_text(
        f"#!/bin/sh\ncat <<'EOF' | tee /dev/stderr\n{said}EOF\nexit 3\n"
    )
    done = gate(workspace, run="run.csv")

    assert (done.code, done.log.count("::error::evil")) == (3, 3)
    assert done.commands == ["::error title=sqlrank::" + said.strip().replace("\n", "%0A")]
    fences = re.findall(r"^`{5}(?:text)?$", done.summary, re.MULTILINE)
    assert fences == ["`````text", "`````"]


def test_a_table_that_github_would_refuse_is_left_to_the_file(workspace: Path) -> None:
    rows = [f"q{number},d1,1,{number:0500}" for number in range(2500)]
    (workspace / "run.csv").write_text("query_id,doc_id,score,shop\n" + "\n".join(rows), encoding="utf-8")
    (workspace / "qrels.csv").write_text("query_id,doc_id,relevance\nq1,d1,1\n", encoding="utf-8")
    done = gate(workspace, run="run.csv", metrics="rr", arguments="--by shop --query-set run")

    assert done.code == 0, done.log[-2000:]
    assert done.summary == "### sqlrank: passed\n\nThe table is too large to be shown here.\n\n"
    assert Path(done.outputs["summary"]).stat().st_size > 1_000_000


def test_the_workflow_of_the_page_follows_the_schema_and_calls_what_there_is(tmp_path: Path) -> None:
    write_files(PAGE, tmp_path)
    for name, text in files(PAGE).items():
        if name.endswith(".yml"):
            assert_follows_schema("github-workflows", tmp_path / name)
            for job in yaml.safe_load(text)["jobs"].values():
                for step in job["steps"]:
                    assert "${{" not in step.get("run", "")
                    if "/sqlrank@" in step.get("uses", ""):
                        assert step["with"].keys() <= ACTION["inputs"].keys()


def test_installed_as_github_does_it_evaluates_the_workflow_of_the_page(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    shutil.copytree(FIXTURES / "search", workspace / "fixtures" / "search")
    write_files(PAGE, workspace)
    (job,) = yaml.safe_load(files(PAGE)[".github/workflows/ranking.yml"])["jobs"].values()
    (step,) = [step for step in job["steps"] if "/sqlrank@" in step.get("uses", "")]
    inputs = step["with"] | {"report": ""}
    environment = BARE | {name: text for name, text in os.environ.items() if name.startswith(("PIP_", "HOME"))}
    outputs = {"python": {"python-path": sys.executable}}
    installed = run_step("install", workspace, inputs, outputs, environment)
    assert installed.code == 0, installed.log
    done = run_step("gate", workspace, inputs, outputs | {"install": installed.outputs}, environment)

    assert done.code == 0, done.log
    assert "| semantic | (all) | ndcg@10 | 300 | 0.5891 | 0.6456 |" in done.summary
    found = {name: evaluated(said["value"], inputs, {"gate": done.outputs}) for name, said in ACTION["outputs"].items()}
    assert found["exit-code"] == "0"


@pytest.mark.parametrize("text", [*HOSTILE, "report]", "a b"])
def test_extras_that_are_no_names_are_refused(workspace: Path, text: str) -> None:
    done = run_step("install", workspace, {"extras": text}, {"python": {"python-path": "/bin/false"}}, BARE)

    assert (done.code, "extras: names between commas" in done.log) == (2, True)
    assert not (workspace / "pwned").exists()
