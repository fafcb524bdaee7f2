"""The job of GitLab: its script, run by bash as the runner of GitLab runs it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import yaml

from tests.recipes.pages import RECIPES, assert_follows_schema, files, programs
from tests.support.cli_helper import FIXTURES

PAGE = RECIPES / "gitlab.md"
JOB: dict[str, Any] = yaml.safe_load(files(PAGE)[".gitlab-ci.yml"])["ranking"]


def done(folder: Path, variables: dict[str, str]) -> int:
    """The exit code of the script of the job, after which its artifacts are in the folder."""
    shutil.copytree(FIXTURES / "search", folder / "fixtures" / "search")
    path = f"{programs(folder)}{os.pathsep}{os.environ['PATH']}"
    environment = {"PATH": path, "LANG": "C.UTF-8", "CI": "true"} | JOB["variables"] | variables
    script = "\n".join(["set -eo pipefail", *JOB["script"]])
    return subprocess.run(["bash"], input=script, text=True, cwd=folder, env=environment, check=False).returncode


def outcomes(folder: Path) -> tuple[str | None, str | None]:
    """How many gates there were and how many failed, in the report that GitLab reads."""
    suite = ElementTree.parse(folder / JOB["artifacts"]["reports"]["junit"]).getroot()
    return suite.get("tests"), suite.get("failures")


def test_the_job_passes_and_leaves_its_artifacts(tmp_path: Path) -> None:
    assert done(tmp_path, {}) == 0
    assert outcomes(tmp_path) == ("2", "0")
    assert [(tmp_path / name).exists() for name in JOB["artifacts"]["paths"]] == [True]


def test_a_worse_candidate_fails_it_with_the_exit_code_that_may_be_allowed(tmp_path: Path) -> None:
    swapped = {"BASELINE": JOB["variables"]["CANDIDATE"], "CANDIDATE": JOB["variables"]["BASELINE"]}
    (allowed,) = (block for block in PAGE.read_text(encoding="utf-8").split("```") if "allow_failure" in block)

    assert done(tmp_path, swapped) == yaml.safe_load(allowed.removeprefix("yaml"))["allow_failure"]["exit_codes"] == 4
    assert outcomes(tmp_path) == ("2", "1")
    assert (tmp_path / "report.html").exists()


def test_the_file_follows_the_schema_of_gitlab(tmp_path: Path) -> None:
    (tmp_path / ".gitlab-ci.yml").write_text(files(PAGE)[".gitlab-ci.yml"], encoding="utf-8")
    assert_follows_schema("gitlab-ci", tmp_path / ".gitlab-ci.yml")
