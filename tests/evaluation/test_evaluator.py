"""An evaluator gives what `evaluate` gives, run after run, and reads the judgments once."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars as pl
import pyarrow.parquet as pq
import pytest

import sqlrank
from sqlrank.evaluation.request import MOST_STATEMENTS
from sqlrank.inputs import dictionaries
from tests.support.cases import arrow, random_data, rows_of
from tests.support.tables import each

RUN, QRELS = random_data(83)
OTHER = {query: {doc: at % 5 - found[doc] for at, doc in enumerate(found)} for query, found in RUN.items()}
METRICS = ["ndcg@10", "ap", "rr", "p@10", "recall@100"]
WORST, LIKE, UNCHECKED = {"query_set": "run", "ties": "worst"}, {"like": "trec_eval"}, {"checks": False}
WHOLE = {query: {doc: float(round(grade)) for doc, grade in found.items()} for query, found in QRELS.items()}
WHERE, PAIRS = {"where": "doc_id <> 'z'"}, {"positives": True}
RUN_COLUMNS = ("query_id", "doc_id", "score")
QRELS_COLUMNS = ("query_id", "doc_id", "relevance")


def given(result: sqlrank.Result) -> list[Any]:
    """All that a result says, its numbers to 1e-12: sums may be taken in another order."""
    with result:
        rows = [*result.rows.fetchall(), *sorted(result.per_query.fetchall())]
        said = [result.counts, result.inputs, result.notes, result.remarks()]
    return said + [about(value) for row in rows for value in row]


def about(value: Any) -> Any:
    """A value that equals what differs from it in the last digits."""
    return pytest.approx(value, rel=1e-12, abs=1e-12) if isinstance(value, float) else value


def as_file(folder: Path, data: Any, columns: tuple[str, ...]) -> str:
    """A Parquet file with the rows."""
    pq.write_table(arrow(rows_of(data), *columns), folder / f"{columns[-1]}.parquet")
    return str(folder / f"{columns[-1]}.parquet")


@pytest.mark.needs("random")
@pytest.mark.parametrize(
    ("form", "options"),
    [
        ("dictionaries", {}),
        ("dictionaries", WORST),
        ("arrow", LIKE),
        ("polars", UNCHECKED),
        ("files", {}),
        ("files", WORST),
    ],
    ids=str,
)
def test_it_gives_what_evaluate_gives(form: str, options: dict[str, Any], tmp_path: Path) -> None:
    def made(data: Any, columns: tuple[str, ...]) -> Any:
        if form == "dictionaries":
            return data
        if form == "files":
            return as_file(tmp_path, data, columns)
        table = arrow(rows_of(data), *columns)
        return table if form == "arrow" else pl.from_arrow(table)

    qrels = made(WHOLE if options == LIKE else QRELS, QRELS_COLUMNS)
    score = sqlrank.Evaluator(qrels, METRICS, **options)
    for data in (RUN, OTHER, RUN):
        run = made(data, RUN_COLUMNS)
        assert given(score(run)) == given(sqlrank.evaluate(run, qrels, METRICS, **options))
    runs = {"one": RUN, "two": OTHER}
    assert given(score(systems=runs)) == given(sqlrank.evaluate(None, qrels, METRICS, systems=runs, **options))
    assert given(score([RUN, OTHER])) == given(sqlrank.evaluate([RUN, OTHER], qrels, METRICS, **options))


def test_judgments_are_read_once_and_closing_it_lets_go_of_them_alone(tmp_path: Path) -> None:
    path = as_file(tmp_path, QRELS, QRELS_COLUMNS)
    with sqlrank.Evaluator(path, "ap") as score:
        first, result = given(score(RUN)), score(RUN)
        os.remove(path)
        assert given(score(RUN)) == first

    assert result["ap"] == pytest.approx(sqlrank.evaluate(RUN, QRELS, "ap")["ap"])
    with pytest.raises(sqlrank.DataError, match="no such file"):
        score(RUN)


@each(
    [("dictionary", {}), ("dictionary", WHERE), ("dictionary", PAIRS), ("pandas", {}), ("pandas", WHERE), ("list", {})]
)
def test_judgments_are_those_of_when_it_was_made(case: tuple[str, dict[str, Any]]) -> None:
    form, options = case
    pairs = {"q": {"b": 1}}
    frame = pandas.DataFrame({"query_id": ["q"], "doc_id": ["b"], "relevance": [1]})
    given: Any = {"dictionary": pairs, "pandas": frame, "list": [pairs]}[form]
    named = {"positives": given} if options.get("positives") else options | {"qrels": given}
    score = sqlrank.Evaluator(metrics="rr", **named)
    pairs["q"]["a"], pairs["p"] = pairs["q"].pop("b"), {"a": 1}
    frame.loc[0, "doc_id"] = "a"

    for _ in range(2):
        assert score({"q": {"a": 2.0, "b": 1.0}}).to_dict() == {"q": {"rr": 0.5}}
    score.close()
    assert score({"q": {"a": 2.0, "b": 1.0}}).to_dict() == {"q": {"rr": 0.5}}


def test_an_error_of_a_run_is_told_and_the_next_run_evaluated() -> None:
    score = sqlrank.Evaluator(QRELS, "ap")
    first = given(score(RUN))
    for bad, said in (({"q1": {"d1": float("nan")}}, "not a number|NaN|finite"), ("missing.parquet", "no such file")):
        for _ in range(2):
            with pytest.raises(sqlrank.DataError, match=said):
                score(bad)
        assert given(score(RUN)) == first


def test_an_error_of_the_judgments_is_told_with_every_run() -> None:
    score = sqlrank.Evaluator(arrow([("q", "a", 1.0), ("q", "a", 2.0)], *QRELS_COLUMNS), "ap")
    for _ in range(2):
        with pytest.raises(sqlrank.DataError, match="judged more than once"):
            score({"q": {"a": 1.0}})


@each([(-1.0, "ndcg"), (0.0, "ap(rel=5)"), (0.0, "err(max=data)@10")])
def test_a_note_on_the_judgments_stands_beside_every_result(case: tuple[float, str]) -> None:
    least, metric = case
    run, qrels = {"q": {"b": 1.0}}, {"q": {"a": least, "b": 1.0}}
    wanted = sqlrank.evaluate(run, qrels, metric).notes
    assert wanted
    score = sqlrank.Evaluator(qrels, metric)
    assert [score(run).notes for _ in range(3)] == [wanted] * 3


def test_results_outlive_what_made_them_and_one_another_and_temporary_files_are_where_asked_for(tmp_path: Path) -> None:
    score = sqlrank.Evaluator(QRELS, "ap", temp_dir=str(tmp_path))
    first, second = score(RUN), score(OTHER)
    wanted = second.rows.fetchall()
    assert len(list(tmp_path.iterdir())) == 3
    first.close()
    del score

    assert second.rows.fetchall() == wanted
    assert second.explain(next(iter(QRELS))).fetchall()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_evaluates_as_its_parent_does() -> None:
    score = sqlrank.Evaluator(QRELS, "ap")
    wanted = score(RUN)["ap"]
    child = os.fork()
    if not child:
        os._exit(0 if score(RUN)["ap"] == score(RUN)["ap"] == wanted else 1)

    assert os.waitpid(child, 0)[1] == 0
    assert score(RUN)["ap"] == wanted


def test_statements_that_hold_numbers_of_runs_do_not_pile_up() -> None:
    score = sqlrank.Evaluator(QRELS, "ap")
    for number in range(MOST_STATEMENTS):
        score(systems={f"system {number}": RUN}).close()

    assert len(score.request.statements) <= MOST_STATEMENTS


def test_threads_share_one() -> None:
    score, wanted = sqlrank.Evaluator(QRELS, METRICS), {}
    for name, run in (("one", RUN), ("two", OTHER)):
        wanted[name] = given(sqlrank.evaluate(run, QRELS, METRICS))
    found: list[bool] = []

    def work(name: str, run: Any) -> None:
        found.extend(given(score(run)) == wanted[name] for _ in range(5))

    threads = [threading.Thread(target=work, args=args) for args in (("one", RUN), ("two", OTHER)) * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 20


def test_what_cannot_be_kept_is_evaluated_all_the_same() -> None:
    rows = arrow([(*row, "de" if row[0] < "q3" else "fr") for row in rows_of(RUN)], *RUN_COLUMNS, "country")
    options: dict[str, Any] = {"where": "country = 'de'"}
    wanted = given(sqlrank.evaluate(rows, QRELS, "ap", **options))
    assert given(sqlrank.Evaluator(QRELS, "ap", **options)(rows)) == wanted
    with duckdb.connect() as connection:
        score = sqlrank.Evaluator(QRELS, "ap", connection=connection)
        assert given(score(RUN)) == given(sqlrank.evaluate(RUN, QRELS, "ap"))
        assert connection.execute("show tables").fetchall() == []
    labelled = arrow([(*row, 1.0) for row in rows_of(RUN)], *RUN_COLUMNS, "relevance")
    assert given(sqlrank.Evaluator(None, "ap")(labelled)) == given(sqlrank.evaluate(labelled, None, "ap"))


@pytest.mark.parametrize("by_arrow", [True, False])
def test_dictionaries_of_any_numbers_and_ids_are_read(by_arrow: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not by_arrow:
        monkeypatch.setattr(dictionaries.Pairs, "arrow", lambda *_: None)
    run: dict[Any, dict[Any, Any]] = {1: {7: 3, "é": 2.5, "x": True}, "q": {}, "two": {"b": 10**15}}
    qrels: dict[Any, dict[Any, Any]] = {1: {"7": 0, "é": 2, "x": 1}, "two": {"b": 1.0, "c": 3}}
    with sqlrank.evaluate(run, qrels, ["rr", "ndcg@3"]) as result:
        assert result.to_dict()["1"] == {"rr": 0.5, "ndcg@3": pytest.approx((2 * 0.63093 + 0.5) / 2.63093, abs=1e-5)}
    for bad, said in (
        ({"q": {"d": 10**400}}, "too large for 64 bits: that of 'd'"),
        ({"q": {None: 1.0}}, "None is not an id"),
        ({"q": {b"d": 1.0}}, "the id b'd' is bytes; decode it"),
        ({"q": {"d": "high"}}, "could not convert"),
        ({"q": [("d", 1.0)]}, "must be {query: {document: number}}"),
        ({"q": {"\ud800": 1.0}}, "surrogate"),
    ):
        with pytest.raises(sqlrank.DataError, match=said):
            sqlrank.evaluate(bad, qrels, "rr")
