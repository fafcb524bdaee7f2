"""What a release says of itself is one thing everywhere."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
import yaml

from hatch_build import Addresses
from sqlrank.version import __version__
from tests.pages.blocks import ROOT
from tests.recipes.pages import assert_follows_schema
from tests.support.tables import each


def text_of(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def test_the_version_is_the_newest_of_the_changelog_and_that_of_the_citation() -> None:
    number, date = re.findall(r"^## \[(\d.*?)\] - (\d{4}-\d\d-\d\d)$", text_of("CHANGELOG.md"), re.MULTILINE)[0]
    citation = yaml.safe_load(text_of("CITATION.cff"))

    assert number == __version__ == citation["version"]
    assert str(citation["date-released"]) == date


def test_the_changelog_has_the_headings_of_its_form() -> None:
    headings = set(re.findall(r"^### (.*)$", text_of("CHANGELOG.md"), re.MULTILINE))
    assert headings <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_a_citation_has_what_its_format_demands() -> None:
    citation = yaml.safe_load(text_of("CITATION.cff"))
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert citation["license"] == tomllib.loads(text_of("pyproject.toml"))["project"]["license"]


def test_the_image_evaluates_the_example_of_the_readme() -> None:
    (command,) = re.findall(r"^CMD \[(.*)\]$", text_of("Dockerfile"), re.MULTILINE)
    words = re.findall(r'"(.*?)"', command)
    example = re.findall(r"sqlrank (eval .*)", text_of("README.md"))[0]
    assert " ".join(words).replace("/example/", "fixtures/search/") == example


def test_pythons_named_are_those_of_the_workflow_or_fewer() -> None:
    project = tomllib.loads(text_of("pyproject.toml"))["project"]
    named = [text.rsplit(" ", 1)[1] for text in project["classifiers"] if re.search(r":: 3\.\d+$", text)]
    tried = yaml.safe_load(text_of(".github/workflows/tests.yml"))["jobs"]["pythons"]["strategy"]["matrix"]["python"]
    assert set(named) <= set(tried)
    assert project["requires-python"] == f">={named[0]}"


@each(["tests", "site", "publish"])
def test_workflows_may_do_no_more_than_they_need(name: str) -> None:
    workflow: dict[Any, Any] = yaml.safe_load(text_of(f".github/workflows/{name}.yml"))
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        for step in job["steps"]:
            assert "${{ github.event" not in step.get("run", "")


def test_a_build_names_the_repository_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    metadata: dict[str, Any] = {"version": "1.2"}
    hook = Addresses(str(ROOT), {})
    hook.update(metadata)
    assert metadata["urls"] == {}

    monkeypatch.setenv("SQLRANK_REPOSITORY", "https://127.0.0.1/owner/sqlrank/")
    hook.update(metadata)
    assert metadata["urls"]["Source"] == "https://127.0.0.1/owner/sqlrank"
    assert metadata["urls"]["Changelog"].endswith("/blob/v1.2/CHANGELOG.md")


def test_pages_use_the_action_of_this_version() -> None:
    used = re.findall(r"OWNER/sqlrank@v([\d.]+\d)", text_of("docs/recipes/github-actions.md"))
    assert used
    assert set(used) == {__version__}


@each(["tests", "site", "publish"])
def test_workflows_follow_the_schema(name: str) -> None:
    assert_follows_schema("github-workflows", ROOT / ".github" / "workflows" / f"{name}.yml")


def test_the_first_page_says_how_to_install_what_is_not_published() -> None:
    for page, said in (("docs/index.md", "no release on a package index yet"), ("docs/zh/index.md", "还没有发布版本")):
        text = text_of(page)
        assert said in text
        assert re.findall(r"```sh\n(.*?)\n```", text, re.DOTALL) == ["pip install ."]
    assert ".venv/bin/pip install --quiet . &&" in text_of("README.md")


def test_the_image_has_the_instructions_of_its_format() -> None:
    known = {"FROM", "WORKDIR", "COPY", "RUN", "USER", "ENTRYPOINT", "CMD"}
    lines = [line for line in text_of("Dockerfile").splitlines() if line and not line.startswith("#")]
    assert {line.split()[0] for line in lines} <= known
    assert len([line for line in lines if line.startswith("USER ")]) == 1
