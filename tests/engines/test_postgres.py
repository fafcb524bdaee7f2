"""Tables, views and queries of a PostgreSQL server as inputs: read only, streamed, and never with a password shown."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

import sqlrank
from tests.support.cases import BROAD, random_data, rows_of, texts
from tests.support.cli_helper import completed, error_of, run_cli
from tests.support.components import package
from tests.support.postgres import server

RUN, QRELS = random_data(31)
PASSWORD = "s3cr3t"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with a run, judgments, verdicts and a view, with a password in it."""
    package("adbc_driver_postgresql", "postgres")
    psycopg = package("psycopg", "test")
    with server(tmp_path_factory.mktemp("pg")) as running, psycopg.connect(running.url, autocommit=True) as connection:
        for statement in (
            "create schema search",
            'create table search."Run s" ("query id" text, doc_id text, score double precision, rate numeric(40, 20),'
            " tags text[], day date, key uuid)",
            "create table qrels (query_id text, doc_id text, relevance double precision)",
            "create table lists (query_id text, doc_ids text[], scores real[])",
            "insert into lists values ('q', '{a,b}', '{1,2}')",
            "create table requests (request jsonb, doc_id text, score real)",
            """insert into requests values ('{"id": "q"}', 'a', 1), ('{"id": "q"}', 'b', 2)""",
            "create table verdicts (query_id int, verdict text)",
            "insert into verdicts values (1, 'good'), (2, 'bad'), (3, 'good')",
            'create view best as select "query id" as query_id, doc_id, score from search."Run s"',
            "create table search.best (query_id text)",
            "create table search.twice (a int)",
            "create schema other",
            "create table other.twice (a int)",
        ):
            connection.execute(statement)
        with connection.cursor().copy(
            'copy search."Run s" ("query id", doc_id, score, rate, day, key) from stdin'
        ) as out:
            for query, doc, score in rows_of(RUN):
                rate, key = Decimal(score).quantize(Decimal("1e-9")), "12345678-1234-1234-1234-123456789abc"
                out.write_row((query, doc, score, rate, "2026-01-01", key))
        with connection.cursor().copy("copy qrels from stdin") as out:
            for row in rows_of(QRELS):
                out.write_row(row)
        yield running.url.replace("postgres@", f"postgres:{PASSWORD}@")


def test_fields_of_json_play_roles_by_their_paths(url: str) -> None:
    columns = {"run.query_id": "request.id"}
    with sqlrank.evaluate("requests", {"q": {"a": 1}}, "rr", database=url, columns=columns) as result:
        assert result.to_dict() == {"q": {"rr": 0.5}}


def wanted() -> dict[str, Any]:
    with sqlrank.evaluate(RUN, QRELS, texts(BROAD)) as result:
        return result.to_dict()


@pytest.mark.parametrize(
    "run",
    [
        "search.Run s",
        "Run s",
        "best",
        "public.best",
        'select "query id", doc_id, score from search."Run s"; ',
        "with r as (table best) select * from r",
    ],
)
def test_relations_and_queries_give_what_the_same_rows_give(url: str, run: str) -> None:
    columns = {"run.query_id": "query id"} if "ery id" in run or "Run" in run else {}
    with sqlrank.evaluate(run, "qrels", texts(BROAD), database=url, columns=columns) as result:
        found = result.to_dict()
        assert found.keys() == wanted().keys()
        for query, values in wanted().items():
            assert found[query] == pytest.approx(values, abs=1e-12)
        assert PASSWORD not in repr(result)


def test_numbers_of_any_length_dates_and_keys_are_what_the_server_shows(url: str) -> None:
    columns = {"run.query_id": "query id", "score": "rate"}
    options: dict[str, Any] = {"database": url, "columns": columns}
    with sqlrank.evaluate(
        "Run s", "qrels", "ap", by=["day", "key"], where="day = date '2026-01-01'", **options
    ) as result:
        segments = {(row["day"], row["key"]) for row in result.to_dicts() if not row["is_total"]}
        assert ("2026-01-01", "12345678-1234-1234-1234-123456789abc") in segments


def test_lists_and_verdicts_are_read_too(url: str) -> None:
    with sqlrank.evaluate("lists", metrics="rr", positives={"q": ["a"]}, database=url) as result:
        assert result["rr"] == 0.5
    assert "  2     0    1      3" in completed("gsb", "verdicts", "--database", url).out


def test_a_report_and_a_failure_hold_no_password(url: str, tmp_path: Any) -> None:
    page = tmp_path / "report.html"
    done = run_cli("eval", "best", "--qrels", "qrels", "--database", url, "-o", page)
    assert done.code == 0, done.err
    json = run_cli("eval", "best", "--qrels", "qrels", "--database", url, "--format", "json")
    for text in (page.read_text(), done.out + done.err, json.out + json.err):
        assert PASSWORD not in text
    away = url.replace("127.0.0.1", "127.0.0.2").replace("localhost", "127.0.0.2")
    assert PASSWORD not in error_of(3, "eval", "best", "--qrels", "qrels", "--database", f"{away}x")


@pytest.mark.parametrize(
    ("run", "code", "said"),
    [
        ("bests", 3, "there is no table or view 'bests'; did you mean best?"),
        ("twice", 3, "several relations are called 'twice' (it has other.twice, search.twice)"),
        ("select nothing from qrels", 3, 'column "nothing" does not exist'),
        ("select 1; drop table qrels", 3, "syntax error"),
        ("select 1) as a; drop table qrels; --", 3, "syntax error"),
        ("with x as (delete from qrels returning *) select * from x", 3, "delete"),
        ("select nextval('pg_class_oid_index')", 3, ""),
    ],
)
def test_what_is_no_table_is_told(url: str, run: str, code: int, said: str) -> None:
    message = error_of(code, "eval", run, "--qrels", "qrels", "--database", url)
    assert said.lower() in message.lower()
    assert PASSWORD not in message
    assert run_cli("eval", "best", "--qrels", "qrels", "--database", url).code == 0


def test_the_order_of_rows_is_no_rank_on_a_server(url: str) -> None:
    asked = ["eval", "best", "--qrels", "qrels", "--database", url, "--column", "rank=(row)"]
    assert "whose rows have no order; give it a column that numbers the rows" in error_of(2, *asked)


def test_a_statement_of_a_bare_duckdb_has_no_server(url: str) -> None:
    asked = ["eval", "best", "--qrels", "qrels", "--database", url, "--show-sql"]
    assert "sqlrank sql" in error_of(2, *asked)
