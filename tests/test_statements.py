"""The statement is the product: a dozen of them are held as files, worth reading."""

from __future__ import annotations

import re

import duckdb
import pytest

import sqlrank
from tests.statements import GOLDEN, REQUESTS, statement


@pytest.mark.parametrize("name", REQUESTS)
def test_the_statement_is_the_golden_one(name: str) -> None:
    golden = (GOLDEN / f"{name}.sql").read_text(encoding="utf-8")
    assert statement(name) == golden, "if it is meant: python -m tests.statements, and read the difference"


def test_every_golden_file_belongs_to_a_request() -> None:
    assert {path.stem for path in GOLDEN.glob("*.sql")} == set(REQUESTS)


@pytest.mark.parametrize("name", REQUESTS)
def test_the_statement_reads_as_if_written_by_hand(name: str) -> None:
    text = statement(name)
    assert "\n\n\n" not in text
    assert not re.search(r"[ \t]+$", text, re.MULTILINE)
    assert not re.search(r"select \*|::|\bqualify\b|filter \(where", text)
    assert text.endswith("\n")


@pytest.mark.parametrize("name", [name for name in REQUESTS if name != "sqlite"])
def test_the_statement_runs_in_a_bare_session(name: str) -> None:
    with duckdb.connect() as connection:
        for setup in (
            "create schema ranker",
            "create schema exports",
            "create table ranker.results as select * from (values ('a', 'q', 'd', 1.0, 'de')) "
            "as t(variant, query_id, doc_id, score, market)",
            "create table judgments as select 'q' as query_id, 'd' as doc_id, 2 as relevance",
            "create table exports.shown as select 'q' as query_id, 'd' as doc_id, 1.0 as score, 2 as relevance",
            "create table queries as select 'q' as query_id, 'de' as country, 5 as traffic",
        ):
            connection.execute(setup).fetchall()
        assert len(connection.execute(statement(name)).fetchall()) >= 1


def test_columns_nobody_asked_for_are_not_computed() -> None:
    text = sqlrank.sql("ranker.results", "judgments", ["p@10"])
    assert "discount" not in text
    assert "ideal_gain" not in text
    assert "precision_at_hit" not in text
    assert "hits" not in text


def test_a_shared_column_stands_once() -> None:
    text = sqlrank.sql("ranker.results", "judgments", ["p@5,10,20", "recall@100", "set_p"])
    assert text.count("when relevance >= 1 then 1 else 0 end as double) as hit,") == 1
