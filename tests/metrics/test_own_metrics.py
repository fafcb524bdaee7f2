"""Metrics of the user: a folder of files of the same shape, rendered in a sandbox and kept from other files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlrank
from tests.recipes.pages import RECIPES, files
from tests.support.cli_helper import FIXTURES, completed, error_of, run_cli

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
BODY = "min(case when {{ hit.when }}{% if k %} and rank <= {{ k }}{% endif %} then rank end)\n"
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


def test_precisions_that_are_read_one_by_one_are_no_number(tmp_path: Path) -> None:
    entry = ENTRY.replace('"hit"', '"precisions"')
    head = '{% from "macros/ranking.sql" import at, total, total_of %}\n'
    summed = folder(tmp_path, head + "{{ total_of(precisions, k) }}\n", entry=entry)
    assert sqlrank.evaluate(RUN, QRELS, "first_hit", metrics_dir=summed)["first_hit"] == pytest.approx((7 / 6 + 0) / 2)
    alone = folder(tmp_path, head + "{{ total(at(precisions, k)) }}\n", entry=entry)
    with pytest.raises(sqlrank.UsageError, match=r"first_hit\.sql.*read_by_total_of_alone"):
        sqlrank.evaluate(RUN, QRELS, "first_hit", metrics_dir=alone)


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


def test_the_example_of_the_documentation_is_one(tmp_path: Path) -> None:
    example = files(RECIPES / "own-metrics.md")["metrics/first_rank.sql"]
    (tmp_path / "first_rank.sql").write_text(example)

    with sqlrank.evaluate(RUN, QRELS, ["first_rank", "first_rank(missing=4)@1"], metrics_dir=str(tmp_path)) as result:
        assert result.to_dict() == {
            "a": {"first_rank": 2, "first_rank(missing=4)@1": 4},
            "b": {"first_rank": 101, "first_rank(missing=4)@1": 4},
        }


@pytest.mark.parametrize(
    ("body", "line", "fragment"),
    [
        ("min(\n  {{ hit | ident }\n)", 11, "unexpected"),
        ("{{ misses | ident }}", None, "misses is neither a parameter"),
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
        ("mine", ENTRY.replace('["hit"]', '["hid"]'), "reads 'hid', which is not a column"),
    ],
)
def test_an_entry_that_cannot_stand_is_refused(tmp_path: Path, name: str, entry: str, fragment: str) -> None:
    own = folder(tmp_path, BODY, name, entry)

    with pytest.raises(sqlrank.UsageError, match=re.escape(fragment)):
        sqlrank.evaluate(RUN, QRELS, [name.replace(" ", "_") if name != "ap" else "ap"], metrics_dir=own)


def test_a_folder_without_metrics_is_an_error(tmp_path: Path) -> None:
    assert "there is no file *.sql" in error_of(2, "metrics", "--metrics-dir", tmp_path / "none")


def test_no_metric_of_ones_own_is_known_to_a_tool(tmp_path: Path) -> None:
    with pytest.raises(sqlrank.UsageError, match="it has no first_hit"):
        sqlrank.evaluate(RUN, QRELS, "first_hit", metrics_dir=folder(tmp_path), like="ranx")


@pytest.mark.parametrize(
    "body",
    [
        "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}1",
        "{% for i in range(9999) %}{% for j in range(9999) %}+1{% endfor %}{% endfor %}",
        "{% macro f(n) %}{{ f(n - 1) }}{{ f(n - 1) }}{% endmacro %}{{ f(1) }}",
        "{% include 'first_hit.sql' %}",
        "{% import 'first_hit.sql' as m %}1",
        "{{ ('a' * 10**9) | literal }}",
        "{{ 7 ** (10 ** 9) }}",
        "{% set n = namespace(x='a') %}{% for i in range(99) %}{% set n.x = n.x ~ n.x %}{% endfor %}1",
        "{% set n = namespace(x=3) %}{% for i in range(99) %}{% set n.x = n.x * n.x %}{% endfor %}1",
        "{{ 'a'.center(10**9) | literal }}",
        "{{ 'a' | center(10**9) | literal }}",
        "{{ '{:>1000000000}'.format(1) | literal }}",
        "{{ ('%1000000000d' % 1) | literal }}",
        "{{ (1.5 | round(10**9, 'floor')) | literal }}",
    ],
)
def test_a_template_ends_whatever_is_in_it(tmp_path: Path, body: str) -> None:
    with pytest.raises(sqlrank.UsageError, match=r"first_hit\.sql"):
        sqlrank.evaluate(RUN, QRELS, "first_hit", metrics_dir=folder(tmp_path, body))


def test_a_text_is_not_formatted_whatever_its_size(tmp_path: Path) -> None:
    with pytest.raises(sqlrank.UsageError, match=r"first_hit\.sql, line \d+: a text is formatted with %"):
        sqlrank.evaluate(RUN, QRELS, "first_hit", metrics_dir=folder(tmp_path, "{{ '%d' % 1 }}"))


def test_the_limit_of_a_template_can_be_raised_in_its_entry(tmp_path: Path) -> None:
    body = "{% for i in range(900) %}{% for j in range(900) %}{% set x = i %}{% endfor %}{% endfor %}1"
    with pytest.raises(sqlrank.UsageError, match=r"more than 1,000,000 steps; if it is to, .* steps = NUMBER"):
        sqlrank.evaluate(RUN, QRELS, "first_hit", metrics_dir=folder(tmp_path, body))
    entry = ENTRY.replace('citation = "ours"', 'citation = "ours"\nsteps = 5000000')
    assert sqlrank.evaluate(RUN, QRELS, "first_hit", metrics_dir=folder(tmp_path, body, entry=entry))["first_hit"] == 1
    with pytest.raises(sqlrank.UsageError, match="steps = 0 is not a whole number above 0"):
        sqlrank.evaluate(RUN, QRELS, "first_hit", metrics_dir=folder(tmp_path, entry=entry.replace("5000000", "0")))


@pytest.mark.parametrize(
    ("body", "fragment"),
    [
        ("(select count(*) from range(1000000000))", "a subquery"),
        ("(select max(word) from secret)", "a subquery"),
        ("(with recursive t as (select 1 union all select 1 from t) select count(*) from t)", "a subquery"),
        ("sum(score) over ()", "a window function"),
        ("len(range(1000000000000))", "the function range"),
        ("sum(getenv('HOME') = '')", "the function getenv"),
        ("max(random())", "the function random"),
        ("max(current_date)", "current_date is another value each time"),
        ("main.sum(score)", "a dotted name"),
        ("1), (2", "syntax error"),
        ("1, 2", "more than an expression"),
        ("1 as x", "more than an expression"),
        ("1; drop table secret", "is not one SQL expression"),
    ],
)
@pytest.mark.parametrize("passed", [False, True])
def test_its_sql_is_one_expression_over_the_rows_of_a_query(
    tmp_path: Path, body: str, fragment: str, passed: bool
) -> None:
    with duckdb.connect() as connection:
        connection.execute("create table secret as select 'TOPSECRET' as word; begin")
        more: dict[str, Any] = {"connection": connection} if passed else {}
        with pytest.raises(sqlrank.UsageError, match=r"first_hit\.sql") as refused:
            sqlrank.evaluate(RUN, QRELS, "first_hit", metrics_dir=folder(tmp_path, body), **more)
        assert fragment in str(refused.value)
        assert connection.execute("select word from secret").fetchall() == [("TOPSECRET",)]


def test_its_sql_may_filter_order_and_walk_over_lists(tmp_path: Path) -> None:
    body = "list_sum(list_transform(list(rank order by rank) filter (where rank < 3), lambda x: x + 1)) -- a comment\n"
    assert sqlrank.evaluate(RUN, QRELS, "first_hit", metrics_dir=folder(tmp_path, body))["first_hit"] == 1.5


def test_its_sql_for_another_engine_is_what_that_engine_surely_reads_so(tmp_path: Path) -> None:
    own = folder(tmp_path, "sum({{ hit | ident }}) / count(*)")
    assert "/ count(*)" in sqlrank.sql("r", "j", "first_hit", dialect="postgres", metrics_dir=own)
    for body in ("(select 1)", "sum($q$a$q$)", "max(pg_read_file('x'))", "1 -- x"):
        with pytest.raises(sqlrank.UsageError, match=r"first_hit\.sql"):
            sqlrank.sql("r", "j", "first_hit", dialect="postgres", metrics_dir=folder(tmp_path, body))


@pytest.mark.parametrize(
    "body",
    ["1/0", "'nan'::double", "-1 / 0.0", "case when max(query_id) = 'b' then 'inf'::double else 1 end"],
)
@pytest.mark.parametrize("checks", [True, False])
def test_a_value_that_is_no_finite_number_is_an_error_with_metric_and_query(
    tmp_path: Path, body: str, checks: bool
) -> None:
    own = folder(tmp_path, body)
    with pytest.raises(
        sqlrank.DataError, match=r"values? of first_hit (?:is not a|are not) finite .* query '[ab]'.*first_hit.sql"
    ):
        sqlrank.evaluate(RUN, QRELS, "first_hit", metrics_dir=own, checks=checks)


def test_no_control_character_of_it_reaches_a_terminal(tmp_path: Path) -> None:
    entry = ENTRY.replace("rank of the first", "\\u001b[31mrank\\u061c").replace('"ours"', '"\\u001b]0;x\\u0007"')
    own = folder(tmp_path, "{# \x1b #}sum({{ hit | ident }}) + length('\x1b[31m')\n", entry=entry)
    for arguments in (("metrics",), ("metrics", "first_hit")):
        assert not set(completed(*arguments, "--metrics-dir", own).out) & set("\x1b\x07\u061c")
    assert "control character \\x1b" in error_of(2, "sql", "r", "--qrels", "j", "-m", "first_hit", "--metrics-dir", own)
