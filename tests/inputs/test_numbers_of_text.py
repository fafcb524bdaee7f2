"""Checks that compare relevances, scores and weights: in CSV and JSON lines these are text until they are numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pandas
import pytest

import sqlrank
from sqlrank.sql_files import sql_folder
from tests.support.cli_helper import completed, error_of
from tests.support.small_data import json_lines, separated
from tests.support.tables import each, hold

Row = tuple[Any, ...]
RUN, LABELS = ("query_id", "doc_id", "score"), ("query_id", "doc_id", "relevance")


def dictionary(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    """Rows as a dictionary of dictionaries."""
    made: dict[str, dict[str, float]] = {}
    for query, document, value in rows:
        made.setdefault(str(query), {})[document] = value
    return made


def written(suffix: str, write: Callable[[Sequence[str], Sequence[Row]], str]) -> Callable[..., str]:
    """What writes rows to a file of text."""

    def to_file(folder: Path, name: str, names: Sequence[str], rows: Sequence[Row]) -> str:
        path = folder / f"{name}.{suffix}"
        path.write_text(write(names, rows), encoding="utf-8")
        return str(path)

    return to_file


def parquet(folder: Path, name: str, names: Sequence[str], rows: Sequence[Row]) -> str:
    """Rows in a Parquet file, whose columns have types."""
    path = folder / f"{name}.parquet"
    pandas.DataFrame(rows, columns=list(names)).to_parquet(path)
    return str(path)


TEXTS: dict[str, Callable[..., Any]] = {"csv": written("csv", separated(",")), "jsonl": written("jsonl", json_lines)}
FORMS = TEXTS | {"parquet": parquet, "dictionary": lambda folder, name, names, rows: dictionary(rows)}


def test_judged_documents_that_were_not_returned_are_refused_by_name(tmp_path: Path) -> None:
    def check(case: tuple[str, str]) -> None:
        tool, form = case
        run = FORMS[form](tmp_path, "run", RUN, [(1, "a", 2), (2, "b", 3)])
        qrels = FORMS[form](tmp_path, "qrels", LABELS, [(1, "a", 2), (2, "z", 3)])

        with pytest.raises(sqlrank.DataError, match=r"not returned, such as '?z'? of query '?2'?; .* sees one table"):
            sqlrank.evaluate(run, qrels, "ndcg@3", like=tool)

    hold(product(["lightgbm", "xgboost", "catboost", "evidently"], FORMS), check)


def test_a_judgment_of_0_that_was_not_returned_is_none_of_them(tmp_path: Path) -> None:
    def check(form: str) -> None:
        run = FORMS[form](tmp_path, "run", RUN, [(1, "a", 2), (2, "b", 3)])
        qrels = FORMS[form](tmp_path, "qrels", LABELS, [(1, "a", 2), (2, "b", 0), (2, "z", 0)])

        with sqlrank.evaluate(run, qrels, "ndcg@3", like="lightgbm") as result:
            assert result["ndcg(gain=exp2, ideal=retrieved)@3"] == 1

    hold(list(FORMS), check)


def refusal(run: Any, qrels: Any, metric: str, **options: Any) -> str:
    """What is said where the data is refused."""
    with pytest.raises((sqlrank.DataError, sqlrank.UsageError)) as raised:
        sqlrank.evaluate(run, qrels, metric, **options)
    return str(raised.value)


def csv(folder: Path, name: str, names: str, *lines: str) -> str:
    """A file of lines as they are."""
    path = folder / f"{name}.csv"
    path.write_text("\n".join([names, *lines, ""]), encoding="utf-8")
    return str(path)


JUDGED = ("query_id,doc_id,relevance", "1,a,2", "1,b,1", "1,c,0")


SCORED = "query_id,doc_id,score"
CUT: dict[str, Any] = {"ties": "average", "depth": 1}
SPELT = (SCORED, "1,a,10", "1,b,9", "1,c,9.0")
NEAR = (SCORED, "1,a,1", "1,b,1.00000000001")
OF_SYSTEMS = "system,query_id,doc_id,score,relevance"
SYSTEM: dict[str, Any] = {"columns": {"system": "system"}}
COMPARED: dict[str, tuple[tuple[str, ...], tuple[str, ...] | None, str, dict[str, Any], str | float]] = {
    "equal scores": (SPELT, JUDGED, "p@2", CUT | {"depth": 2}, "depth=2 cuts through equal scores"),
    "other scores": (SPELT, JUDGED, "p@1", CUT, 1),
    "single precision decides what is cut": (NEAR, JUDGED, "p@1", CUT | {"score_type": "float"}, "cuts through"),
    "and double precision": (NEAR, JUDGED, "p@1", CUT, 1),
    "ids of one score are ordered by their type": (
        (SCORED, "1,9,9", "1,10,9.0", "1,8,1"),
        ("query_id,doc_id,relevance", "1,9,1"),
        "rr@2",
        {"like": "replay"},
        "'10' and '9' of query '1' have one score",
    ),
    "ranks": (
        ("query_id,doc_id,rank", "1,a,1", "1,b,1.0", "1,c,2"),
        JUDGED,
        "rr",
        {"order": "rank"},
        "rank 1 of query '1' by 2",
    ),
    "equal labels": ((OF_SYSTEMS, "A,1,a,1,1", "B,1,a,2,1.0", "A,1,b,0.5,0"), None, "rr", SYSTEM, 1),
    "other labels": ((OF_SYSTEMS, "A,1,a,1,10", "B,1,a,2,9", "A,1,b,0.5,0"), None, "rr", SYSTEM, "has 9 and 10"),
    "copies of judgments are from the least to the largest": (
        (SCORED, "1,a,10"),
        ("query_id,doc_id,relevance", "1,a,10", "1,a,9"),
        "rr",
        {},
        "2 judgments, from 9 to 10",
    ),
    "equal weights": ((f"{SCORED},w", "1,a,1,2", "1,b,2,2.0"), JUDGED, "p@1", {"weight": "w"}, 1),
    "other weights": (
        (f"{SCORED},w", "1,a,1,2", "1,b,2,10"),
        JUDGED,
        "p@1",
        {"weight": "w"},
        "more than one value of w",
    ),
}


def test_numbers_that_are_spelt_otherwise_are_compared_as_numbers(tmp_path: Path) -> None:
    def check(case: tuple[tuple[str, ...], tuple[str, ...] | None, str, dict[str, Any], str | float]) -> None:
        rows, judged, metric, options, wanted = case
        run, qrels = csv(tmp_path, "run", *rows), judged and csv(tmp_path, "qrels", *judged)
        if isinstance(wanted, str):
            assert wanted in refusal(run, qrels, metric, **options)
        else:
            with sqlrank.evaluate(run, qrels, metric, **options) as result:
                assert result.value(metric, *(["B"] if judged is None else [])) == wanted

    hold(COMPARED, check)


@each([("p@1", CUT), ("entropy@1", {"ties": "error"})])
def test_ids_of_numbers_and_of_text_are_compared_as_text_where_ties_are(case: tuple[str, dict[str, Any]]) -> None:
    metric, options = case
    run = pandas.DataFrame([(1, "a", 3.0), (1, "b", 3.0)], columns=list(RUN))
    assert "1" in refusal(run, {"x1": {"a": 1}, "1": {"a": 1}}, metric, **options).partition("query")[2]


def test_no_check_compares_a_number_before_it_is_one() -> None:
    numbers = r"(?:\w+\.)?(?:relevance|score|rank|item_weight|length)"
    compared = re.compile(
        rf"(?<![\w.{{])(?:{numbers} *(?:<|>|=)|(?:min|max|avg|sum)\({numbers}\)|(?:group|order) by [^()]*\bscore\b)"
    )
    counted = {"gain_missing", "scores_and_labels_swapped", "rank_disagrees", "tied_at_cutoff"}
    """Those whose inner statement makes them numbers first."""
    for path in sorted((sql_folder() / "checks").rglob("*.sql")):
        statement = path.read_text(encoding="utf-8").partition("#}")[2]
        if path.stem not in counted:
            assert not compared.findall(statement), path


def test_an_expression_over_texts_is_told_how_to_make_a_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("run.csv").write_text("query_id,doc_id,score\nq,a,2\nr,b,1\n", encoding="utf-8")
    Path("qrels.csv").write_text("query_id,doc_id,relevance\nq,a,1\nr,c,1\n", encoding="utf-8")
    Path("queries.csv").write_text("query_id,traffic\nq,3\nr,1\n", encoding="utf-8")
    asked = ("eval", "run.csv", "--qrels", "qrels.csv", "-m", "rr", "--queries", "queries.csv", "--format", "csv")
    said = error_of(2, *asked, "--weight", "log2(1 + traffic)")
    assert said.endswith("; values of text files are text: write cast(column as double)\n")
    assert completed(*asked, "--weight", "log2(1 + cast(traffic as double))").values["run", "rr"] == "0.666666666667"
