"""Metrics of the user: a folder of files of the same shape, rendered in a sandbox and kept from other files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sqlrank
from tests import readme
from tests.cli_helper import FIXTURES, run_cli

ENTRY = """{#
title = "rank of the first hit"
params = { k = "cutoff", rel = 1 }
reads = ["hit"]
summary = "mean"
aliases = { first = { rel = 2 } }
formula = "smallest rank of a hit"
citation = "ours"
#}
"""
BODY = "min(case when {{ hit | ident }} > 0{% if k %} and place <= {{ k }}{% endif %} then place end)\n"
RUN = {"a": {"x": 3.0, "y": 2.0, "z": 1.0}, "b": {"x": 1.0}}
QRELS = {"a": {"y": 1, "z": 2}, "b": {"y": 1}}
SEARCH = FIXTURES / "search"


def folder(path: Path, body: str = BODY, name: str = "first_hit", entry: str = ENTRY) -> str:
    """A folder with one metric."""
    (path / f"{name}.sql").write_text(entry + body)
    return str(path)


def test_it_stands_beside_the_others_with_its_parameters_and_aliases(tmp_path: Path) -> None:
    own = folder(tmp_path)
    with sqlrank.evaluate(RUN, QRELS, ["first_hit", "first@3", "First_Hit@1", "ap"], metrics_dir=own) as result:
        assert result.to_dict()["a"] == pytest.approx(
            {"first_hit": 2, "first_hit(rel=2)@3": 3, "first_hit@1": 0, "ap": 7 / 12}
        )
        assert result["first_hit"] == 1.0
        assert result["first@3"] == 1.5


def test_the_file_is_read_again_when_it_has_changed(tmp_path: Path) -> None:
    own = folder(tmp_path)
    first = sqlrank.evaluate(RUN, QRELS, "first_hit", metrics_dir=own)["first_hit"]
    folder(tmp_path, "cast(7 as {{ double }})\n", entry=ENTRY.replace('["hit"]', "[]"))

    assert (first, sqlrank.evaluate(RUN, QRELS, "first_hit", metrics_dir=own)["first_hit"]) == (1.0, 7.0)


def test_the_command_line_lists_and_shows_it(tmp_path: Path) -> None:
    own = folder(tmp_path)

    assert "first_hit[@k]" in run_cli("metrics", "--metrics-dir", own).out
    assert "rank of the first hit" in run_cli("metrics", "first_hit", "--metrics-dir", own).out
    arguments = ["eval", SEARCH / "export.parquet", "--metrics-dir", own, "-m", "first_hit", "--format", "csv"]
    outcome = run_cli(*arguments, "--fail-under", "first_hit=0.5")
    assert [row["metric"] for row in outcome.table] == ["first_hit", "first_hit"]


def test_the_example_of_the_readme_is_one(tmp_path: Path) -> None:
    (example,) = re.findall(r"```sql\n(.*?)```", readme.README.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "first_rank.sql").write_text(example)

    assert sqlrank.evaluate(RUN, QRELS, "first_rank", metrics_dir=str(tmp_path))["first_rank"] == 1.0


@pytest.mark.parametrize(
    ("body", "line", "fragment"),
    [
        ("min(\n  {{ hit | ident }\n)", 11, "unexpected"),
        ("{{ misses | ident }}", None, "misses is no parameter"),
        ("1\n{{ ''.__class__.__mro__ }}", 11, "unsafe"),
        ("{{ hit }}", 10, "without the filter ident or literal"),
        ("sum({{ hit | ident }})\n\n/ {{ 1 / 0 }}", 12, "division by zero"),
        ("{{ rel | nothing }}", 10, "No filter named 'nothing'"),
        ("sum(", None, "syntax error"),
        ("sum(no_such_column)", None, "no_such_column"),
        ("(select max(content) from read_text('/etc/hostname'))", None, "there is a subquery"),
        ("{% include '../first_hit.sql' %}", 10, "first_hit.sql"),
    ],
)
def test_a_broken_template_names_file_and_line(tmp_path: Path, body: str, line: int | None, fragment: str) -> None:
    own = folder(tmp_path, body)

    with pytest.raises(sqlrank.UsageError) as raised:
        sqlrank.evaluate(RUN, QRELS, "first_hit", metrics_dir=own)

    assert f"{tmp_path}/first_hit.sql" in str(raised.value)
    assert fragment in str(raised.value)
    assert line is None or f", line {line}: " in str(raised.value)


@pytest.mark.parametrize(
    ("name", "entry", "fragment"),
    [
        ("ap", ENTRY, "ap is a metric of sqlrank"),
        ("map", ENTRY, "map is a metric of sqlrank"),
        ("mine", ENTRY.replace("first =", "mrr ="), "mrr is a metric of sqlrank"),
        ("no name", ENTRY, "made of a-z, 0-9 and _"),
        ("mine", ENTRY.replace("title", "titel"), "not complete: 'title'"),
        ("mine", ENTRY.replace("= 1 }", "= }"), "not complete"),
        ("mine", "", "not complete"),
        ("mine", ENTRY.replace('["hit"]', '["hid"]'), "reads 'hid', which is no column"),
    ],
)
def test_an_entry_that_cannot_stand_is_refused(tmp_path: Path, name: str, entry: str, fragment: str) -> None:
    own = folder(tmp_path, BODY, name, entry)

    with pytest.raises(sqlrank.UsageError, match=re.escape(fragment)):
        sqlrank.evaluate(RUN, QRELS, [name.replace(" ", "_") if name != "ap" else "ap"], metrics_dir=own)


def test_a_folder_without_metrics_is_an_error(tmp_path: Path) -> None:
    outcome = run_cli("metrics", "--metrics-dir", tmp_path / "none")

    assert outcome.code == 2
    assert "there is no file *.sql" in outcome.err


def test_no_metric_of_ones_own_is_known_to_a_tool(tmp_path: Path) -> None:
    with pytest.raises(sqlrank.UsageError, match="it has no first_hit"):
        sqlrank.evaluate(RUN, QRELS, "first_hit", metrics_dir=folder(tmp_path), like="ranx")
