"""Relations by name in the statements that are taken away."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlrank
from sqlrank.dialects import DUCKDB
from sqlrank.errors import UsageError
from tests.support.cli_helper import FIXTURES, completed, error_of


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
    whole = sqlrank.sql(relation, "{{ ref('judged') }}", "auc", dialect="bigquery")
    assert f"'{system}' as system" in whole


@pytest.mark.parametrize("text", ["my-runs", "my--project.search.runs", "search.my-runs", "-x.runs"])
def test_a_dash_is_of_a_project_of_bigquery_alone(text: str) -> None:
    for relation, dialect in ((text, "bigquery"), ("my-project.search.runs", "postgres")):
        with pytest.raises(UsageError, match=r"is not the name of a relation.*--show-sql prints the"):
            sqlrank.sql(relation, "judged", "ap", dialect=dialect)


@pytest.mark.parametrize("inputs", [("zz.csv", "j"), ("r", "data.j.PARQUET")])
def test_a_name_that_looks_like_a_file_is_said_to_be_none(inputs: tuple[str, str]) -> None:
    with pytest.raises(UsageError, match=r"no such file; if a table is called .*, put its name between quotes: "):
        sqlrank.sql(*inputs, "ap")
    assert "from zz.csv" in sqlrank.sql('zz."csv"', "j", "ap")


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
        {"create": ("table", "made"), "incremental": "EVIL", "query_set": "run"},
        {"create": ("table", "made"), "incremental": "ds", "replace": "EVIL", "query_set": "run"},
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
    with pytest.raises(UsageError, match="next to a relation in double braces"):
        sqlrank.sql("{{ ref('runs') }}", "judged", "ap", **given)
    if "by" not in options and "weight" not in options:
        assert evil[:2] in sqlrank.sql("runs", "judged", "ap", **given) or "queries" in options


@pytest.mark.parametrize(
    ("columns", "complaint"),
    [
        ({"score": "scores[]"}, "run.doc_id"),
        ({"doc_id": "docs[]"}, "qrels.relevance"),
        ({"run.doc_id": "docs[]", "run.score": "score_1"}, "run.score"),
        ({"run.doc_id": "docs[]", "rank": "place"}, "run.rank"),
        ({"query_id": "queries[]"}, "the query_id of the rankings is not read from lists"),
        ({"items.doc_id": "goods[]"}, "the doc_id of the items is not read from lists"),
    ],
)
def test_lists_stand_beside_lists_of_documents(columns: dict[str, str], complaint: str) -> None:
    with pytest.raises(UsageError) as refused:
        sqlrank.sql("runs", "judged", ["coverage@3"], columns=columns, items="goods")
    assert complaint in str(refused.value)


def test_a_separator_needs_lists_and_an_engine_that_splits_texts() -> None:
    with pytest.raises(UsageError, match="tell which columns hold lists, such as"):
        sqlrank.sql("runs", "judged", separator="|")
    columns = {"run.doc_id": "docs[]"}
    with pytest.raises(UsageError, match="SQLite cannot split texts"):
        sqlrank.sql("runs", "judged", separator="|", columns=columns, dialect="sqlite")
    with pytest.raises(UsageError, match="Amazon Redshift cannot split texts"):
        sqlrank.sql("runs", "judged", separator="|", columns=columns, dialect="redshift")


@pytest.mark.parametrize(
    ("options", "ordered"),
    [
        ({"columns": {"baseline.rank": "place"}}, "cast(place as double) asc"),
        ({"columns": {"rank": "place"}}, "cast(place as double) asc"),
        ({"columns": {"run.rank": "place"}}, "cast(score as double) desc"),
        ({"columns": {"baseline.score": "points"}, "order": "asc"}, "cast(points as double) asc"),
        ({"columns": {"baseline.doc_id": "docs[]"}}, "cast(sqlrank_place as double) asc"),
    ],
    ids=str,
)
def test_the_baseline_is_ordered_as_its_own_columns_say(options: dict[str, Any], ordered: str) -> None:
    options = options | {"baseline_run": "before", "history": "clicks"}
    text = sqlrank.sql("runs", "judgments", ["unexpectedness@3"], **options)
    ranks = text[text.index("baseline_ranks as (") :]
    assert f"order by {ordered}" in ranks[: ranks.index("from ")]


def test_hostile_names_of_lists_stay_names(tmp_path: Path) -> None:
    name, field = "do\"c's[]", "i'd\"; --"
    columns = {"run.doc_id": f"{name}[].{field}"}
    text = sqlrank.sql("runs", "judged", ["rr"], columns=columns)
    with duckdb.connect() as connection:
        quoted, key = name.replace('"', '""'), field.replace("'", "''")
        hits = f"[struct_pack({DUCKDB.ident(field)} := 'd')]"
        connection.execute(f'create table runs as select 1 as query_id, {hits} as "{quoted}"')
        connection.execute("create table judged as select 1 as query_id, 'd' as doc_id, 1 as relevance")
        assert connection.execute(text).fetchall() == [("1", 1.0)]
        assert key in text


def test_of_files_it_prints_what_an_evaluation_runs() -> None:
    asked = (FIXTURES / "search" / "keyword.parquet", "--qrels", FIXTURES / "search" / "qrels.parquet", "-m", "ndcg@10")
    printed = completed("sql", *asked).out
    assert printed == completed("eval", *asked, "--show-sql").out
    with duckdb.connect() as connection:
        *views, statement = [text for text in printed.split(";\n") if text.strip()]
        for view in views:
            connection.execute(view)
        found = connection.sql(f"select avg(ndcg_at_10) from ({statement})").fetchall()
    with sqlrank.evaluate(str(asked[0]), str(asked[2]), "ndcg@10") as result:
        assert found == [(pytest.approx(result["ndcg@10"], rel=1e-12),)]
    for option in (("--dialect", "spark"), ("--summary",), ("--create", "table", "t")):
        assert "is a file, which the statement reads in DuckDB" in error_of(2, "sql", *asked, *option)
    assert "is a file, which sqlrank monitor charts" in error_of(2, "sql", *asked, "--monitor")
    assert "--day is for --monitor" in error_of(2, "sql", *asked, "--day", "dt")
