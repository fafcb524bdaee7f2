"""Pairs in place of judgments: every row is relevance 1, and a pair counts once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pytest

import sqlrank
from tests.support.cli_helper import completed, error_of, run_cli
from tests.support.tables import each, hold

RUN = pandas.DataFrame(
    [("u1", "a", 3.0), ("u1", "b", 2.0), ("u1", "c", 1.0), ("u2", "a", 2.0), ("u2", "d", 1.0)],
    columns=["user_id", "item_id", "score"],
)
# u1 bought b twice and z, which was not shown; u2 bought a; u3 was shown nothing.
BOUGHT = [("u1", "b", 2), ("u1", "b", 1), ("u1", "z", 1), ("u2", "a", 7), ("u3", "a", 1)]
PURCHASES = pandas.DataFrame(BOUGHT, columns=["user_id", "item_id", "amount"])
METRICS = ["rr", "recall@3", "ap"]
RIGHT = {
    "u1": {"rr": 1 / 2, "recall@3": 1 / 2, "ap": 1 / 4},
    "u2": {"rr": 1.0, "recall@3": 1.0, "ap": 1.0},
    "u3": {"rr": 0.0, "recall@3": 0.0, "ap": 0.0},
}
ABOUT = {query: pytest.approx(values) for query, values in RIGHT.items()}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """A run, and purchases."""
    RUN.to_csv(tmp_path / "run.csv", index=False)
    PURCHASES.to_parquet(tmp_path / "purchases.parquet", index=False)
    return [str(tmp_path / "run.csv"), str(tmp_path / "purchases.parquet")]


@each(
    {
        "frame": PURCHASES,
        "lists": {"u1": ["b", "b", "z"], "u2": {"a"}, "u3": ("a",)},
        "dictionary": {"u1": {"b": 2, "z": 1}, "u2": {"a": 1}, "u3": {"a": 1}},
    }
)
def test_every_pair_is_relevant_once(positives: Any) -> None:
    with sqlrank.evaluate(RUN, metrics=METRICS, positives=positives) as result:
        assert result.to_dict() == ABOUT
        said = "judgments are the rows of the positives: each is relevance 1, and a pair counts once"
        assert said in result.remarks()
        assert result.conventions.judgments == "max"
    with sqlrank.Evaluator(metrics=METRICS, positives=positives) as evaluator:
        assert [evaluator(RUN).to_dict() for _ in range(2)] == [ABOUT, ABOUT]


def test_a_count_is_the_relevance_if_that_is_asked_for(files: list[str]) -> None:
    run, purchases = files
    asked = ["--positives", purchases, "--column", "qrels.relevance=amount", "-m", "dcg@3", "-m", "ideal_dcg@1"]
    said = error_of(3, "eval", run, *asked)
    assert "judged more than once for one query" in said
    table = completed("eval", run, *asked, "--judgments", "max", "--per-query", "-").table
    assert [row["ideal_dcg_at_1"] for row in table] == ["2", "7", "1"]


def test_statements_have_them() -> None:
    connection = duckdb.connect()
    connection.register("runs", RUN)
    connection.register("purchases", PURCHASES)
    columns = {"query_id": "user_id", "doc_id": "item_id"}
    statement = sqlrank.sql("runs", None, METRICS, positives="purchases", columns=columns)
    found = {row[0]: dict(zip(METRICS, row[1:], strict=True)) for row in connection.sql(statement).fetchall()}
    assert found == ABOUT
    assert "from purchases" in statement


def test_systems_are_compared_by_them_and_judgments_besides_are_refused(files: list[str]) -> None:
    run, purchases = files
    out = completed("compare", f"old={run}", f"new={run}", "--positives", purchases, "-m", "rr").out
    assert "each is relevance 1" in out
    run, purchases = files
    assert "give one of them" in error_of(2, "eval", run, "--qrels", purchases, "--positives", purchases)


def test_rows_that_deny_it_are_an_error(files: list[str], tmp_path: Path) -> None:
    run, _ = files
    clicks = tmp_path / "clicks.csv"
    clicks.write_text("user_id,item_id,clicked\nu1,a,0\nu1,b,1\nu2,a,\n")
    said = error_of(3, "eval", run, "--positives", clicks)
    assert "clicks.csv: --positives takes every row for relevance 1, and 2 of its rows have no positive clicked" in said
    clicks.write_text("user_id,item_id,clicked\nu1,b,1\nu2,a,true\n")
    done = run_cli("eval", run, "--positives", clicks, "-m", "rr")
    assert (done.code, "the column clicked is ignored; every row is relevance 1" in done.err) == (0, True)


def test_a_file_without_names_has_two_columns_and_the_worth_of_text_labels_tells_which_are_positive(
    files: list[str], tmp_path: Path
) -> None:
    (tmp_path / "run.csv").write_text("u1,a,3\nu1,b,2\n")
    (tmp_path / "bought.csv").write_text("u1,b\n")
    asked = [tmp_path / "run.csv", "--positives", tmp_path / "bought.csv", "--no-header", "-m", "rr"]
    assert completed("eval", *asked, "--format", "csv").table[0]["value"] == "0.5"
    RUN.to_csv(tmp_path / "run.csv", index=False)
    path = tmp_path / "grades.csv"
    path.write_text("user_id,item_id,grade\nu1,b,E\nu1,z,E\nu2,a,I\n")
    asked = ["eval", tmp_path / "run.csv", "--positives", path, "-m", "rr", "--format", "csv"]
    said = error_of(3, *asked, "--relevance-map", "E=1,I=0")
    assert "1 of its rows has no positive grade" in said
    assert completed(*asked, "--relevance-map", "E=3,I=1").table[0]["value"] == "0.75"


@each([float("nan"), float("inf"), "nan", " "])
def test_a_label_that_is_no_number_above_0_is_refused(label: Any) -> None:
    rows = [("u1", "b", 1 if isinstance(label, float) else "1"), ("u2", "a", label)]
    frame = polars.DataFrame(rows, schema=["user_id", "item_id", "relevance"], orient="row")
    with pytest.raises(sqlrank.DataError, match="1 of its rows has no positive relevance"):
        sqlrank.evaluate(RUN, metrics=METRICS, positives=frame)


def test_positives_may_be_in_several_files_which_are_all_read(tmp_path: Path) -> None:
    RUN.to_csv(tmp_path / "run.csv", index=False)
    parts = []
    for number in (0, 2):
        parts.append(tmp_path / f"part{number}.csv")
        PURCHASES[number : number + (2 if number == 0 else 9)].to_csv(parts[-1], index=False)
    values = {metric: sum(each[metric] for each in RIGHT.values()) / 3 for metric in METRICS}
    files = [word for path in parts for word in ("--positives", path)]
    metrics = [word for metric in METRICS for word in ("-m", metric)]
    done = completed("eval", tmp_path / "run.csv", *files, *metrics, "--format", "csv")
    assert {row["metric"]: float(row["value"]) for row in done.table} == pytest.approx(values)
    with sqlrank.evaluate(RUN, metrics=METRICS, positives=[str(path) for path in parts]) as result:
        assert result.to_dict() == ABOUT
    with sqlrank.Evaluator(metrics=METRICS, positives=parts) as evaluator:
        assert evaluator(RUN).to_dict() == ABOUT
    denied = error_of(2, "eval", tmp_path / "run.csv", *files, "-m", "rr", "-o", parts[1])
    assert "is an input" in denied


@pytest.mark.parametrize("option", ["--positives", "--qrels"])
def test_a_statement_takes_one_relation_of_judgments(option: str) -> None:
    said = error_of(2, "sql", "runs", option, "first", option, "second", "-m", "rr")
    assert f"{option} first and second: a statement reads one relation" in said


def test_rows_that_a_condition_leaves_out_deny_nothing(tmp_path: Path) -> None:
    RUN.to_csv(tmp_path / "run.csv", index=False)
    path = tmp_path / "labels.csv"
    path.write_text("user_id,item_id,relevance\nu1,b,1\nu2,a,0\n")
    asked = ["eval", tmp_path / "run.csv", "--positives", path, "-m", "rr", "--format", "csv"]
    assert "1 of its rows has no positive relevance" in error_of(3, *asked)
    kept = completed(*asked, "--where", "positives:relevance <> '0'", "--query-set", "shared")
    assert kept.table[0]["value"] == "0.5"
    assert "has no column 'x'" in error_of(2, *asked, "--where", "positives:x <> '0'")


def test_lists_of_relevant_documents_are_told_from_those_of_rankings_by_name(tmp_path: Path) -> None:
    def check(names: tuple[str, str]) -> None:
        wanted, retrieved = names
        path = tmp_path / f"{wanted}.jsonl"
        rows = [("u1", ["b", "z"], ["a", "b"]), ("u2", ["a"], ["a", "d"])]
        # The relevant documents come first in the file.
        path.write_text("".join(json.dumps({"user_input": q, wanted: w, retrieved: r}) + "\n" for q, w, r in rows))
        asked = ["eval", path, "--positives", path, "-m", "rr", "-m", "recall@5", "--format", "csv"]
        assert [row["value"] for row in completed(*asked).table] == ["0.75", "0.75"]

    hold([("reference_context_ids", "retrieved_context_ids"), ("expected_ids", "retrieved_ids")], check)
    hold([("relevant", "retrieved"), ("ground_truth", "recommendations")], check)


def test_columns_are_told_of_positives_by_their_own_name(files: list[str], tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    pairs = PURCHASES[["user_id", "item_id"]].rename(columns={"user_id": "who", "item_id": "what"})
    pairs.to_csv(other, index=False)
    told = ["--column", "positives.query_id=who", "--column", "positives.doc_id=what"]
    asked = ["-m", "rr", "--format", "csv"]
    found = completed("eval", files[0], "--positives", other, *told, *asked)
    assert found.table == completed("eval", files[0], "--positives", files[1], *asked).table
    assert f"--positives {other} --column positives.query_id=who" in completed("inspect", files[0], other, *told).out
    assert "no input has this role" in error_of(
        2, "eval", files[0], "--qrels", other, "--column", "positives.doc_id=item_id"
    )
    assert "has no column 'why'" in error_of(3, "inspect", files[0], other, "--column", "qrels.doc_id=why")
