"""The statement for SQLite gives, in SQLite, what DuckDB gives."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest

import sqlrank
from sqlrank.metrics import parse_measures
from tests.cases import BROAD, FAMILIES, SOME, Table, arrow, random_data, rows_of, same, texts

Row = tuple[Any, ...]

ASKED = texts(BROAD)
FEWER = texts(SOME)
SUMMARISED = [*FEWER[::3], "num_rel(rel=2)", "num_ret"]
"""Fewer metrics for the summaries, in which SQLite computes each apart."""

RUN, QRELS = random_data(31)
RUN_COLUMNS = ("query_id", "doc_id", "score")
QRELS_COLUMNS = ("query_id", "doc_id", "relevance")
TABLES = {"found": (rows_of(RUN), RUN_COLUMNS), "judged": (rows_of(QRELS), QRELS_COLUMNS)}
CONVENTIONS: list[dict[str, Any]] = [
    {},
    {"ties": "doc-asc"},
    {"ties": "best"},
    {"ties": "worst"},
    {"order": "asc"},
    {"depth": 3},
    {"depth": 3, "ties": "worst", "unjudged": "remove"},
    {"unjudged": "remove"},
    {"unjudged": "remove", "query_set": "run"},
    {"query_set": "shared", "empty": "skip"},
    {"query_set": "run", "empty": "one"},
    {"rel": 2},
]


OPEN: list[sqlite3.Connection] = []


@pytest.fixture(autouse=True)
def closed_sessions() -> Iterator[None]:
    """Close what a test opened."""
    yield
    while OPEN:
        OPEN.pop().close()


def session(**tables: tuple[list[Any], tuple[str, ...]]) -> sqlite3.Connection:
    """A database in memory with these tables, each given as its rows and the names of its columns."""
    connection = sqlite3.connect(":memory:")
    OPEN.append(connection)
    for name, (rows, columns) in tables.items():
        connection.execute(f"create table {name} ({', '.join(columns)})")
        connection.executemany(f"insert into {name} values ({', '.join('?' * len(columns))})", rows)
    return connection


def keyed(columns: list[str], rows: list[Row], keys: list[str]) -> dict[Row, dict[str, Any]]:
    """Rows by the values of their keys."""
    named = [dict(zip(columns, row, strict=True)) for row in rows]
    return {tuple(row[key] for key in keys): row for row in named}


def assert_same_rows(connection: sqlite3.Connection, statement: str, relation: Any, keys: list[str]) -> None:
    """Run the statement in SQLite and compare each number with those of the relation of DuckDB."""
    cursor = connection.execute(statement)
    rows, theirs = cursor.fetchall(), relation.fetchall()
    found = keyed([column[0] for column in cursor.description], rows, keys)
    wanted = keyed(relation.columns, theirs, keys)
    assert len(rows) == len(theirs) == len(wanted) > 0
    assert found.keys() == wanted.keys()
    different = [
        f"{column} of {[str(part)[-12:] for part in key]}: {found[key][column]} instead of {value}"
        for key, row in wanted.items()
        for column, value in row.items()
        if column not in (*keys, "ci_low", "ci_high") and not same(found[key][column], value)
    ]
    assert not different, f"{len(different)} values differ, such as {'; '.join(different[:5])}"


def assert_same_statements(
    connection: sqlite3.Connection, result: sqlrank.Result, qrels: str | None, asked: list[str], **options: Any
) -> None:
    """Compare the per-query rows of the metrics asked, and the summary of some of them."""
    statement = sqlrank.sql("found", qrels, asked, dialect="sqlite", **options)
    assert_same_rows(connection, statement, result.per_query, ["system", "query_id", *result.by])
    some = [text for text in SUMMARISED if text in asked]
    statement = sqlrank.sql("found", qrels, some, dialect="sqlite", summary=True, **options)
    metrics = ", ".join(f"'{measure.text}'" for measure in parse_measures(some, result.language))
    relation = result.rows.filter(f"metric in ({metrics})")
    assert_same_rows(connection, statement, relation, ["system", "metric", *result.by])


@pytest.mark.parametrize("family", FAMILIES)
def test_all_metrics_with_many_parameters_agree(family: str) -> None:
    asked = texts(FAMILIES[family][::2])
    statement = sqlrank.sql("found", "judged", asked, dialect="sqlite")

    result = sqlrank.evaluate(qrels=QRELS, metrics=asked, systems={"found": RUN})

    assert_same_rows(session(**TABLES), statement, result.per_query, ["system", "query_id"])


@pytest.mark.parametrize("conventions", CONVENTIONS, ids=str)
def test_metrics_agree_under_the_conventions(conventions: dict[str, Any]) -> None:
    result = sqlrank.evaluate(qrels=QRELS, metrics=ASKED, systems={"found": RUN}, **conventions)

    assert_same_statements(session(**TABLES), result, "judged", ASKED, **conventions)


@pytest.mark.parametrize("judgments", ["max", "mean"])
def test_copies_and_several_raters_agree(judgments: str) -> None:
    rng = random.Random(3)
    cases = [case for case in SOME if ":" not in case.parameters.get("gain", "")]
    found = rows_of(RUN) + [(query, doc, score - 0.125) for query, doc, score in rows_of(RUN)[::3]]
    judged = rows_of(QRELS) + [(query, doc, rng.choice([0.0, 1.0, 2.5, None])) for query, doc, _ in rows_of(QRELS)[::3]]
    rng.shuffle(found)
    options: dict[str, Any] = {"judgments": judgments, "duplicates": "best"}

    result = sqlrank.evaluate(
        qrels=arrow(judged, *QRELS_COLUMNS),
        metrics=texts(cases),
        systems={"found": arrow(found, *RUN_COLUMNS)},
        **options,
    )

    connection = session(found=(found, RUN_COLUMNS), judged=(judged, QRELS_COLUMNS))
    assert_same_statements(connection, result, "judged", texts(cases), **options)


def test_rankings_by_rank_agree() -> None:
    rows = [
        (query, doc, float(rank)) for query, found in RUN.items() for rank, doc in enumerate(sorted(found), start=1)
    ]
    columns = ("query_id", "doc_id", "rank")

    result = sqlrank.evaluate(qrels=QRELS, metrics=FEWER, systems={"found": arrow(rows, *columns)})

    connection = session(found=(rows, columns), judged=TABLES["judged"])
    assert_same_statements(connection, result, "judged", FEWER, columns={"rank": "rank"})


def systems_rows() -> list[Row]:
    """Rows of three systems, the last of which found results for every second query only."""
    rng = random.Random(4)
    rows: list[Row] = [("one", *row) for row in rows_of(RUN)]
    rows += [("two é", query, doc, rng.randint(0, 4) / 8) for query, doc, _ in rows_of(RUN)]
    few: Table = {query: RUN[query] for query in list(RUN)[::2]}
    return rows + [("three", *row) for row in rows_of(few)]


@pytest.mark.parametrize(
    "conventions",
    [{}, {"ties": "best", "depth": 3}, {"query_set": "run", "unjudged": "remove"}, {"query_set": "shared"}],
    ids=str,
)
@pytest.mark.parametrize("labelled", [False, True])
def test_several_systems_agree(labelled: bool, conventions: dict[str, Any]) -> None:
    rows: list[Row] = systems_rows()
    columns: tuple[str, ...] = ("system", *RUN_COLUMNS)
    if labelled:
        rows = [(*row, QRELS.get(row[1], {}).get(row[2])) for row in rows]
        columns = (*columns, "relevance")
    judged = None if labelled else "judged"

    result = sqlrank.evaluate(arrow(rows, *columns), None if labelled else QRELS, FEWER, **conventions)

    connection = session(found=(rows, columns), judged=TABLES["judged"])
    assert_same_statements(connection, result, judged, FEWER, columns={"system": "system"}, **conventions)


@pytest.mark.parametrize("conventions", [{}, {"unjudged": "remove", "depth": 4}, {"query_set": "run"}], ids=str)
def test_labelled_export_of_one_system_agrees(conventions: dict[str, Any]) -> None:
    rows = [(*row, QRELS.get(row[0], {}).get(row[1])) for row in rows_of(RUN)]
    columns = (*RUN_COLUMNS, "relevance")

    result = sqlrank.evaluate(metrics=FEWER, systems={"found": arrow(rows, *columns)}, **conventions)

    assert_same_statements(session(found=(rows, columns)), result, None, FEWER, **conventions)


def asked_rows() -> list[Row]:
    """A table of queries: a market, at times unknown or of one query only, a language, and a weight."""
    rng = random.Random(5)
    queries = list(QRELS | dict.fromkeys(RUN))
    rows = [
        (query, rng.choice(["de", "fr", "it's", None]), rng.choice("ab"), rng.randint(0, 9) / 4) for query in queries
    ]
    return [(queries[0], "alone", "a", 1.0), *rows[1:]]


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize(
    ("segments", "weighted", "conventions"),
    [
        ([], True, {}),
        (["market"], False, {"empty": "skip"}),
        (["market", "language"], True, {"query_set": "run"}),
        (["market"], True, {"query_set": "shared", "empty": "skip", "ties": "worst"}),
    ],
)
def test_segments_and_weights_of_a_table_of_queries_agree(
    segments: list[str], weighted: bool, conventions: dict[str, Any], several: bool
) -> None:
    asked, columns = asked_rows(), ("query_id", "market", "language", "weight")
    found = (systems_rows(), ("system", *RUN_COLUMNS)) if several else TABLES["found"]
    connection = session(found=found, judged=TABLES["judged"], asked=(asked, columns))
    relation = arrow(*found[:1], *found[1])

    result = sqlrank.evaluate(
        relation if several else None,
        QRELS,
        FEWER,
        systems=None if several else {"found": relation},
        queries=arrow(asked, *columns),
        by=segments,
        weight="weight" if weighted else None,
        **conventions,
    )

    assert_same_statements(
        connection,
        result,
        "judged",
        FEWER,
        queries="asked",
        by=[f"queries.{name}" for name in segments],
        weight="queries.weight" if weighted else None,
        columns={"system": "system"} if several else {},
        **conventions,
    )


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("query_set", ["judged", "run"])
def test_segments_of_the_run_and_weights_of_the_judgments_agree(several: bool, query_set: str) -> None:
    markets = {row[0]: row[1] for row in asked_rows()}
    rows = systems_rows() if several else [("only", *row) for row in rows_of(RUN)]
    found = [(*row, markets[row[1]]) for row in rows]
    judged = [(*row, len(row[0]) % 3 + 0.5) for row in rows_of(QRELS)]
    if query_set == "run":
        found = [row for row in found if row[1] in QRELS]
    columns = ("system", *RUN_COLUMNS, "market"), (*QRELS_COLUMNS, "weight")
    relation = arrow(found, *columns[0])

    result = sqlrank.evaluate(
        relation if several else None,
        arrow(judged, *columns[1]),
        FEWER,
        systems=None if several else {"found": relation.drop_columns("system")},
        by="market",
        weight="weight",
        query_set=query_set,
    )

    connection = session(found=(found, columns[0]), judged=(judged, columns[1]))
    assert_same_statements(
        connection,
        result,
        "judged",
        FEWER,
        by="market",
        weight="qrels.weight",
        query_set=query_set,
        columns={"system": "system"} if several else {},
    )


def test_one_query_has_no_standard_error_in_either() -> None:
    run, qrels = {"q": {"a": 2.0, "b": 1.0}}, {"q": {"b": 1.0}}

    result = sqlrank.evaluate(qrels=qrels, metrics="ap", systems={"found": run})

    connection = session(found=(rows_of(run), RUN_COLUMNS), judged=(rows_of(qrels), QRELS_COLUMNS))
    statement = sqlrank.sql("found", "judged", "ap", dialect="sqlite", summary=True)
    assert_same_rows(connection, statement, result.rows, ["system", "metric"])
    assert connection.execute(statement).fetchone()[-3:] == (0.5, 1, None)


def test_share_of_judged_documents_is_not_divided_as_whole_numbers() -> None:
    run, qrels = {"q": {"a": 2.0, "b": 1.0}}, {"q": {"b": 1.0}}
    connection = session(found=(rows_of(run), RUN_COLUMNS), judged=(rows_of(qrels), QRELS_COLUMNS))

    statement = sqlrank.sql("found", "judged", ["judged@2", "judged"], dialect="sqlite")

    assert connection.execute(statement).fetchall() == [("found", "q", 0.5, 0.5)]
