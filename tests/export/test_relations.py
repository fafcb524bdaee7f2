"""Relations by name in the statements that are taken away, and what `sqlrank dbt` writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sqlrank
from sqlrank.errors import UsageError
from tests.support.cli_helper import error_of, run_cli
from tests.support.dbt_requests import with_system


@pytest.mark.parametrize(
    ("relation", "written", "system"),
    [
        ("{{ ref('runs') }}", "{{ ref('runs') }}", "runs"),
        ('{{ source("search", "runs") }}', '{{ source("search", "runs") }}', "runs"),
        ("{{ this }}", "{{ this }}", "run"),
        ('search."my runs"', "search.`my runs`", "my runs"),
        ("`my-project.search.runs`", "`my-project.search.runs`", "my-project.search.runs"),
        ("search.`select`", "search.`select`", "select"),
        ("my-project.search.runs", "`my-project`.search.runs", "runs"),
    ],
)
def test_a_relation_is_a_dotted_name_or_one_expression_of_jinja(relation: str, written: str, system: str) -> None:
    text = sqlrank.sql(relation, "{{ ref('judged') }}", "ap", dialect="bigquery")
    assert f"\n    from {written}\n" in text
    assert "\n    from {{ ref('judged') }}\n" in text
    assert f"'{system}' as system" in with_system(relation, "judged", ["ap"], dialect="bigquery")


@pytest.mark.parametrize("text", ["my-runs", "my--project.search.runs", "search.my-runs", "-x.runs"])
def test_a_dash_is_of_a_project_of_bigquery_alone(text: str) -> None:
    for relation, dialect in ((text, "bigquery"), ("my-project.search.runs", "postgres")):
        with pytest.raises(UsageError, match="is not the name of a relation"):
            sqlrank.sql(relation, "judged", "ap", dialect=dialect)


@pytest.mark.parametrize("evil", ["{{ env_var('HOME') }}", "{% set x = 1 %}", "a{# b"])
@pytest.mark.parametrize(
    "options",
    [
        {"columns": {"score": "EVIL"}},
        {"columns": {"qrels.doc_id": "EVIL"}},
        {"by": "EVIL"},
        {"weight": "EVIL"},
        {"where": "doc_id <> 'EVIL'"},
        {"queries": '"EVIL"'},
        {"system": "EVIL"},
        {"keep": "EVIL"},
        {"create": ("table", '"EVIL"')},
        {"create": ("table", "made"), "incremental": "EVIL"},
    ],
    ids=str,
)
def test_beside_jinja_nothing_else_may_be_jinja(options: dict[str, Any], evil: str) -> None:
    def filled(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: filled(part) for name, part in value.items()}
        if isinstance(value, tuple):
            return tuple(map(filled, value))
        return value.replace("EVIL", evil.replace("'", "''") if "'" in value else evil)

    given: Any = {name: filled(value) for name, value in options.items()}
    with pytest.raises(UsageError, match="beside a relation in double braces"):
        sqlrank.sql("{{ ref('runs') }}", "judged", "ap", **given)
    if "by" not in options and "weight" not in options:
        assert evil[:2] in sqlrank.sql("runs", "judged", "ap", **given) or "queries" in options


def test_the_command_writes_a_package_and_writes_it_again(tmp_path: Path) -> None:
    folder = tmp_path / "package"
    for _ in range(2):
        outcome = run_cli("dbt", folder)
        assert (outcome.code, outcome.err) == (0, "")
        assert outcome.out.endswith(f"files written to {folder}; see {folder}/README.md\n")
        assert (folder / "dbt_project.yml").is_file()


def test_the_command_leaves_what_is_not_its_own(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "mine.txt").write_text("mine", encoding="utf-8")
    assert "holds no dbt package of sqlrank; name a new folder" in error_of(2, "dbt", folder)
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]
